import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FakeGoogle } from '../../../../tools/fake-google/server.ts'
import { startFakeGoogle } from '../../../../tools/fake-google/server.ts'
import { ask, each, errorOf, read } from './support/calls.ts'

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
  fake.addCustomer(press.id)
  return { press, interns, nora, old }
}

test('members have a type for users, groups and the customer', async () => {
  await using fake = await startFakeGoogle()
  const { press, interns, nora } = addPress(fake)
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

test('derived membership replaces nested groups by their members', async () => {
  await using fake = await startFakeGoogle()
  const { press, interns, old } = addPress(fake)
  fake.nestGroup(interns.id, press.id)
  const body = await read(fake, 'groups/press@example.com/members?includeDerivedMembership=true')
  const ids = each(body, 'members', 'id')
  assert(ids.includes(old.id) && !ids.includes(interns.id) && !ids.includes(press.id))
})

test('a suspended member has the status SUSPENDED', async () => {
  await using fake = await startFakeGoogle()
  const { interns } = addPress(fake)
  assert.deepEqual(each(await read(fake, `groups/${interns.id}/members`), 'members', 'status'), ['SUSPENDED'])
})

test('members can be listed by role', async () => {
  await using fake = await startFakeGoogle()
  const { press, nora } = addPress(fake)
  assert.deepEqual(each(await read(fake, `groups/${press.id}/members?roles=OWNER,MANAGER`), 'members', 'id'), [nora.id])
})

test('an empty group has no members property', async () => {
  await using fake = await startFakeGoogle()
  const { id } = fake.addGroup({ email: 'empty@example.com' })
  assert(!('members' in (await read(fake, `groups/${id}/members`))))
})

test('the members of a deleted group are not found', async () => {
  await using fake = await startFakeGoogle()
  const { press } = addPress(fake)
  fake.deleteGroup(press.id)
  const { status, message } = errorOf(await ask(fake, `groups/${press.id}/members`))
  assert.deepEqual([status, message], [404, 'Resource Not Found: groupKey'])
})

for (const { refusal, status } of [
  { refusal: 'forbidden', status: 403 },
  { refusal: 'not-found', status: 404 },
] as const) {
  test(`the members of a single group can be ${refusal}`, async () => {
    await using fake = await startFakeGoogle()
    const { press, interns } = addPress(fake)
    fake.refuseGroup(press.id, refusal)
    assert.equal((await ask(fake, `groups/${press.id}/members`)).status, status)
    assert.equal((await ask(fake, `groups/${interns.id}/members`)).status, 200)
  })
}

test('hasMember counts nested membership', async () => {
  await using fake = await startFakeGoogle()
  const { press, interns, old, nora } = addPress(fake)
  fake.removeMember(press.id, fake.customerId)
  const isMember = async (group: string, member: string) =>
    (await read(fake, `groups/${group}/hasMember/${member}`))['isMember']
  assert.equal(await isMember(press.id, nora.id), true)
  assert.equal(await isMember(press.id, old.id), true)
  assert.equal(await isMember(interns.id, 'nora@example.com'), false)
})

test('hasMember rejects members of another domain', async () => {
  await using fake = await startFakeGoogle({ domains: ['example.com', 'sub.example.com'] })
  const { press } = addPress(fake)
  const { id } = fake.addUser({ primaryEmail: 'ann@sub.example.com' })
  const { status, reason } = errorOf(await ask(fake, `groups/${press.id}/hasMember/${id}`))
  assert.deepEqual([status, reason], [400, 'invalid'])
})

test('the expected members are direct users, active or not, and all active users through everyone', async () => {
  await using fake = await startFakeGoogle()
  const { press, interns, nora, old } = addPress(fake)
  const idle = fake.addUser({ primaryEmail: 'idle@example.com', archived: true })
  assert.deepEqual(fake.expectedMembers(press.id), [nora.id, old.id].sort())
  assert(!fake.expectedMembers(press.id).includes(idle.id))
  assert.deepEqual(fake.expectedMembers(interns.id), [old.id])
})
