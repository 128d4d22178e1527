import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  emailText,
  idText,
  longText,
  parseGroup,
  parseIsMember,
  parseMember,
  parsePage,
  shortText,
} from '../../../../src/google/client/parse.ts'
import type { JsonObject } from '../../../../src/scim/json.ts'

const form = { name: 'members', parse: parseMember } as const
const kind = 'admin#directory#members'
const nora = { id: '1', type: 'USER' }
const parsedNora = { id: '1', kind: 'user' }

for (const { given, page, because } of [
  {
    given: { kind, members: [nora] },
    page: { items: [parsedNora], nextPageToken: undefined },
    because: 'it is the last',
  },
  { given: { members: [nora] }, page: { items: [parsedNora], nextPageToken: undefined }, because: 'items say enough' },
  {
    given: { kind, members: [nora], nextPageToken: 'p=' },
    page: { items: [parsedNora], nextPageToken: 'p=' },
    because: 'others follow',
  },
  { given: { kind }, page: { items: [], nextPageToken: undefined }, because: 'there are none' },
  {
    given: { kind, nextPageToken: 'p=' },
    page: { items: [], nextPageToken: 'p=' },
    because: 'an empty page is not the end',
  },
  {
    given: { kind, nextPageToken: '' },
    page: { items: [], nextPageToken: undefined },
    because: 'an empty token is none',
  },
]) {
  test(`reads ${JSON.stringify(given)}: ${because}`, () => assert.deepEqual(parsePage(given, form), page))
}

for (const { given, because } of [
  { given: {}, because: 'it does not say what it is' },
  { given: { kind: 'admin#directory#users' }, because: 'it is of something else' },
  { given: { kind, members: {} }, because: 'the items are no list' },
  { given: { kind, members: 'none' }, because: 'the items are text' },
  { given: { kind, members: [nora, null] }, because: 'one item is null' },
  { given: { kind, members: [nora, { type: 'USER' }] }, because: 'one item has no id' },
  { given: { kind, members: [nora], nextPageToken: 7 }, because: 'the token is a number' },
  { given: { kind, members: [nora], nextPageToken: 'x'.repeat(20_000) }, because: 'the token is too long' },
]) {
  test(`rejects a page if ${because}`, () => assert.equal(parsePage(given as JsonObject, form), undefined))
}

for (const { given, group } of [
  {
    given: { id: 'g1', email: 'press@example.com', name: 'Press', description: 'All of it', directMembersCount: '3' },
    group: { id: 'g1', email: 'press@example.com', name: 'Press', description: 'All of it' },
  },
  { given: { id: 'g1' }, group: { id: 'g1', email: '', name: '', description: '' } },
  { given: { id: 'g1', name: 7 }, group: { id: 'g1', email: '', name: '', description: '' } },
  { given: { email: 'press@example.com' }, group: undefined },
]) {
  test(`parses the group ${JSON.stringify(given)}`, () => assert.deepEqual(parseGroup(given), group))
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
  test(`parses the member ${JSON.stringify(given)}`, () => assert.deepEqual(parseMember(given), member))
}

for (const { given, isMember } of [
  { given: { isMember: true }, isMember: true },
  { given: { isMember: false }, isMember: false },
  { given: { isMember: 'true' }, isMember: undefined },
  { given: {}, isMember: undefined },
]) {
  test(`${JSON.stringify(given)} parses as the membership ${isMember}`, () => {
    assert.equal(parseIsMember(given), isMember)
  })
}

for (const { given, kept, because } of [
  { given: 'Nora', kept: 'Nora', because: 'it is a text' },
  { given: 'Zoë 😀', kept: 'Zoë 😀', because: 'it may be of any language' },
  { given: 'No\u0000ra\u0007', kept: 'Nora', because: 'control characters cannot be stored' },
  { given: '1 Main St\n\tRoom 2', kept: '1 Main St\n\tRoom 2', because: 'lines and tabs can' },
  { given: 'half \ud83d', kept: 'half \ufffd', because: 'half a character is none' },
  { given: '', kept: undefined, because: 'it is empty' },
  { given: '\u0000', kept: undefined, because: 'nothing is left' },
  { given: 7, kept: undefined, because: 'it is a number' },
  { given: null, kept: undefined, because: 'it is null' },
  { given: ['Nora'], kept: undefined, because: 'it is a list' },
]) {
  test(`keeps ${JSON.stringify(kept)} of ${JSON.stringify(given)}: ${because}`, () => {
    assert.equal(shortText(given), kept)
  })
}

test('a text is truncated at its limit', () => {
  assert.equal(shortText('x'.repeat(10_000)), 'x'.repeat(512))
})

test('a text with several lines may be longer', () => {
  assert.equal(longText('x'.repeat(10_000)), 'x'.repeat(4_096))
})

test('truncation does not split a character', () => {
  assert.equal(shortText(`${'x'.repeat(511)}😀`), 'x'.repeat(511))
})

for (const { given, isId } of [
  { given: '100000000000000000001', isId: true },
  { given: '01invent0gr0up1', isId: true },
  { given: '', isId: false },
  { given: 'a b', isId: false },
  { given: 'a\u0000', isId: false },
  { given: 'ä', isId: false },
  { given: 'x'.repeat(257), isId: false },
  { given: 100, isId: false },
]) {
  test(`${JSON.stringify(given).slice(0, 30)} is ${isId ? 'a valid' : 'an invalid'} id`, () => {
    assert.equal(idText(given), isId ? given : undefined)
  })
}

for (const { given, isAddress } of [
  { given: 'nora.blake@example.com', isAddress: true },
  { given: "o'hara+x@sub.example.com", isAddress: true },
  { given: 'nora@exämple.com', isAddress: true },
  { given: 'nora', isAddress: false },
  { given: '@example.com', isAddress: false },
  { given: 'nora blake@example.com', isAddress: false },
  { given: 'nora@example.com\n', isAddress: false },
  { given: `${'x'.repeat(512)}@example.com`, isAddress: false },
  { given: undefined, isAddress: false },
]) {
  test(`${JSON.stringify(given)?.slice(0, 40)} is ${isAddress ? 'a valid' : 'an invalid'} email address`, () => {
    assert.equal(emailText(given), isAddress ? given : undefined)
  })
}
