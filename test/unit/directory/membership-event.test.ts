import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventPayload } from '../../../src/delivery/payload.ts'
import type { GroupView } from '../../../src/directory/group.ts'
import { groupViewText } from '../../../src/directory/group.ts'
import { maxMembershipBytes, membershipDataOf } from '../../../src/directory/membership-event.ts'
import type { UserView } from '../../../src/directory/user.ts'
import { userViewText } from '../../../src/directory/user.ts'
import { fromJsonText, toJsonText } from '../../../src/scim/json-text.ts'

function userOf(rawLength: number, names: Partial<UserView> = {}): UserView {
  const view = { id: 'u1', firstName: 'Barbara', lastName: 'Jensen', email: 'b@acme.example', active: true, ...names }
  return { ...view, raw: toJsonText({ id: 'u1', nickName: 'x'.repeat(rawLength) }) }
}

function groupOf(rawLength: number, name = 'Guides'): GroupView {
  return { id: 'g1', name, raw: toJsonText({ id: 'g1', purpose: 'x'.repeat(rawLength) }) }
}

const rule = 'the data of a membership has'

test(`${rule} both resources as a whole while these are small`, () => {
  const [user, group] = [userOf(10), groupOf(10)]
  assert.deepEqual(fromJsonText(membershipDataOf(group)(user)), {
    ...fromJsonText(userViewText(user)),
    group: fromJsonText(groupViewText(group)),
  })
})

for (const { what, user, group, omitted } of [
  { what: 'no raw of a large group', user: 10, group: 20_000, omitted: { user: false, group: true } },
  { what: 'no raw of a large user', user: 20_000, group: 10, omitted: { user: true, group: false } },
  {
    what: 'no raw of the group when only one has room',
    user: 9_000,
    group: 9_000,
    omitted: { user: false, group: true },
  },
  { what: 'no raw of either when none has room', user: 20_000, group: 20_000, omitted: { user: true, group: true } },
]) {
  test(`${rule} ${what}`, () => {
    const data = fromJsonText(membershipDataOf(groupOf(group))(userOf(user)))
    const { raw: userRaw, raw_omitted: userOmitted, group: named, ...fields } = data
    const { raw: groupRaw, raw_omitted: groupOmitted, ...groupFields } = named as Record<string, unknown>
    assert.deepEqual({ user: userOmitted ?? false, group: groupOmitted ?? false }, omitted)
    assert.deepEqual({ user: userRaw === undefined, group: groupRaw === undefined }, omitted)
    assert.deepEqual(groupFields, { id: 'g1', name: 'Guides' })
    assert.deepEqual(fields, {
      ...{
        id: 'u1',
        account_id: null,
        first_name: 'Barbara',
        last_name: 'Jensen',
        email: 'b@acme.example',
        active: true,
      },
    })
  })
}

test(`${rule} no raw of a resource that was read without it`, () => {
  const data = membershipDataOf({ ...groupOf(1), raw: undefined })({ ...userOf(1), raw: undefined })
  const { raw_omitted, group } = fromJsonText(data)
  assert.deepEqual([raw_omitted, group], [true, { id: 'g1', name: 'Guides', raw_omitted: true }])
})

test(`${rule} at most ${maxMembershipBytes} bytes, however long and whatever the texts`, () => {
  for (const character of ['x', '語', '\u0001', '"', '😀']) {
    for (const length of [600, 2_000, 250_000]) {
      const indexed = character.repeat(512).slice(0, 512)
      const name = character.repeat(length)
      const user = userOf(length, { firstName: name, lastName: name, email: indexed })
      const data = membershipDataOf(groupOf(length, indexed))(user)
      assert.ok(Buffer.byteLength(data) <= maxMembershipBytes)
      const { id, first_name, email, group } = fromJsonText(data)
      assert.deepEqual([id, email, (group as { name: string }).name], ['u1', indexed, indexed])
      assert.ok(name.startsWith(String(first_name)) && String(first_name).isWellFormed())
    }
  }
})

test('the event of a membership has at most 16 KB, whatever the tenant and product are called', () => {
  const data = membershipDataOf(groupOf(maxMembershipBytes))(userOf(13_068))
  assert.ok(Buffer.byteLength(data) > maxMembershipBytes - 100)
  const id = '01a1fc6d-2549-7759-9ff7-28e6f8317942'
  const event = {
    id,
    sequence: 2 ** 33,
    eventType: 'group.user_removed',
    createdAt: 0,
    requestId: `${id}.1000`,
    data,
  } as const
  for (const character of ['😀', '"']) {
    const name = character.repeat(200)
    const payload = eventPayload(event, { id, tenant: name, product: name })
    assert.ok(Buffer.byteLength(payload) <= 16_384)
  }
})
