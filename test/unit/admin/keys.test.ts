import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { systemCaller } from '../../../src/directory/audit.ts'
import { openTestManagement, startAt } from './support/management.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const somebody = systemCaller('a test')

test('a key is returned once: rck_ and 32 random bytes', async () => {
  await using test = await openTestManagement()
  const { key, prefix, ...rest } = await test.management.keys.create({ name: 'CI' }, somebody)
  assert.match(key, /^rck_[\w-]{43}$/)
  assert.equal(prefix, key.slice(0, 12))
  const { rows } = await test.management.keys.list({})
  assert.deepEqual(rows, [{ ...rest, prefix }])
  assert(!JSON.stringify(await test.store.listApiKeys({ limit: 10 })).includes(key))
})

test('the creation and deletion of a key are audited, without the key', async () => {
  await using test = await openTestManagement()
  const { id, key } = await test.management.keys.create({ name: 'CI', scope: { tenant: 'acme' } }, somebody)
  await test.management.keys.delete(id, somebody)
  const entries = await test.audited()
  assert.deepEqual(
    entries.map(({ action, targetId, tenant }) => [action, targetId, tenant]),
    [
      ['api_key.created', id, 'acme'],
      ['api_key.deleted', id, 'acme'],
    ],
  )
  assert(!JSON.stringify(entries).includes(key.slice(12)))
})

for (const { scope, seen } of [
  { scope: undefined, seen: { tenant: undefined, product: undefined, readOnly: false } },
  { scope: {}, seen: { tenant: undefined, product: undefined, readOnly: false } },
  { scope: { tenant: 'acme' }, seen: { tenant: 'acme', product: undefined, readOnly: false } },
  {
    scope: { tenant: 'acme', product: 'crm', readOnly: true },
    seen: { tenant: 'acme', product: 'crm', readOnly: true },
  },
  { scope: { product: 'crm', read_only: true }, seen: { tenant: undefined, product: 'crm', readOnly: true } },
]) {
  test(`a key has the scope ${JSON.stringify(scope)}`, async () => {
    await using test = await openTestManagement()
    const { key } = await test.management.keys.create({ name: 'CI', scope }, somebody)
    assert.deepEqual((await test.management.findKey(key))?.scope, seen)
  })
}

for (const [what, input] of [
  ['nothing', undefined],
  ['no name', {}],
  ['an empty name', { name: '' }],
  ['a name with a line break', { name: 'a\nb' }],
  ['a scope that is null', { name: 'CI', scope: null }],
  ['a scope with a field that is not known', { name: 'CI', scope: { tennant: 'acme' } }],
  ['an empty tenant', { name: 'CI', scope: { tenant: '' } }],
  ['a tenant with a colon', { name: 'CI', scope: { tenant: 'a:b' } }],
  ['a product that is no text', { name: 'CI', scope: { product: 1 } }],
  ['a readOnly that is no flag', { name: 'CI', scope: { readOnly: 'yes' } }],
  ['an end that is past', { name: 'CI', expires_at: '2020-01-01T00:00:00Z' }],
  ['an end that is now', { name: 'CI', expires_at: startAt }],
  ['an end that is no time', { name: 'CI', expires_at: 'tomorrow' }],
  ['an end after the year 9999', { name: 'CI', expires_at: 1e15 }],
] as const) {
  test(`a key with ${what} is rejected`, async () => {
    await using test = await openTestManagement()
    await assert.rejects(test.management.keys.create(input, somebody), { code: 'invalid-input' })
    assert.deepEqual(await test.audited(), [])
  })
}

test('a configured key has no scope, and is named by its position', async () => {
  await using test = await openTestManagement()
  const origin = { address: '192.0.2.1', requestId: 'request-1' }
  const { caller, scope } = (await test.management.findKey('a-configured-key', origin)) ?? {}
  assert.match(caller?.id ?? '', /^configured-[0-9a-f]{12}$/)
  assert.deepEqual(
    { caller: { ...caller, id: '' }, scope },
    {
      caller: { kind: 'api-key', id: '', name: 'API_KEYS 1', ...origin },
      scope: { tenant: undefined, product: undefined, readOnly: false },
    },
  )
})

test('the caller of a managed key has its id and name', async () => {
  await using test = await openTestManagement()
  const { key, id } = await test.management.keys.create({ name: 'CI' }, somebody)
  const origin = { address: '192.0.2.1', requestId: 'request-1' }
  const { caller } = (await test.management.findKey(key, origin)) ?? {}
  assert.deepEqual(caller, { kind: 'api-key', id, name: 'CI', ...origin })
})

for (const text of ['', 'rck_', `rck_${'a'.repeat(43)}`, 'a-configured-kez', `rck_${"' or 1=1 --".padEnd(43, '-')}`]) {
  test(`the key ${JSON.stringify(text)} is rejected`, async () => {
    await using test = await openTestManagement()
    assert.equal(await test.management.findKey(text), undefined)
  })
}

for (const expires_at of [new Date(startAt + hour).toISOString(), startAt + hour]) {
  test(`a key that expires at ${expires_at} is rejected from then on`, async () => {
    await using test = await openTestManagement()
    const { key } = await test.management.keys.create({ name: 'CI', expires_at }, somebody)
    test.time.advance(hour - 1)
    assert((await test.management.findKey(key)) !== undefined)
    test.time.advance(1)
    assert.equal(await test.management.findKey(key), undefined)
  })
}

test('a deleted key is rejected immediately', async () => {
  await using test = await openTestManagement()
  const { key, id } = await test.management.keys.create({ name: 'CI' }, somebody)
  assert((await test.management.findKey(key)) !== undefined)
  await test.management.keys.delete(id, somebody)
  assert.equal(await test.management.findKey(key), undefined)
})

test('a key deleted by another process is rejected five seconds later', async () => {
  await using test = await openTestManagement()
  const { key, id } = await test.management.keys.create({ name: 'CI' }, somebody)
  const other = await test.another()
  await other.findKey(key)
  await test.management.keys.delete(id, somebody)
  test.time.advance(5 * second)
  assert.equal(await other.findKey(key), undefined)
})

test('deleting an unknown key fails', async () => {
  await using test = await openTestManagement()
  await assert.rejects(test.management.keys.delete('nothing', somebody), { code: 'resource-not-found' })
})

test('a key is read from the database once in five seconds', async () => {
  await using test = await openTestManagement()
  const { key } = await test.management.keys.create({ name: 'CI' }, somebody)
  const find = mock.method(test.store, 'findApiKey')
  for (let i = 0; i < 10; i += 1) {
    await test.management.findKey(key)
    test.time.advance(second)
  }
  assert.equal(find.mock.callCount(), 2)
})

test('the last use of a key is stored once a minute', async () => {
  await using test = await openTestManagement()
  const { key } = await test.management.keys.create({ name: 'CI' }, somebody)
  const touch = mock.method(test.store, 'touchApiKey')
  for (let i = 0; i < 12; i += 1) {
    await test.management.findKey(key)
    test.time.advance(10 * second)
  }
  await test.management.close()
  assert.equal(touch.mock.callCount(), 2)
  const [{ last_used_at } = {}] = (await test.management.keys.list({})).rows
  assert.equal(last_used_at, new Date(startAt + minute).toISOString())
})
