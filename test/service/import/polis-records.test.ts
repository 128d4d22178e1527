import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPolisSource } from '../../../src/polis/import/source/open.ts'
import type { PolisDirectory, PolisProblem, PolisSource } from '../../../src/polis/import/source.ts'
import { execute } from '../../support/postgres.ts'
import { doubleApiKey } from './support/api-polis.ts'
import type { RecordedPolis } from './support/recording.ts'
import { openRecordedPolis } from './support/recording.ts'
import { specialTenants, withEndpoint } from './support/scenario.ts'

let polis: RecordedPolis
let source: PolisSource

before(async () => {
  polis = await openRecordedPolis('encrypted')
  source = await openPolisSource({ from: polis.databaseUrl, key: polis.recording.encryptionKey })
})
after(async () => {
  await source?.close()
  await polis?.[Symbol.asyncDispose]()
})

test('a user remains in its directory after a PUT, which drops the directory from its record', async () => {
  const { replaced } = polis.recording.made
  const { users } = await read(source, 'put')
  assert.deepEqual(
    users.map(({ id, email, active }) => ({ id, email, active })),
    [{ id: replaced, email: 'maya.l@example.com', active: false }],
  )
  assert.deepEqual(kinds(await problemsOf('put')), ['stale-index user'])
})

test('memberships of deleted users are read, as Polis keeps them', async () => {
  const { deleted, remaining, everybody = '' } = polis.recording.made
  const { directory, users } = await read(source, 'left')
  assert.deepEqual(
    users.map(({ id }) => id),
    [remaining],
  )
  assert.deepEqual(await Array.fromAsync(source.members(directory, everybody)), [deleted, remaining])
  assert.deepEqual(await problemsOf('left'), [])
})

test('directories of older versions, without a namespace, are read', async () => {
  const tenant = 'left'
  const before = await read(source, tenant)
  await sql(
    `update jackson_store set namespace = null where key like 'dsync:config:%' or key like 'dsync:users:${tenant}:%'`,
  )
  assert.ok(before.users.length > 0)
  assert.deepEqual(await read(source, tenant), before)
  assert.deepEqual(await problemsOf(tenant), [])
})

test('tenants with the special characters of patterns are told apart', async () => {
  await sql(`delete from jackson_index where key like 'dsync:users:a%:directoryId:%'`)
  for (const tenant of specialTenants) {
    const problems = await problemsOf(tenant)
    assert.deepEqual(kinds(problems), ['without-directory user'], tenant)
    assert.equal(problems[0]?.tenant, tenant)
  }
})

test('more records than a page, and values longer than a page may have, are read in the order of their creation', async () => {
  await using plain = await openRecordedPolis('plain')
  await execute(
    plain.databaseUrl,
    `update jackson_store set value = replace(value, '"raw":{', '"raw":{"note":"' || repeat('x', 100000) || '",')
     where key = (select "storeKey" from jackson_index where key like 'dsync:users:${withEndpoint}:crm:directoryId:%'
       order by id limit 1)`,
  )
  // Copies of a record stand for others.
  await execute(
    plain.databaseUrl,
    `with one as (
      select s.*, i.key as index_key from jackson_index i join jackson_store s on s.key = i."storeKey"
      where i.key like 'dsync:users:${withEndpoint}:crm:directoryId:%' order by i.id desc limit 1
    ), copied as (
      insert into jackson_store (key, value, iv, tag, namespace)
      select namespace || ':copy' || n, value, iv, tag, namespace from one, generate_series(1, 1200) n returning key
    )
    insert into jackson_index (key, "storeKey") select index_key, c.key from one, copied c`,
  )
  const plainSource = await openPolisSource({ from: plain.databaseUrl })
  const { users } = await read(plainSource, withEndpoint)
  await plainSource.close()
  const [{ users: shown } = assert.fail()] = plain.recording.shown.filter(
    ({ directory }) => directory.tenant === withEndpoint,
  )
  const [long, last] = shown.map(({ id }) => id)
  assert.deepEqual(
    users.map(({ id }) => id),
    [long, ...Array(1201).fill(last)],
  )
  assert.equal(String(users[0]?.raw['note']).length, 100_000)
})

