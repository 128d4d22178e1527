import assert from 'node:assert/strict'
import test from 'node:test'
import { parseMember, parsePage } from '../../../../src/google/client/parse.ts'
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
  test(`believes no page when ${because}`, () => assert.equal(parsePage(given as JsonObject, form), undefined))
}
