import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { allRows, texts } from '../../service/privacy/support/tables.ts'
import type { Client } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, openTestDatabase, startServiceProcess, startTestService } from '../../support/service.ts'

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const replace = (path: string, value: unknown) => ({ schemas: [patchOp], Operations: [{ op: 'replace', path, value }] })
const person = { tenant: 'acme', product: 'crm', subject: 'zoe-the-first@acme.example' }
const settings = { DSYNC_WEBHOOK_TIMEOUT: '1000', DSYNC_REMOVAL_LIMIT_PERCENT: '' }

/** A user with many events. */
async function livedLong(service: Client, directory: DirectoryView, changes: number): Promise<string> {
  const user = { userName: person.subject, displayName: 'Zoe the First', active: true }
  const { body } = await service.scim(directory, 'POST', '/Users', user)
  for (let n = 1; n <= changes; n += 1)
    await service.scim(directory, 'PATCH', `/Users/${body.id}`, replace('title', `zoe-the-first ${n}`))
  const { status } = await service.scim(directory, 'PATCH', `/Users/${body.id}`, replace('active', false))
  assert.equal(status, 200)
  return body.id
}

async function eventsOf(service: Client, { id }: DirectoryView) {
  const { body } = await service.api('GET', `/feed?directoryId=${id}&limit=1000`)
  return body.data as unknown as { sequence: number; event: string; data: { id: string; erased?: boolean } }[]
}

async function assertErased(service: Client, directory: DirectoryView, id: string): Promise<void> {
  const events = await eventsOf(service, directory)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  )
  const own = events.filter(({ data }) => data.id === id)
  assert.deepEqual(new Set(own.map(({ data }) => data.erased)), new Set([true]))
  assert.deepEqual(
    own.filter(({ event }) => event === 'user.erased').map(({ sequence }) => sequence),
    [own.at(-1)?.sequence],
  )
}

forEachEngine((engine) => {
  test('an erasure that a kill interrupts is finished at the next start', async () => {
    await using database = await openTestDatabase(engine)
    let directory: DirectoryView
    let id: string
    {
      await using service = await startServiceProcess(database, settings)
      directory = await service.createDirectory()
      id = await livedLong(service, directory, 150)
      const erasing = service.api('POST', '/privacy/erase', person).catch(() => undefined)
      await eventually('the user to be deleted', async () => {
        return (await service.scim(directory, 'GET', `/Users/${id}`)).status === 404
      })
      await service.kill('SIGKILL')
      await erasing
    }
    await using service = await startServiceProcess(database, settings)
    await eventually('the erasure to be finished', async () => {
      const { body } = await service.api('GET', '/privacy/erasures?tenant=acme&product=crm')
      return body.data.length === 1
    })
    await assertErased(service, directory, id)
    const again = await service.api('POST', '/privacy/erase', { ...person, subject: id })
    assert.equal(again.status, 200, again.text)
    await assertErased(service, directory, id)
    await service.kill('SIGTERM')
    for (const [table, rows] of await allRows(database))
      assert.doesNotMatch(texts(rows).join('\n'), /zoe.the.first/i, table)
  })
})

test('postgres: an erasure among changes and deliveries by two processes is whole', async () => {
  await using database = await openTestDatabase('postgres')
  await using receiver = await startReceiver()
  await using one = await startTestService(database, settings)
  await using two = await startTestService(database, settings)
  const directory = await one.createDirectory(receiver.endpoint)
  const { body: other } = await one.scim(directory, 'POST', '/Users', { userName: 'bob@acme.example', active: true })
  const id = await livedLong(one, directory, 30)
  let [isAcknowledged, isDone] = [false, false]
  const leaked: unknown[] = []
  receiver.answer((event) => {
    if (isAcknowledged && /zoe.the.first/i.test(JSON.stringify(event))) leaked.push(event)
    return 204
  })
  const changing = [one, two].map(async (service, index) => {
    for (let n = 0; !isDone; n += 1) {
      const { status } = await service.scim(directory, 'PATCH', `/Users/${other.id}`, replace('title', `${index} ${n}`))
      assert.equal(status, 200)
      const own = await service.scim(
        directory,
        'PATCH',
        `/Users/${id}`,
        replace('nickName', `zoe-the-first ${index} ${n}`),
      )
      assert.ok([200, 404].includes(own.status), own.text)
      await service.api('POST', `/${directory.id}/replay`, { sequence: 2 + n })
    }
  })
  const { status, text } = await two.api('POST', '/privacy/erase', person)
  assert.equal(status, 200, text)
  isAcknowledged = true
  await assertErased(one, directory, id)
  await eventually('the erasure to arrive', async () =>
    receiver.events(directory.id).some(({ event }) => event === 'user.erased'),
  )
  isDone = true
  await Promise.all(changing)
  assert.deepEqual(leaked, [])
  await assertErased(two, directory, id)
  const { text: bob } = await two.scim(directory, 'GET', `/Users/${other.id}`)
  assert.match(bob, /"title":"\d \d+"/)
})