test('records that no directory leads to, or that cannot be opened, are named, and left out of the lists', async () => {
  const [, ofTwo = '', ofThree = ''] = (
    await sql(`select "storeKey" from jackson_index where key like 'dsync:users:broken:crm:directoryId:%' order by id`)
  ).map(({ storeKey }) => String(storeKey))
  await sql(`delete from jackson_index where "storeKey" = '${ofTwo}' and key like '%:directoryId:%'`)
  await sql(`update jackson_store set tag = 'AAAAAAAAAAAAAAAAAAAAAA==' where key = '${ofThree}'`)
  await sql(`delete from jackson_store where key like 'dsync:groups:broken:%'`)
  const problems = await problemsOf('broken')
  assert.deepEqual(kinds(problems), ['unreadable user', 'without-directory member', 'without-directory user'])
  assert.deepEqual(
    problems.filter(({ record }) => record === 'user').map(({ key }) => key),
    [ofTwo, ofThree].sort(),
  )
  const { directory, users } = await read(source, 'broken')
  assert.deepEqual(
    users.map(({ id }) => id),
    [polis.recording.made['one']],
  )
  const unreadable: string[] = []
  await Array.fromAsync(source.users(directory, (key) => unreadable.push(key)))
  assert.deepEqual(unreadable, [ofThree])
})

for (const { what, from, message } of [
  {
    what: 'another database',
    from: 'redis://127.0.0.1/0',
    message: /--from must begin with one of postgres:\/\/, .*https:\/\//,
  },
  { what: 'no address', from: 'polis', message: /--from must begin with one of/ },
  {
    what: 'a Polis without an API key',
    from: 'https://polis.example.com',
    message: /needs one of its API_KEYS: .*--api-key/,
  },
  {
    what: 'a server that is not there',
    from: 'postgres://127.0.0.1:1/polis',
    message: /cannot be reached: .*ECONNREFUSED/,
  },
]) {
  test(`${what} is refused with what to do`, async () => {
    await assert.rejects(openPolisSource({ from }), { name: 'PolisSourceError', message })
  })
}

test('a database without the tables of Polis is refused', async () => {
  const from = polis.databaseUrl.replace(/\/\w+$/, '/postgres')
  await assert.rejects(openPolisSource({ from }), {
    message: /has no table jackson_store or jackson_index: name the database that Polis uses/,
  })
})

test('a wrong API key is refused with what to do, and all products at once cannot be read', async () => {
  const from = polis.api.url
  const wrong = await openPolisSource({ from, apiKey: 'wrong' })
  await assert.rejects(Array.fromAsync(wrong.directories({ product: 'crm' })), {
    message: /refuses the API key: .*--api-key/,
  })
  await wrong.close()
  const all = await openPolisSource({ from, apiKey: doubleApiKey })
  await assert.rejects(Array.fromAsync(all.directories({})), { message: /name it with --product/ })
  await all.close()
})

async function read(from: PolisSource, tenant: string) {
  const [directory] = await Array.fromAsync(from.directories({ tenant }))
  assert(directory !== undefined, `${tenant} has a directory`)
  const found: PolisDirectory = directory
  return { directory: found, users: await Array.fromAsync(from.users(found)) }
}

function problemsOf(tenant: string): Promise<PolisProblem[]> {
  return Array.fromAsync(source.problems({ tenant, product: 'crm' }))
}

function kinds(problems: readonly PolisProblem[]): string[] {
  return problems.map(({ kind, record }) => `${kind} ${record}`).sort()
}

function sql(text: string): Promise<Record<string, unknown>[]> {
  return execute(polis.databaseUrl, text)
}
