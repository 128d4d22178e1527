import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { FakeGoogle } from '../../../tools/fake-google/server.ts'
import { endOfLastSync, syncWell } from '../../support/extdir.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine } from '../../support/service.ts'
import { startTwoWorkspaces } from '../../support/two-workspaces.ts'

function addUsers(google: FakeGoogle, domain: string, ...names: string[]): void {
  for (const name of names) google.addUser({ primaryEmail: `${name}@${domain}` })
}

async function urlOf({ api }: TestService, { id }: DirectoryView): Promise<string> {
  const { status, body, text } = await api('POST', `/${id}/authorization-url`)
  assert.equal(status, 201, text)
  const { url, expires_at } = body.data as unknown as { url: string; expires_at: string }
  const minutesLeft = (Date.parse(expires_at) - Date.now()) / 60_000
  assert(minutesLeft > 0 && minutesLeft < 61, expires_at)
  return url
}

async function emailsOf({ api }: TestService, { id }: DirectoryView): Promise<string[]> {
  return (await api('GET', `/users?directoryId=${id}`)).body.data.map(({ email }) => email).sort()
}

forEachEngine((engine) => {
  test('a stranger who consents does not replace the Workspace of a directory until that is approved', async () => {
    await using world = await startTwoWorkspaces(engine)
    const { service, own, stranger, consent } = world
    addUsers(own, 'acme.example', 'ann', 'bob', 'cleo')
    addUsers(stranger, 'stranger.example', 'mallory', 'ann', 'bob', 'cleo')
    const directory = await service.createDirectory({ type: 'extdir' })
    assert.equal((await consent(await urlOf(service, directory), own)).status, 200)
    assert.equal((await endOfLastSync(service, directory)).state, 'completed')
    const before = await emailsOf(service, directory)
    assert.equal(before.length, 3)

    const answer = await consent(await urlOf(service, directory), stranger)
    assert.equal(answer.status, 202)
    assert.match(answer.text, /Waiting for approval.*another Google Workspace/s)
    await syncWell(service, directory)
    assert.deepEqual(await emailsOf(service, directory), before)
    const { body } = await service.api('GET', `/${directory.id}`)
    assert.equal(body.data.extdir_pending_connection?.workspace, 'C0stranger')

    const approved = await service.api('POST', `/${directory.id}/connection/approve`)
    assert.equal(approved.status, 200, approved.text)
    assert.equal(approved.body.data.extdir_pending_connection, undefined)
    assert.notEqual(approved.body.data.extdir_refresh_token, body.data.extdir_refresh_token)
    assert.equal((await service.api('POST', `/${directory.id}/connection/approve`)).status, 409)

    const run = await endOfLastSync(service, directory)
    assert.deepEqual([run.trigger, run.state, run.deleted, run.held], ['consent', 'held', 0, 3])
    assert.match(run.error ?? '', /all users, would be deleted/)
    const after = await emailsOf(service, directory)
    assert.deepEqual(
      before.filter((email) => !after.includes(email)),
      [],
    )
  })

  test('the same Workspace consents again without an approval', async () => {
    await using world = await startTwoWorkspaces(engine)
    const { service, own, consent } = world
    const directory = await service.createDirectory({ type: 'extdir', extdir_domain: 'acme.example' })
    addUsers(own, 'acme.example', 'ann')
    for (const _ of [1, 2]) assert.equal((await consent(await urlOf(service, directory), own)).status, 200)
  })

  test('an account outside extdir_domain waits for approval', async () => {
    await using world = await startTwoWorkspaces(engine)
    const { service, stranger, consent } = world
    addUsers(stranger, 'stranger.example', 'mallory')
    const directory = await service.createDirectory({ type: 'extdir', extdir_domain: 'acme.example' })
    const answer = await consent(await urlOf(service, directory), stranger)
    assert.equal(answer.status, 202)
    assert.match(answer.text, /acme\.example does not belong to the Google Workspace/)
    const { body } = await service.api('GET', `/${directory.id}`)
    assert.deepEqual([body.data.extdir_authorization_status, body.data.extdir_refresh_token], ['none', ''])
  })

  test('a Workspace connected by tokens is compared with the one that consents', async () => {
    await using world = await startTwoWorkspaces(engine)
    const { service, own, stranger, consent } = world
    addUsers(own, 'acme.example', 'ann')
    addUsers(stranger, 'stranger.example', 'mallory')
    const { accessToken, refreshToken } = own.issueTokens()
    const tokens = { extdir_access_token: accessToken, extdir_refresh_token: refreshToken }
    const directory = await service.createDirectory({ type: 'extdir', ...tokens })
    assert.equal((await consent(await urlOf(service, directory), stranger)).status, 202)
    assert.equal((await consent(await urlOf(service, directory), own)).status, 200)
  })

  test('one completed consent ends every authorization URL made before it', async () => {
    await using world = await startTwoWorkspaces(engine)
    const { service, own, stranger, consent } = world
    const directory = await service.createDirectory({ type: 'extdir' })
    const urls = [await urlOf(service, directory), directory.extdir_authorization_url ?? '']
    assert.equal((await consent(await urlOf(service, directory), own)).status, 200)
    for (const url of urls) {
      const answer = await consent(url, stranger)
      assert.equal(answer.status, 400)
      assert.match(answer.text, /already been used/)
    }
  })

  test('no authorization URL is made for another type of directory, or for none', async () => {
    await using world = await startTwoWorkspaces(engine)
    const { service } = world
    const { id } = await service.createDirectory()
    assert.equal((await service.api('POST', `/${id}/authorization-url`)).status, 400)
    assert.equal((await service.api('POST', '/nobody/authorization-url')).status, 404)
  })
})
