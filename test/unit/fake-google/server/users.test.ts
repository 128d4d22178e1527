import assert from 'node:assert/strict'
import { test } from 'node:test'
import { googleScopes } from '../../../../src/google/client/oauth.ts'
import { startFakeGoogle } from '../../../../tools/fake-google/server.ts'
import { ask, each, errorOf, read } from './support/calls.ts'

const all = 'users?customer=my_customer'

test('a user has the form of the Directory API', async () => {
  await using fake = await startFakeGoogle({ clock: () => Date.UTC(2026, 0, 1) })
  const organizations = [{ title: 'Editor', department: 'Press', primary: true }]
  const nora = { primaryEmail: 'nora@example.com', aliases: ['n@example.com'], givenName: 'Nora', familyName: 'Blake' }
  const { id } = fake.addUser({ ...nora, organizations, otherEmails: [{ address: 'nora@home.example', type: 'home' }] })
  const { etag, lastLoginTime, thumbnailPhotoEtag, thumbnailPhotoUrl, ...user } = await read(fake, `users/${id}`)
  assert.match(id, /^\d{21}$/)
  assert.deepEqual(user, {
    kind: 'admin#directory#user',
    id,
    primaryEmail: 'nora@example.com',
    name: { givenName: 'Nora', familyName: 'Blake', fullName: 'Nora Blake' },
    isAdmin: false,
    isDelegatedAdmin: false,
    creationTime: '2026-01-01T00:00:00.000Z',
    agreedToTerms: true,
    suspended: false,
    archived: false,
    changePasswordAtNextLogin: false,
    ipWhitelisted: false,
    emails: [
      { address: 'nora@example.com', primary: true },
      { address: 'n@example.com' },
      { address: 'nora@home.example', type: 'home' },
    ],
    aliases: ['n@example.com'],
    organizations,
    customerId: fake.customerId,
    orgUnitPath: '/',
    isMailboxSetup: true,
    isEnrolledIn2Sv: false,
    isEnforcedIn2Sv: false,
    includeInGlobalAddressList: true,
  })
})

test('etags, the last login and the photo differ in every response', async () => {
  await using fake = await startFakeGoogle()
  const { id } = fake.addUser({ primaryEmail: 'nora@example.com' })
  const [first, second] = [await read(fake, `users/${id}`), await read(fake, `users/${id}`)]
  const changed = Object.keys(first).filter((name) => JSON.stringify(first[name]) !== JSON.stringify(second[name]))
  assert.deepEqual(changed.sort(), ['etag', 'lastLoginTime', 'thumbnailPhotoEtag', 'thumbnailPhotoUrl'])
})

test('a user who never logged in has 1970 as the last login', async () => {
  await using fake = await startFakeGoogle()
  const { id } = fake.addUser({ primaryEmail: 'nora@example.com', hasLoggedIn: false })
  assert.equal((await read(fake, `users/${id}`))['lastLoginTime'], '1970-01-01T00:00:00.000Z')
})

test('suspended and archived are separate fields', async () => {
  await using fake = await startFakeGoogle()
  const { id } = fake.addUser({ primaryEmail: 'nora@example.com' })
  const shown = async () => {
    const { suspended, archived, suspensionReason } = await read(fake, `users/${id}`)
    return { suspended, archived, suspensionReason }
  }
  fake.archiveUser(id)
  assert.deepEqual(await shown(), { suspended: false, archived: true, suspensionReason: undefined })
  fake.suspendUser(id)
  assert.deepEqual(await shown(), { suspended: true, archived: true, suspensionReason: 'ADMIN' })
})

test('an empty list has no users property', async () => {
  await using fake = await startFakeGoogle()
  const { etag: _, ...page } = await read(fake, all)
  assert.deepEqual(page, { kind: 'admin#directory#users' })
})

test('a user is found by id, address and alias', async () => {
  await using fake = await startFakeGoogle()
  const { id } = fake.addUser({ primaryEmail: 'nora@example.com' })
  fake.renameUser(id, 'nora.blake@example.com')
  for (const key of [id, 'nora.blake@example.com', encodeURIComponent('NORA@example.com')]) {
    assert.equal((await read(fake, `users/${key}`))['id'], id)
  }
})

