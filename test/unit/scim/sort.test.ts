import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject } from '../../../src/scim/json.ts'
import { maxSortKeyLength } from '../../../src/scim/limits.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'
import { collectSmallest } from '../../../src/scim/sorting/smallest.ts'
import type { SortKey } from '../../../src/scim/sorting/sort.ts'
import { compareKeys, parseSort, parseSortAcrossTypes, sortKey } from '../../../src/scim/sorting/sort.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

function keyOf(sortBy: string, user: JsonObject): SortKey | undefined {
  const sort = parseSort({ sortBy, sortOrder: 'ascending' }, userType)
  return sort && sortKey(sort, user)
}

const keys: { sortBy: string; user: JsonObject; key: SortKey; because: string }[] = [
  { sortBy: 'userName', user: { userName: 'Ann' }, key: 'ann', because: 'case is ignored' },
  { sortBy: 'externalId', user: { externalId: 'Ann' }, key: 'Ann', because: 'externalId is case-exact' },
  { sortBy: 'USERNAME', user: { userName: 'b' }, key: 'b', because: 'names are in any letter case' },
  { sortBy: 'name.familyName', user: { name: { familyName: 'Ó' } }, key: 'ó', because: 'a sub-attribute is named' },
  { sortBy: 'active', user: { active: false }, key: false, because: 'booleans are themselves' },
  { sortBy: 'title', user: {}, key: null, because: 'it has no value' },
  { sortBy: 'title', user: { title: '' }, key: null, because: 'empty text is not a value' },
  { sortBy: 'emails', user: { emails: [] }, key: null, because: 'an empty list has no value' },
  {
    sortBy: 'emails',
    user: { emails: [{ value: 'B@x' }, { value: 'a@x' }] },
    key: 'b@x',
    because: 'the first element is used',
  },
  {
    sortBy: 'emails.value',
    user: { emails: [{ value: 'b@x' }, { value: 'a@x', primary: true }] },
    key: 'a@x',
    because: 'the primary element takes precedence',
  },
  { sortBy: 'emails.type', user: { emails: [{ value: 'b@x' }] }, key: null, because: 'the value has no type' },
  {
    sortBy: 'meta.created',
    user: { meta: { created: '2026-01-01T01:00:00+01:00' } },
    key: Date.UTC(2026, 0, 1),
    because: 'dateTimes are instants',
  },
  {
    sortBy: `${enterprise}:manager`,
    user: { [enterprise]: { manager: { value: 'M1' } } },
    key: 'M1',
    because: 'a complex attribute is sorted by its value',
  },
  { sortBy: 'department', user: { [enterprise]: { department: 'IT' } }, key: 'it', because: 'a bare name is found' },
  {
    sortBy: 'urn:acme:2.0:User:badge',
    user: { 'urn:acme:2.0:User': { Badge: 7 } },
    key: 7,
    because: 'unknown extensions have values, too',
  },
  {
    sortBy: 'urn:acme:2.0:User:badge.color',
    user: { 'urn:acme:2.0:User': { badge: { Color: 'Red' } } },
    key: 'red',
    because: 'and their parts',
  },
  {
    sortBy: 'nickName',
    user: { nickName: 'x'.repeat(10_000) },
    key: 'x'.repeat(maxSortKeyLength),
    because: 'a key has a limit',
  },
]

for (const { sortBy, user, key, because } of keys) {
  test(`sorted by ${sortBy}, ${JSON.stringify(user).slice(0, 60)} has the key ${String(key).slice(0, 20)}: ${because}`, () => {
    assert.equal(keyOf(sortBy, user), key)
  })
}

for (const { sortBy, scimType } of [
  { sortBy: 'name.shoeSize', scimType: 'invalidValue' },
  { sortBy: 'name', scimType: 'invalidValue' },
  { sortBy: 'addresses', scimType: 'invalidValue' },
  { sortBy: 'emails[type eq "work"]', scimType: 'invalidValue' },
  { sortBy: 'urn:acme:2.0:User:a b', scimType: 'invalidValue' },
  { sortBy: 'password', scimType: 'invalidValue' },
  { sortBy: 'urn:acme:2.0:User:userPassword', scimType: 'invalidValue' },
]) {
  test(`rejects to sort by ${sortBy}`, () => {
    assert.throws(() => parseSort({ sortBy, sortOrder: 'ascending' }, userType), { status: 400, scimType })
  })
}

test('without sortBy there is no sort order', () => {
  assert.equal(parseSort({ sortBy: undefined, sortOrder: 'descending' }, userType), undefined)
})

test('an attribute that no schema has is sorted by the stored value', () => {
  const sort = parseSort({ sortBy: 'badge.color', sortOrder: 'ascending' }, userType)
  assert.equal(sort && sortKey(sort, { userName: 'ann', badge: { Color: 'Red' } }), 'red')
  assert.equal(sort && sortKey(sort, { userName: 'ann' }), null)
})

test('across types, an attribute of another type has no value and one never returned is still rejected', () => {
  const sort = parseSortAcrossTypes({ sortBy: 'userName', sortOrder: 'ascending' }, groupType)
  assert.equal(sort && sortKey(sort, { displayName: 'x' }), null)
  const part = parseSortAcrossTypes({ sortBy: 'members.nope', sortOrder: 'ascending' }, groupType)
  assert.deepEqual(part, { path: undefined, isDescending: false })
  assert.equal(part && sortKey(part, { displayName: 'x' }), null)
  assert.throws(() => parseSortAcrossTypes({ sortBy: 'password', sortOrder: 'ascending' }, userType))
})

test('resources without a value come last in ascending and first in descending order', () => {
  const sorted = (isDescending: boolean) =>
    ['b', null, 'a', true, 3, false].sort((a, b) => compareKeys({ isDescending }, a, b))
  assert.deepEqual(sorted(false), [false, true, 3, 'a', 'b', null])
  assert.deepEqual(sorted(true), [null, 'b', 'a', 3, true, false])
})

test('the collector keeps the values that a full sort would put first', () => {
  const compare = (a: number, b: number) => a - b
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 })), fc.nat({ max: 12 }), (values, limit) => {
      const smallest = collectSmallest(limit, compare)
      for (const value of values) smallest.offer(value)
      assert.deepEqual(smallest.sorted(), values.toSorted(compare).slice(0, limit))
    }),
  )
})
