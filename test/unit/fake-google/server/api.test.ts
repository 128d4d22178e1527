import assert from 'node:assert/strict'
import { test } from 'node:test'
import { googleScopes } from '../../../../src/google/client/oauth.ts'
import type { FakeGoogle } from '../../../../tools/fake-google/server.ts'
import { startFakeGoogle } from '../../../../tools/fake-google/server.ts'
import { ask, each, errorOf, read, walk } from './support/calls.ts'

const all = 'users?customer=my_customer'

test("the requests of Google's own client read users, groups and members", async () => {
  await using fake = await startFakeGoogle()
  const nora = fake.addUser({ primaryEmail: 'nora@example.com' })
  const press = fake.addGroup({ email: 'press@example.com' })
  fake.addUserToGroup(press.id, nora.id)
  // As @googleapis/admin 37.0.0 sends users.list, groups.list, members.list and members.hasMember.
  const users = await read(fake, 'users?customer=my_customer&maxResults=500')
  const groups = await read(fake, 'groups?customer=my_customer&maxResults=200')
  const members = await read(fake, 'groups/press%40example.com/members?maxResults=200')
  const found = await read(fake, `groups/${press.id}/hasMember/${nora.id}`)
  assert.deepEqual(each(users, 'users', 'id'), [nora.id])
  assert.deepEqual(each(groups, 'groups', 'id'), [press.id])
  assert.deepEqual(each(members, 'members', 'id'), [nora.id])
  assert.equal(found['isMember'], true)
})

test('a user has the form of the Directory API; etags, the last login and the photo differ in every response', async () => {
  await using fake = await startFakeGoogle({ clock: () => Date.UTC(2026, 0, 1) })
  const organizations = [{ title: 'Editor', department: 'Press', primary: true }]
  const nora = { primaryEmail: 'nora@example.com', aliases: ['n@example.com'], givenName: 'Nora', familyName: 'Blake' }
  const { id } = fake.addUser({ ...nora, organizations, otherEmails: [{ address: 'nora@home.example', type: 'home' }] })
  fake.suspendUser(id)
  const [first, second] = [await read(fake, `users/${id}`), await read(fake, `users/${id}`)]
  const { etag, lastLoginTime, thumbnailPhotoEtag, thumbnailPhotoUrl, ...user } = first
  for (const [name, value] of Object.entries({ etag, lastLoginTime, thumbnailPhotoEtag, thumbnailPhotoUrl }))
    assert.notEqual(second[name], value, name)
  assert.match(id, /^\d{21}$/)
  assert.deepEqual(user, {
    ...{ kind: 'admin#directory#user', id, primaryEmail: 'nora@example.com', aliases: ['n@example.com'] },
    name: { givenName: 'Nora', familyName: 'Blake', fullName: 'Nora Blake' },
    ...{ isAdmin: false, isDelegatedAdmin: false, agreedToTerms: true, creationTime: '2026-01-01T00:00:00.000Z' },
    ...{ suspended: true, suspensionReason: 'ADMIN', archived: false, changePasswordAtNextLogin: false },
    emails: [
      { address: 'nora@example.com', primary: true },
      { address: 'n@example.com' },
      { address: 'nora@home.example', type: 'home' },
    ],
    ...{ organizations, customerId: fake.customerId, orgUnitPath: '/', isMailboxSetup: true, ipWhitelisted: false },
    ...{ isEnrolledIn2Sv: false, isEnforcedIn2Sv: false, includeInGlobalAddressList: true },
  })
})

test('a group has the form of the Directory API, with the count as a string', async () => {
  await using fake = await startFakeGoogle()
  const { id } = fake.addGroup({ email: 'press@example.com', name: 'Press', aliases: ['media@example.com'] })
  fake.addCustomer(id)
  const { etag: _, ...group } = await read(fake, `groups/${id}`)
  assert.deepEqual(group, {
    ...{ kind: 'admin#directory#group', id, email: 'press@example.com', name: 'Press', description: '' },
    ...{ directMembersCount: '1', adminCreated: true, aliases: ['media@example.com'] },
    nonEditableAliases: ['press@example.com.test-google-a.com'],
  })
})