test('a deleted user is only in the list of deleted users', async () => {
  await using fake = await startFakeGoogle()
  const { id } = fake.addUser({ primaryEmail: 'nora@example.com' })
  fake.deleteUser(id)
  assert.deepEqual(each(await read(fake, all), 'users', 'id'), [])
  assert.deepEqual(each(await read(fake, `${all}&showDeleted=true`), 'users', 'id'), [id])
  const { status, reason, message } = errorOf(await ask(fake, `users/${id}`))
  assert.deepEqual([status, reason, message], [404, 'notFound', 'Resource Not Found: userKey'])
})

test('users can be listed by domain, by a query and in another order', async () => {
  await using fake = await startFakeGoogle({ domains: ['example.com', 'sub.example.com'] })
  fake.addUser({ primaryEmail: 'ann@sub.example.com', familyName: 'Zola' })
  fake.addUser({ primaryEmail: 'bob@example.com', familyName: 'Young', suspended: true })
  fake.addUser({ primaryEmail: 'cleo@example.com', familyName: 'Xu' })
  const listed = async (query: string) => {
    const emails = each(await read(fake, `users?${query}`), 'users', 'primaryEmail')
    return emails.map((email) => String(email).split('@')[0])
  }
  assert.deepEqual(await listed('domain=example.com'), ['bob', 'cleo'])
  assert.deepEqual(await listed(`customer=${fake.customerId}&query=isSuspended%3Dfalse`), ['ann', 'cleo'])
  assert.deepEqual(await listed('customer=my_customer&orderBy=familyName'), ['cleo', 'bob', 'ann'])
  assert.deepEqual(await listed('domain=example.com&orderBy=email&sortOrder=DESCENDING'), ['cleo', 'bob'])
})

for (const { path, status, reason } of [
  { path: 'users', status: 400, reason: 'badRequest' },
  { path: `${all}&nonsense=1`, status: 400, reason: 'badRequest' },
  { path: `${all}&maxResults=0`, status: 400, reason: 'invalid' },
  { path: `${all}&maxResults=501`, status: 400, reason: 'invalid' },
  { path: `${all}&maxResults=many`, status: 400, reason: 'invalid' },
  { path: `${all}&orderBy=age`, status: 400, reason: 'invalid' },
  { path: `${all}&projection=custom`, status: 400, reason: 'invalid' },
  { path: 'users?customer=C0other', status: 403, reason: 'forbidden' },
  { path: 'users?domain=elsewhere.example', status: 404, reason: 'notFound' },
]) {
  test(`${path} is rejected with ${reason}`, async () => {
    await using fake = await startFakeGoogle()
    const refusal = errorOf(await ask(fake, path))
    assert.deepEqual([refusal.status, refusal.reason], [status, reason])
  })
}

test('common parameters are accepted', async () => {
  await using fake = await startFakeGoogle()
  await read(fake, `${all}&alt=json&prettyPrint=false&quotaUser=me&fields=users(id),nextPageToken`)
})

test('a request without a token, or with an unknown or expired one, gets 401', async () => {
  let now = Date.now()
  await using fake = await startFakeGoogle({ clock: () => now })
  fake.knobs.accessTokenSeconds = 10
  const { accessToken } = fake.issueTokens()
  now += 10_000
  for (const token of ['', 'other', accessToken]) {
    const { status, reason } = errorOf(await ask(fake, all, token))
    assert.deepEqual([status, reason], [401, 'authError'])
  }
})

test('access tokens can be expired immediately', async () => {
  await using fake = await startFakeGoogle()
  const { accessToken } = fake.issueTokens()
  fake.expireAccessTokens()
  assert.equal((await ask(fake, all, accessToken)).status, 401)
})

test('a request without the required scope is rejected with a challenge header', async () => {
  await using fake = await startFakeGoogle()
  const { accessToken } = fake.issueTokens({ scopes: [googleScopes[1]] })
  const refused = await ask(fake, all, accessToken)
  assert.deepEqual(errorOf(refused).reason, 'insufficientPermissions')
  assert.match(refused.headers.get('www-authenticate') ?? '', /insufficient_scope/)
  assert.equal((await ask(fake, 'groups?customer=my_customer', accessToken)).status, 200)
})

test('a former administrator is rejected', async () => {
  await using fake = await startFakeGoogle()
  const { id } = fake.addUser({ primaryEmail: fake.adminEmail, isAdmin: true })
  const { accessToken } = fake.issueTokens()
  fake.changeUser(id, { isAdmin: false })
  assert.equal(errorOf(await ask(fake, all, accessToken)).reason, 'forbidden')
})
