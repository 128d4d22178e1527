import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPolisSource } from '../../../src/polis/source/open.ts'
import type { PolisDirectory, PolisProblem, PolisSource } from '../../../src/polis/source.ts'
import type { PolisDirectoryView, TestPolis } from '../../support/polis.ts'
import { polisKey, startTestPolis } from '../../support/polis.ts'
import { execute } from '../../support/postgres.ts'

let polis: TestPolis
let source: PolisSource

before(async () => {
  polis = await startTestPolis({ encryptionKey: Buffer.from(polisKey).toString('base64') })
  source = await openPolisSource({ from: polis.databaseUrl, key: polisKey })
})
after(async () => {
  await source?.close()
  await polis?.[Symbol.asyncDispose]()
})

test('a key in base64 opens the same records as its 32 characters', async () => {
  const { id, tenant } = await polis.createDirectory({ tenant: 'keys', product: 'crm' })
  assert.equal((await read(source, tenant)).directory.id, id)
})

test('a user remains in its directory after a PUT, which drops the directory from its record', async () => {
  const directory = await polis.createDirectory({ tenant: 'put', product: 'crm' })
  const { id } = await createUser(directory, { userName: 'maya@example.com' })
  await polis.scim(directory, 'PUT', `/Users/${id}`, { userName: 'maya.l@example.com', active: false })
  const { users } = await read(source, 'put')
  assert.deepEqual(
    users.map(({ id, email, active }) => ({ id, email, active })),
    [{ id, email: 'maya.l@example.com', active: false }],
  )
  assert.deepEqual(kinds(await problemsOf('put')), ['stale-index user'])
})

test('memberships of deleted users are read, as Polis keeps them', async () => {
  const directory = await polis.createDirectory({ tenant: 'left', product: 'crm' })
  const [first, second] = [
    await createUser(directory, { userName: 'a' }),
    await createUser(directory, { userName: 'b' }),
  ]
  const group = (await polis.scim(directory, 'POST', '/Groups', { displayName: 'Everybody' })).body
  const value = [{ value: first.id }, { value: second.id }]
  await polis.scim(directory, 'PATCH', `/Groups/${group.id}`, { Operations: [{ op: 'add', path: 'members', value }] })
  await polis.scim(directory, 'DELETE', `/Users/${first.id}`)
  const { directory: found, users } = await read(source, 'left')
  assert.deepEqual(
    users.map(({ id }) => id),
    [second.id],
  )
  assert.deepEqual(await Array.fromAsync(source.members(found, group.id)), [first.id, second.id])
  assert.deepEqual(await problemsOf('left'), [])
})

test('directories of older versions, without a namespace, are read', async () => {
  const { id } = await polis.createDirectory({ tenant: 'old', product: 'crm' })
  const directory = { id, scim: (await read(source, 'old')).directory.scim }
  const user = await createUser(directory, { userName: 'old@example.com' })
  await sql(`update jackson_store set namespace = null where key like 'dsync:config:%' or key like 'dsync:users:old:%'`)
  const { directory: found, users } = await read(source, 'old')
  assert.deepEqual([found.id, users.map((one) => one.id)], [id, [user.id]])
  assert.deepEqual(await problemsOf('old'), [])
})

test('tenants with the special characters of patterns are told apart', async () => {
  for (const tenant of ['a_b', 'a%b', 'axb', 'a!b', `a'b"c`]) {
    const directory = await polis.createDirectory({ tenant, product: 'crm' })
    await createUser(directory, { userName: `${tenant}@example.com` })
    await sql(`delete from jackson_index where key like 'dsync:users:a%:directoryId:%'`)
  }
  for (const tenant of ['a_b', 'a%b', 'axb', 'a!b', `a'b"c`]) {
    const problems = await problemsOf(tenant)
    assert.deepEqual(kinds(problems), ['without-directory user'], tenant)
    assert.equal(problems[0]?.tenant, tenant)
  }
})

test('more records than a page, and values longer than a page may have, are read in the order of their creation', async () => {
  const { id } = await polis.createDirectory({ tenant: 'large', product: 'crm' })
  const directory = { id, scim: (await read(source, 'large')).directory.scim }
  const { id: longId } = await createUser(directory, { userName: 'long@example.com', note: 'x'.repeat(100_000) })
  const last = await createUser(directory, { userName: 'last@example.com' })
  // Copies of a record stand for others: what is encrypted has no key in it.
  await sql(`
    with one as (
      select s.*, i.key as index_key from jackson_index i join jackson_store s on s.key = i."storeKey"
      where i.key like 'dsync:users:large:crm:directoryId:%' order by i.id desc limit 1
    ), copied as (
      insert into jackson_store (key, value, iv, tag, namespace)
      select namespace || ':copy' || n, value, iv, tag, namespace from one, generate_series(1, 1200) n returning key
    )
    insert into jackson_index (key, "storeKey") select index_key, c.key from one, copied c`)
  const { users } = await read(source, 'large')
  assert.equal(users.length, 1202)
  assert.deepEqual(
    users.slice(0, 3).map((user) => user.id),
    [longId, last.id, last.id],
  )
  assert.equal(String(users[0]?.raw['note']).length, 100_000)
})

test('records that no directory leads to, or that cannot be opened, are named, and left out of the lists', async () => {
  const broken = await polis.createDirectory({ tenant: 'broken', product: 'crm' })
  const one = await createUser(broken, { userName: 'one' })
  for (const userName of ['two', 'three']) await createUser(broken, { userName })
  const group = (await polis.scim(broken, 'POST', '/Groups', { displayName: 'Gone' })).body
  const add = [{ op: 'add', path: 'members', value: [{ value: one.id }] }]
  await polis.scim(broken, 'PATCH', `/Groups/${group.id}`, { Operations: add })
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
    [one.id],
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
  const from = polis.url
  const wrong = await openPolisSource({ from, apiKey: 'wrong' })
  await assert.rejects(Array.fromAsync(wrong.directories({ product: 'crm' })), {
    message: /refuses the API key: .*--api-key/,
  })
  await wrong.close()
  const all = await openPolisSource({ from, apiKey: polis.apiKey })
  await assert.rejects(Array.fromAsync(all.directories({})), { message: /name it with --product/ })
  await all.close()
})

async function createUser(directory: Pick<PolisDirectoryView, 'scim'>, user: object): Promise<{ readonly id: string }> {
  return (await polis.scim(directory, 'POST', '/Users', user)).body
}

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
