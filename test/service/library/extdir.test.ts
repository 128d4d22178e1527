import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Result, RollcallEvent } from '../../../src/index.ts'
import { createRollcall } from '../../../src/index.ts'
import type { FakeGoogle } from '../../../tools/fake-google/server.ts'
import { startFakeGoogle } from '../../../tools/fake-google/server.ts'

const redirectUri = 'https://app.example.com/api/scim/oauth/callback'

/** The library over a database of its own, which pulls from a fake Google. */
async function openRollcall(google: FakeGoogle) {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-library-'))
  const { clientId, clientSecret, authUrl, tokenUrl, apiUrl } = google
  const rollcall = await createRollcall({
    databaseUrl: `sqlite:${join(folder, 'rollcall.db')}`,
    externalUrl: 'https://app.example.com',
    extdir: { clientId, clientSecret, authUrl, tokenUrl, apiUrl },
  })
  return {
    rollcall,
    async [Symbol.asyncDispose]() {
      await rollcall.close()
      await rm(folder, { recursive: true })
    },
  }
}

function dataOf<T>(result: Result<T>): T {
  assert.equal(result.error, null)
  return result.data
}

/** Consents at Google like the administrator's browser; returns the query of the redirect. */
async function consent(authorizationUrl: string) {
  const { status, headers } = await fetch(authorizationUrl, { redirect: 'manual' })
  assert.equal(status, 302)
  const back = new URL(headers.get('location') ?? '')
  assert.equal(back.origin + back.pathname, redirectUri)
  return { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' }
}

async function connected({ rollcall }: Awaited<ReturnType<typeof openRollcall>>, google: FakeGoogle) {
  const directory = dataOf(await rollcall.directories.create({ tenant: 'acme', product: 'crm', type: 'extdir' }))
  const { accessToken, refreshToken } = google.issueTokens()
  dataOf(await rollcall.extdir.setToken({ directoryId: directory.id, accessToken, refreshToken }))
  return { directoryId: directory.id }
}

for (const { what, withState } of [
  { what: 'with the state that Google gave back', withState: true },
  { what: 'as the one that was begun last', withState: false },
]) {
  test(`a product connects a directory with its own pages, ${what}`, async () => {
    await using google = await startFakeGoogle({ redirectUris: [redirectUri] })
    await using opened = await openRollcall(google)
    const { rollcall } = opened
    google.addUser({ primaryEmail: 'ann@example.com' })
    const { id: directoryId } = dataOf(
      await rollcall.directories.create({ tenant: 'acme', product: 'crm', type: 'extdir' }),
    )
    const { authorizationUrl } = dataOf(await rollcall.extdir.generateAuthorizationUrl({ directoryId }))
    const { code, state } = await consent(authorizationUrl)
    const tokens = dataOf(await rollcall.extdir.getAccessToken({ directoryId, code, ...(withState ? { state } : {}) }))
    assert.deepEqual(Object.keys(tokens).sort(), [
      'access_token',
      'expiry_date',
      'refresh_token',
      'scope',
      'token_type',
    ])
    const { access_token: accessToken, refresh_token: refreshToken = '' } = tokens
    dataOf(await rollcall.extdir.setToken({ directoryId, accessToken, refreshToken }))
    const { runs } = dataOf(await rollcall.sync())
    assert.deepEqual(
      runs.map(({ state, created }) => ({ state, created })),
      [{ state: 'completed', created: 1 }],
    )
  })
}

test('the callback of a sync receives every event, one after the other', async () => {
  await using google = await startFakeGoogle()
  await using opened = await openRollcall(google)
  const people = Array.from({ length: 30 }, (_, n) => google.addUser({ primaryEmail: `user-${n}@example.com` }))
  const group = google.addGroup({ email: 'all@example.com', name: 'All' })
  for (const { id } of people) google.addUserToGroup(group.id, id)
  await connected(opened, google)
  const received: RollcallEvent[] = []
  let atOnce = 0
  dataOf(
    await opened.rollcall.sync(async (event) => {
      assert.equal(++atOnce, 1)
      await new Promise((resolve) => setImmediate(resolve))
      received.push(event)
      atOnce--
    }),
  )
  assert.deepEqual(
    received.map(({ sequence }) => sequence),
    Array.from({ length: 61 }, (_, n) => n + 1),
  )
})

test('an error of the callback fails the run of that directory, and the next sync continues', async () => {
  await using google = await startFakeGoogle()
  await using opened = await openRollcall(google)
  google.addUser({ primaryEmail: 'ann@example.com' })
  await connected(opened, google)
  const failed = dataOf(await opened.rollcall.sync(() => Promise.reject(new Error('no'))))
  assert.deepEqual([failed.runs[0]?.state, failed.runs.length], ['failed', 1])
  const { runs } = dataOf(await opened.rollcall.sync())
  assert.deepEqual([runs[0]?.state, runs[0]?.created], ['completed', 0])
})

test('one directory is synced, its runs are listed, and a held run is approved', async () => {
  await using google = await startFakeGoogle()
  await using opened = await openRollcall(google)
  const { rollcall } = opened
  const people = Array.from({ length: 25 }, (_, n) => google.addUser({ primaryEmail: `user-${n}@example.com` }))
  const { directoryId } = await connected(opened, google)
  assert.equal(dataOf(await rollcall.extdir.sync({ directoryId })).created, 25)
  for (const { id } of people.slice(5)) google.deleteUser(id)
  const held = dataOf(await rollcall.extdir.sync({ directoryId }))
  assert.deepEqual([held.state, held.held], ['held', 20])
  const approved = dataOf(await rollcall.extdir.approve({ directoryId, run: held.id }))
  assert.deepEqual([approved.state, approved.deleted], ['completed', 20])
  assert.deepEqual(
    dataOf(await rollcall.extdir.runs({ directoryId })).map(({ state }) => state),
    ['completed', 'completed'],
  )
})

test('errors are returned, not thrown', async () => {
  await using google = await startFakeGoogle()
  await using opened = await openRollcall(google)
  const { extdir, directories } = opened.rollcall
  const { id: directoryId } = dataOf(await directories.create({ tenant: 'acme', product: 'crm', type: 'extdir' }))
  const { id: scimId } = dataOf(await directories.create({ tenant: 'acme', product: 'crm' }))
  for (const { what, result, code } of [
    { what: 'a bad code', result: await extdir.getAccessToken({ directoryId, code: 'nonsense' }), code: 400 },
    { what: 'no directory', result: await extdir.generateAuthorizationUrl({ directoryId: 'unknown' }), code: 404 },
    { what: 'another type', result: await extdir.generateAuthorizationUrl({ directoryId: scimId }), code: 400 },
    { what: 'not connected', result: await extdir.sync({ directoryId }), code: 409 },
  ]) {
    assert.equal(result.error?.status, code, `${what}: ${result.error?.message}`)
    assert.equal(result.data, null)
  }
})
