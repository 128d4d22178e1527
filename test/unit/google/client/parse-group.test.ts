import assert from 'node:assert/strict'
import test from 'node:test'
import { parseGroup, parseIsMember, parseMember } from '../../../../src/google/client/parse.ts'

for (const { given, group } of [
  {
    given: { id: 'g1', email: 'press@example.com', name: 'Press', description: 'All of it', directMembersCount: '3' },
    group: { id: 'g1', email: 'press@example.com', name: 'Press', description: 'All of it' },
  },
  { given: { id: 'g1' }, group: { id: 'g1', email: '', name: '', description: '' } },
  { given: { id: 'g1', name: 7 }, group: { id: 'g1', email: '', name: '', description: '' } },
  { given: { email: 'press@example.com' }, group: undefined },
]) {
  test(`the group ${JSON.stringify(given)} is read`, () => assert.deepEqual(parseGroup(given), group))
}

for (const { given, member } of [
  { given: { id: '1', type: 'USER', status: 'SUSPENDED', role: 'OWNER' }, member: { id: '1', kind: 'user' } },
  { given: { id: 'g2', type: 'GROUP' }, member: { id: 'g2', kind: 'group' } },
  { given: { id: 'C0invent1', type: 'CUSTOMER' }, member: { id: 'C0invent1', kind: 'customer' } },
  { given: { id: '2', type: 'EXTERNAL' }, member: { id: '2', kind: 'other' } },
  { given: { id: '2', type: 'constructor' }, member: { id: '2', kind: 'other' } },
  { given: { id: '2' }, member: { id: '2', kind: 'other' } },
  { given: { type: 'USER', email: 'nora@example.com' }, member: undefined },
]) {
  test(`the member ${JSON.stringify(given)} is read`, () => assert.deepEqual(parseMember(given), member))
}

for (const { given, isMember } of [
  { given: { isMember: true }, isMember: true },
  { given: { isMember: false }, isMember: false },
  { given: { isMember: 'true' }, isMember: undefined },
  { given: {}, isMember: undefined },
]) {
  test(`${JSON.stringify(given)} says ${isMember ?? 'nothing'} about a membership`, () => {
    assert.equal(parseIsMember(given), isMember)
  })
}