/** A group with a member of each kind, and its nested group. */
function addPress(fake: FakeGoogle) {
  const [nora, old] = [
    fake.addUser({ primaryEmail: 'nora@example.com' }),
    fake.addUser({ primaryEmail: 'old@example.com', suspended: true }),
  ]
  const [press, interns] = [fake.addGroup({ email: 'press@example.com' }), fake.addGroup({ email: 'zzz@example.com' })]
  fake.addMember(press.id, { id: nora.id, type: 'USER', role: 'OWNER' })
  fake.addUserToGroup(interns.id, old.id)
  fake.nestGroup(press.id, interns.id)
  fake.addMember(press.id, { id: '117000000000000000009', type: 'USER', externalEmail: 'partner@other.example' })
  return { press, interns, nora, old }
}

test('members have a type for users, groups and the customer', async () => {
  await using fake = await startFakeGoogle()
  const { press, interns, nora } = addPress(fake)
  fake.addCustomer(press.id)
  const { members } = await read(fake, `groups/${press.id}/members`)
  const shown = (members as { etag?: string }[]).map(({ etag: _, ...member }) => member)
  const kind = 'admin#directory#member'
  assert.deepEqual(shown, [
    { kind, id: fake.customerId, role: 'MEMBER', type: 'CUSTOMER' },
    { kind, id: nora.id, email: 'nora@example.com', role: 'OWNER', type: 'USER', status: 'ACTIVE' },
    { kind, id: '117000000000000000009', email: 'partner@other.example', role: 'MEMBER', type: 'USER' },
    { kind, id: interns.id, email: 'zzz@example.com', role: 'MEMBER', type: 'GROUP', status: 'ACTIVE' },
  ])
})

test('hasMember counts nested membership, and rejects members of another domain', async () => {
  await using fake = await startFakeGoogle({ domains: ['example.com', 'sub.example.com'] })
  const { press, interns, old, nora } = addPress(fake)
  const isMember = async (group: string, member: string) =>
    (await read(fake, `groups/${group}/hasMember/${member}`))['isMember']
  assert.equal(await isMember(press.id, old.id), true)
  assert.equal(await isMember(interns.id, nora.id), false)
  const { id } = fake.addUser({ primaryEmail: 'ann@sub.example.com' })
  assert.equal(errorOf(await ask(fake, `groups/${press.id}/hasMember/${id}`)).reason, 'invalid')
})

test('a single group can be refused', async () => {
  await using fake = await startFakeGoogle()
  const { press, interns } = addPress(fake)
  fake.refuseGroup(press.id, 'forbidden')
  assert.equal((await ask(fake, `groups/${press.id}/members`)).status, 403)
  fake.refuseGroup(press.id, 'not-found')
  assert.equal((await ask(fake, `groups/${press.id}/members`)).status, 404)
  assert.equal((await ask(fake, `groups/${interns.id}/members`)).status, 200)
})

test('an empty list has no property for its items', async () => {
  await using fake = await startFakeGoogle()
  assert(!('users' in (await read(fake, all))))
  assert(!('groups' in (await read(fake, 'groups?customer=my_customer'))))
  const { id } = fake.addGroup({ email: 'empty@example.com' })
  assert(!('members' in (await read(fake, `groups/${id}/members`))))
})

test('lists can be limited to a domain', async () => {
  await using fake = await startFakeGoogle({ domains: ['example.com', 'sub.example.com'] })
  const ann = fake.addUser({ primaryEmail: 'ann@sub.example.com' })
  const sales = fake.addGroup({ email: 'sales@sub.example.com' })
  fake.addUser({ primaryEmail: 'bob@example.com' })
  fake.addGroup({ email: 'press@example.com' })
  assert.deepEqual(each(await read(fake, 'users?domain=sub.example.com'), 'users', 'id'), [ann.id])
  assert.deepEqual(each(await read(fake, 'groups?domain=sub.example.com'), 'groups', 'id'), [sales.id])
})

