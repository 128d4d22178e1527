import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import * as client from '../../../src/client/index.ts'
import type { FeedQuery, Result, RollcallEvent, RollcallOptions } from '../../../src/index.ts'
import * as library from '../../../src/index.ts'
import { createRollcall } from '../../../src/index.ts'
import * as webhooks from '../../../src/webhooks/index.ts'
import * as testing from '../../../tools/testing/index.ts'
import { eventually } from '../../support/eventually.ts'

const user = { userName: 'bjensen', name: { givenName: 'Barbara', familyName: 'Jensen' } }
const scope = { tenant: 'acme', product: 'demo' }

/** The library on a new database, closed and removed at the end. */
async function openRollcall(options: Partial<RollcallOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-library-'))
  const databaseUrl = `sqlite:${join(folder, 'rollcall.db')}`
  const open = () => createRollcall({ databaseUrl, externalUrl: 'https://app.example.com/', ...options })
  let rollcall = await open()
  return {
    get rollcall() {
      return rollcall
    },
    async reopen() {
      await rollcall.close()
      rollcall = await open()
    },
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

/** Collects events; `until` resolves once there are enough. */
function collector() {
  const events: RollcallEvent[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  return {
    events,
    add(event: RollcallEvent) {
      events.push(event)
      for (const { count, resolve } of waiting) if (events.length >= count) resolve()
    },
    until: (count: number) =>
      new Promise<void>((resolve) => {
        waiting.push({ count, resolve })
        if (events.length >= count) resolve()
      }),
  }
}

test('a SCIM request is handled in the process, and the callback is awaited for each of its events', async () => {
  await using opened = await openRollcall()
  const { rollcall } = opened
  const directory = dataOf(await rollcall.directories.create(scope))
  assert.equal(directory.scim.endpoint, `https://app.example.com/api/scim/v2.0/${directory.id}`)
  const received: RollcallEvent[] = []
  const created = await rollcall.requests.handle(
    {
      method: 'POST',
      resourceType: 'users',
      directoryId: directory.id,
      apiSecret: directory.scim.secret,
      body: user,
    },
    async (event) => {
      received.push(event)
    },
  )
  assert.equal(created.status, 201)
  assert.deepEqual(
    received.map(({ event, sequence, tenant }) => ({ event, sequence, tenant })),
    [{ event: 'user.created', sequence: 1, tenant: 'acme' }],
  )
  const users = dataOf(await rollcall.users.list(scope))
  assert.deepEqual(
    users.map(({ first_name, last_name, active }) => ({ first_name, last_name, active })),
    [{ first_name: 'Barbara', last_name: 'Jensen', active: true }],
  )
})

test('unknown options are rejected', async () => {
  const misspelled = {
    externalUrl: 'https://app.example.com',
    databaseURL: 'sqlite::memory:',
    webhook: { batchsize: 5 },
  }
  const message = 'databaseURL: unknown; did you mean databaseUrl? batchsize: unknown; did you mean batchSize?'
  await assert.rejects(createRollcall(misspelled as RollcallOptions), { message })
})

test('errors are values: SCIM errors for requests, {data, error} for other calls', async () => {
  await using opened = await openRollcall({ maxDirectoriesPerTenant: 1 })
  const { directories, requests, users } = opened.rollcall
  const { id: directoryId, scim } = dataOf(await directories.create(scope))
  const request = { method: 'GET', resourceType: 'users', directoryId } as const
  assert.equal((await requests.handle({ ...request, apiSecret: 'wrong' })).status, 401)
  const missing = await requests.handle({ ...request, apiSecret: scim.secret, resourceId: 'nobody' })
  assert.deepEqual([missing.status, (missing.data as { status: string }).status], [404, '404'])
  assert.equal((await directories.create({ tenant: 'a:b' })).error?.status, 400)
  assert.equal((await directories.create(scope)).error?.status, 409, 'the tenant has its directory')
  assert.equal((await directories.get({ id: 'nothing' })).error?.status, 404)
  // @ts-expect-error: a scope is a directory, or a tenant and a product
  assert.equal((await users.list({ tenant: 'acme' })).error?.status, 400)
})

test('an error of the library is the RollcallError of every entry, with a code, and reads as in the API when it is JSON', async () => {
  await using opened = await openRollcall({ maxDirectoriesPerTenant: 1 })
  const { directories } = opened.rollcall
  dataOf(await directories.create(scope))
  for (const { RollcallError } of [library, client, webhooks, testing])
    assert.equal(RollcallError, library.RollcallError)
  const { error: invalid } = await directories.create({ tenant: 'a:b', product: 'crm' })
  assert(invalid instanceof library.RollcallError)
  assert.deepEqual([invalid.code, invalid.status, invalid.problems[0]?.field], ['invalid-input', 400, 'tenant'])
  const { problems, message } = invalid
  assert.deepEqual(JSON.parse(JSON.stringify(invalid)), { message, code: 400, reason: 'invalid-input', problems })
  const { error: missing } = await directories.get({ id: 'nothing' })
  assert.deepEqual([missing?.code, missing?.status], ['directory-not-found', 404])
  assert.equal((await directories.create(scope)).error?.code, 'too-many-directories')
})

test('the accounts of the product are linked to users as over HTTP', async () => {
  await using opened = await openRollcall()
  const { directories, requests, adoption, users } = opened.rollcall
  const { id: directoryId, scim } = dataOf(await directories.create(scope))
  const request = { method: 'POST', directoryId, resourceType: 'users', body: user, apiSecret: scim.secret } as const
  assert.equal((await requests.handle(request)).status, 201)
  const accounts = [{ account_id: 'acct-1', user_name: 'BJensen' }]
  assert.deepEqual(dataOf(await adoption.send({ directoryId, accounts })), { accounts: 1 })
  const { version, counts } = dataOf(await adoption.plan({ directoryId, kind: 'link' }))
  assert.equal(counts.link, 1)
  assert.equal(dataOf(await adoption.apply({ directoryId, version: version ?? '' })).links, 1)
  const isApplied = async () => dataOf(await adoption.plan({ directoryId })).state === 'none'
  await eventually('the plan to be applied', isApplied)
  assert.equal(dataOf(await users.list({ directoryId }))[0]?.account_id, 'acct-1')
  assert.deepEqual(dataOf(await adoption.forget({ directoryId })), {})
})

test('lists are filtered and paged as over HTTP', async () => {
  await using opened = await openRollcall()
  const { directories, requests, users } = opened.rollcall
  const { id: directoryId, scim } = dataOf(await directories.create(scope))
  const common = { resourceType: 'users', directoryId, apiSecret: scim.secret } as const
  for (const userName of ['ann', 'bob', 'cy']) await requests.handle({ ...common, method: 'POST', body: { userName } })
  const found = await requests.handle({ ...common, method: 'GET', query: { filter: 'userName eq "BOB"' } })
  assert.equal((found.data as { totalResults: number }).totalResults, 1)
  assert.equal(dataOf(await users.list({ ...scope, user_name: 'BOB' })).length, 1)
  const misspelled = { ...scope, usrName: 'bob' }
  assert.equal((await users.list(misspelled)).error?.message, 'usrName: unknown; did you mean userName?')
  const first = await users.list({ ...scope, pageLimit: 2 })
  assert.equal(dataOf(first).length, 2)
  assert.ok(first.error === null && first.pageToken !== undefined, 'there is a next page')
  const second = await users.list({ ...scope, pageLimit: 2, pageToken: first.pageToken })
  assert.deepEqual(
    dataOf(second).map(({ email }) => email),
    ['cy'],
  )
})

test('onEvent receives every event in order, again after it threw, also after a restart', async () => {
  const sink = collector()
  let failing = true
  await using opened = await openRollcall({
    onEvent(event) {
      if (failing) throw new Error('not now')
      sink.add(event)
    },
  })
  const { id: directoryId, scim } = dataOf(await opened.rollcall.directories.create(scope))
  const common = { resourceType: 'users', directoryId, apiSecret: scim.secret } as const
  for (const userName of ['ann', 'bob']) {
    await opened.rollcall.requests.handle({ ...common, method: 'POST', body: { userName } })
  }
  failing = false
  await opened.reopen()
  // A change of the directory ends the backoff after the failures.
  const change = { id: directoryId, name: 'changed' }
  dataOf(await opened.rollcall.directories.update(change))
  await sink.until(2)
  assert.deepEqual(
    sink.events.map(({ sequence }) => sequence),
    [1, 2],
  )
})

test('the delivery log is read and emptied as over HTTP', async () => {
  await using opened = await openRollcall()
  const { directories, events } = opened.rollcall
  const { id: directoryId } = dataOf(await directories.create(scope))
  assert.deepEqual(await events.list({ ...scope, pageLimit: 2 }), { data: [], error: null })
  assert.equal((await events.get({ id: 'nothing', ...scope })).error?.status, 404)
  // @ts-expect-error: a scope is a directory, or a tenant and a product
  assert.equal((await events.list({ tenant: 'acme' })).error?.status, 400)
  assert.deepEqual(await events.delete({ directoryId }), { data: {}, error: null })
  assert.equal((await events.delete({ directoryId: 'nothing' })).error?.status, 404)
})

test('embedding the library loads neither Fastify nor anything of src/http', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
    const { createRollcall } = await import(${JSON.stringify(new URL('../../../src/index.ts', import.meta.url).href)})
    const rollcall = await createRollcall({ databaseUrl: 'sqlite::memory:', externalUrl: 'http://localhost', onEvent() {} })
    const { data } = await rollcall.directories.create({ tenant: 'a', product: 'b' })
    const request = { resourceType: 'users', directoryId: data.id, apiSecret: data.scim.secret }
    const { status } = await rollcall.requests.handle({ ...request, method: 'POST', body: { userName: 'x' } })
    await rollcall.close()
    console.log(JSON.stringify({ status, loaded }))`
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-embedded-'))
  try {
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder })
    const { status, loaded } = JSON.parse((await run).stdout) as { status: number; loaded: string[] }
    assert.equal(status, 201)
    assert.ok(
      loaded.some((url) => url.endsWith('/src/library/rollcall.ts')),
      'the hook reports what is loaded',
    )
    assert.deepEqual(
      loaded.filter((url) => /\/node_modules\/(@?fastify|@scalar|prom-client|pino)|\/src\/(http|cli)\//.test(url)),
      [],
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the feed is read from the cursor of the previous result or from a sequence number', async () => {
  await using opened = await openRollcall()
  const { directories, events, requests } = opened.rollcall
  const { id: directoryId, scim } = dataOf(await directories.create(scope))
  for (const userName of ['a', 'b', 'c']) {
    const request = { resourceType: 'users', directoryId, apiSecret: scim.secret, body: { userName } } as const
    assert.equal((await requests.handle({ ...request, method: 'POST' })).status, 201)
  }
  const first = await events.feed({ ...scope, limit: 2 })
  assert(first.error === null)
  assert.deepEqual(
    first.data.map(({ sequence, event, data }) => [sequence, event, 'email' in data && data.email]),
    [
      [1, 'user.created', 'a'],
      [2, 'user.created', 'b'],
    ],
  )
  const sequences = async (query: FeedQuery) => (await events.feed(query)).data?.map(({ sequence }) => sequence)
  assert.deepEqual(await sequences({ ...scope, after: first.next }), [3])
  assert.deepEqual(await sequences({ directoryId, after: 1 }), [2, 3])
  assert.equal((await events.feed({ directoryId, after: first.next })).error?.status, 400)
  assert.equal((await events.feed({ directoryId: 'nobody' })).error?.status, 404)
})

test('the secret of an endpoint is rotated; a directory without an endpoint is an error', async () => {
  await using opened = await openRollcall()
  const { create, get, rotateWebhookSecret } = opened.rollcall.directories
  const { id, webhook } = dataOf(await create({ ...scope, webhook_url: 'https://app.example.com/events' }))
  const rotated = dataOf(await rotateWebhookSecret({ id, grace_seconds: 60 }))
  assert.notEqual(rotated.webhook.secret, webhook.secret)
  assert.deepEqual(dataOf(await get({ id })), rotated)
  const chosen = dataOf(await rotateWebhookSecret({ id, webhook_secret: 'a plain secret' }))
  assert.equal(chosen.webhook.secret, 'a plain secret')
  const { error } = await rotateWebhookSecret({ id: dataOf(await create(scope)).id })
  assert.equal(error?.status, 400)
  assert.match(error?.message ?? '', /set webhook_url first/)
})
