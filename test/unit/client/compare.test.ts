import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ComparedUser, CompareOptions, UserDifference } from '../../../src/client/compare.ts'
import { compareUsers } from '../../../src/client/compare.ts'
import { createClient } from '../../../src/client/index.ts'
import type { ComparedText } from '../../../src/client/user-digest.ts'
import { bucketOf, createBucketDigests } from '../../../src/client/user-digest.ts'

const fields = ['active', 'email'] as const

/** A user of the service as its API returns it. */
const userOf = (n: number, changes: object = {}) => {
  return { id: `user-${n}`, active: true, email: `user-${n}@acme.example`, account_id: null, raw: {}, ...changes }
}

type ApiUser = ReturnType<typeof userOf>

const manyUsers = (count: number) => Array.from({ length: count }, (_, n) => userOf(n))

/** A service with users that a test changes, and the paths that were requested. */
function serviceWith(
  users: readonly ApiUser[],
  textsOf = (user: ApiUser): ComparedText[] => [String(user.active), user.email],
) {
  const paths: string[] = []
  const client = createClient({
    baseUrl: 'http://rollcall.example',
    apiKey: 'key',
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request instanceof Request ? request.url : String(request))
      paths.push(`${pathname.replace(/.*directory-sync/, '')} ${searchParams.get('bucket') ?? ''}`.trim())
      const buckets = Number(searchParams.get('buckets'))
      if (pathname.endsWith('/users')) {
        const bucket = searchParams.get('bucket')
        return Response.json({
          data: users.filter(({ id }) => bucket === null || bucketOf(id, buckets) === Number(bucket)),
        })
      }
      const digests = createBucketDigests(buckets)
      for (const user of users) digests.add(user.id, textsOf(user))
      return Response.json({ data: { sequence: 1, users: users.length, buckets: digests.list() } })
    },
  })
  return { client, paths }
}

type Given = Pick<CompareOptions, 'client' | 'rows'> & Partial<CompareOptions>

const compare = (given: Given): Promise<UserDifference[]> =>
  Array.fromAsync(compareUsers({ directoryId: 'd', fields, recheckAfterMs: 1, ...given }))

const rowOf = ({ id, active, email }: ApiUser): ComparedUser => ({ id, active, email })

test('users who are missing, extra and different are found, and only their buckets are read', async () => {
  const users = manyUsers(500)
  const { client, paths } = serviceWith(users)
  const rows = users.slice(1).map(rowOf)
  rows[0] = { ...rowOf(userOf(1)), active: false }
  rows.push({ id: 'stranger', active: true, email: null })
  const found = await compare({ client, rows: rows.toReversed() })
  assert.deepEqual(
    found.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    [
      { id: 'stranger', kind: 'extra', theirs: { id: 'stranger', active: true, email: null } },
      { id: 'user-0', kind: 'missing', ours: rowOf(userOf(0)) },
      { id: 'user-1', kind: 'different', ours: rowOf(userOf(1)), theirs: rows[0] },
    ],
  )
  assert.deepEqual(
    paths.toSorted(),
    ['/d/digest', ...['stranger', 'user-0', 'user-1'].map((id) => `/users ${bucketOf(id, 32)}`)].toSorted(),
  )
})

test('if users are the same, one request is sent', async () => {
  const users = manyUsers(20)
  const { client, paths } = serviceWith(users)
  assert.deepEqual(await compare({ client, rows: () => users.map(rowOf) }), [])
  assert.deepEqual(paths, ['/d/digest'])
})

test('if many buckets differ, the list is read instead', async () => {
  const { client, paths } = serviceWith(manyUsers(200))
  const found = await compare({ client, rows: [rowOf(userOf(7))] })
  assert.equal(found.length, 199)
  assert.deepEqual(paths, ['/d/digest', '/users'])
})

test('a user who is the same when it is read again is not reported', async () => {
  const users = manyUsers(100)
  const { client } = serviceWith(users)
  let reads = 0
  const rows = () => {
    reads += 1
    const isLate = reads < 3
    const own = users.map(rowOf).filter(({ id }) => !(id === 'user-3' && isLate))
    return own.map((row) => (row.id === 'user-8' || (row.id === 'user-5' && isLate) ? { ...row, active: false } : row))
  }
  const found = await compare({ client, rows })
  assert.deepEqual(
    found.map(({ id }) => id),
    ['user-8'],
  )
  reads = 0
  assert.equal((await compare({ client, rows, recheckAfterMs: 0 })).length, 3)
})

test('values of databases are compared as what they mean', async () => {
  const names = ['active', 'first_name', 'account_id', 'roles'] as const
  const users = [
    userOf(1, { first_name: '', account_id: '8231', roles: ['admin', 'member'] }),
    userOf(2, { first_name: 'Ann', account_id: null, roles: [] }),
    userOf(3, { first_name: 'Bob', account_id: null, active: false }),
  ]
  const ofMapping = (user: ApiUser & { readonly roles?: readonly string[] }) => user.roles?.join() ?? null
  const textsOf = (user: ApiUser & { readonly first_name?: string }) => [
    ...[String(user.active), user.first_name ?? ''],
    ...[user.account_id, ofMapping(user)],
  ]
  const rows: ComparedUser[] = [
    { id: 'user-1', active: 1, first_name: null, account_id: 8231, roles: ['member', 'admin'] },
    { id: 'user-2', active: true, first_name: 'Ann', roles: '' },
    { id: 'user-3', active: 0, first_name: 'Bob', account_id: undefined, roles: null },
  ]
  const { client, paths } = serviceWith(users, textsOf)
  assert.deepEqual(await compare({ client, fields: names, rows }), [])
  assert.equal(paths.length, 1)
})

for (const { what, given, message } of [
  { what: 'two rows with an id', given: { rows: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] }, message: /the id a/ },
  { what: 'a row without an id', given: { rows: [{ id: '' }] }, message: /each row needs id/ },
  { what: 'a value of another type', given: { rows: [{ id: 'a', active: 2 }] }, message: /active of the row a .* 2\./ },
  { what: 'no field', given: { rows: [], fields: [] }, message: /needs fields/ },
  { what: 'a field twice', given: { rows: [], fields: ['email', 'email'] as const }, message: /needs fields/ },
]) {
  test(`${what} is refused`, async () => {
    const { client } = serviceWith(manyUsers(3))
    await assert.rejects(compare({ client, ...given }), { name: 'TypeError', message })
  })
}

test('a comparison ends with its signal', async () => {
  const { client, paths } = serviceWith(manyUsers(3))
  const signal = AbortSignal.abort(new Error('enough'))
  await assert.rejects(compare({ client, rows: manyUsers(3).map(rowOf), signal }), /enough/)
  assert.deepEqual(paths, [])
})