test('renamed users and groups are found by id, address and alias, deleted ones are not', async () => {
  await using fake = await startFakeGoogle()
  const user = fake.addUser({ primaryEmail: 'nora@example.com' })
  const group = fake.addGroup({ email: 'press@example.com' })
  fake.renameUser(user.id, 'nora.blake@example.com')
  fake.renameGroup(group.id, 'media@example.com')
  for (const key of [user.id, 'nora.blake@example.com', encodeURIComponent('NORA@example.com')])
    assert.equal((await read(fake, `users/${key}`))['id'], user.id)
  for (const key of [group.id, 'media@example.com', 'press@example.com'])
    assert.equal((await read(fake, `groups/${key}`))['id'], group.id)
  fake.deleteUser(user.id)
  fake.deleteGroup(group.id)
  assert.equal(errorOf(await ask(fake, `users/${user.id}`)).message, 'Resource Not Found: userKey')
  assert.equal(errorOf(await ask(fake, `groups/${group.id}/members`)).message, 'Resource Not Found: groupKey')
})

for (const { path, status, reason } of [
  { path: 'users', status: 400, reason: 'badRequest' },
  { path: `${all}&nonsense=1`, status: 400, reason: 'badRequest' },
  { path: `${all}&maxResults=501`, status: 400, reason: 'invalid' },
  { path: 'users?customer=C0other', status: 403, reason: 'forbidden' },
  { path: 'groups?domain=elsewhere.example', status: 404, reason: 'notFound' },
  { path: `${all}&pageToken=made-up`, status: 400, reason: 'invalid' },
]) {
  test(`${path} is rejected with ${reason}`, async () => {
    await using fake = await startFakeGoogle()
    const refusal = errorOf(await ask(fake, path))
    assert.deepEqual([refusal.status, refusal.reason], [status, reason])
  })
}

test('an unknown or expired token gets 401, and one without the scope 403 with a challenge', async () => {
  let now = Date.now()
  await using fake = await startFakeGoogle({ clock: () => now })
  const { accessToken } = fake.issueTokens()
  now += 3_599_000
  for (const token of ['', 'other', accessToken]) assert.equal(errorOf(await ask(fake, all, token)).reason, 'authError')
  const groupsOnly = fake.issueTokens([googleScopes[1]]).accessToken
  const refused = await ask(fake, all, groupsOnly)
  assert.equal(errorOf(refused).reason, 'insufficientPermissions')
  assert.match(refused.headers.get('www-authenticate') ?? '', /insufficient_scope/)
  assert.equal((await ask(fake, 'groups?customer=my_customer', groupsOnly)).status, 200)
  fake.expireAccessTokens()
  assert.equal((await ask(fake, 'groups?customer=my_customer', groupsOnly)).status, 401)
})

function addUsers(fake: FakeGoogle, count: number): void {
  for (let number = 100; number < 100 + count; number++) fake.addUser({ primaryEmail: `u${number}@example.com` })
}

async function nextOf(fake: FakeGoogle, path: string): Promise<string> {
  return encodeURIComponent(String((await read(fake, path))['nextPageToken']))
}

test('a list of 501 users has a last page with one user', async () => {
  await using fake = await startFakeGoogle()
  addUsers(fake, 501)
  const pages = await walk(fake, `${all}&maxResults=500`, 'users')
  assert.deepEqual(
    pages.map((page) => page.length),
    [500, 1],
  )
  assert.equal(new Set(pages.flat()).size, 501)
})

test('a change before the current position repeats a user on the next page, or skips one', async () => {
  await using fake = await startFakeGoogle()
  addUsers(fake, 4)
  const first = await read(fake, `${all}&maxResults=2`)
  const next = () => read(fake, `${all}&maxResults=2&pageToken=${encodeURIComponent(String(first['nextPageToken']))}`)
  const added = fake.addUser({ primaryEmail: 'a@example.com' })
  assert.equal(each(await next(), 'users', 'id')[0], each(first, 'users', 'id')[1])
  const third = each(await next(), 'users', 'id')[1]
  fake.deleteUser(added.id)
  fake.deleteUser(String(each(first, 'users', 'id')[0]))
  assert(!each(await next(), 'users', 'id').includes(third))
})

test('a page token is for its list only, and a partial response must ask for it', async () => {
  await using fake = await startFakeGoogle({ domains: ['example.com'] })
  addUsers(fake, 2)
  const token = await nextOf(fake, `${all}&maxResults=1`)
  const { status, message } = errorOf(await ask(fake, `users?domain=example.com&pageToken=${token}`))
  assert.deepEqual([status, message], [400, 'Invalid Input: pageToken'])
  assert(!('nextPageToken' in (await read(fake, `${all}&maxResults=1&fields=users(id)`))))
})
