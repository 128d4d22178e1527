import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches } from '../../../src/scim/filter/evaluate.ts'
import { parseFilter } from '../../../src/scim/filter/parse.ts'
import { parseResource } from '../../../src/scim/resource/parse-resource.ts'
import { userType } from '../../../src/scim/schema/resource-type.ts'
import { acme, enterprise, patch, table, user, work } from './patch-cases.ts'

test('a dotted name of a list applies to all elements of the list, in any order of the names', () => {
  const emails = ['a@b.c', 'd@e.f']
  const stored = emails.map((value) => ({ value, type: 'work' }))
  for (const attributes of [
    { emails, 'emails.type': 'work' },
    { 'emails.type': 'work', emails },
  ]) {
    assert.deepEqual(parseResource(userType, { userName: 'tomas', ...attributes })['emails'], stored)
    assert.deepEqual(patch(user(), [{ op: 'add', value: attributes }])['emails'], stored)
  }
})

test('a wrapped null unassigns the attribute', () => {
  const from = user({ title: 'Lead', badge: 'B-17' })
  for (const value of [{ value: null }, [{ $ref: null, value: null }]]) {
    const operations = ['title', 'badge'].map((path) => ({ op: 'replace', path, value }))
    assert.deepEqual(patch(from, operations), user())
  }
})

table('A value filter on a list without a schema', [
  {
    why: 'removes a text',
    from: { tags: ['x', 'y'] },
    operations: [{ op: 'remove', path: 'tags[value eq "x"]' }],
    to: { tags: ['y'] },
  },
  {
    why: 'removes a number',
    from: { levels: [3, 4] },
    operations: [{ op: 'remove', path: 'levels[value gt 3]' }],
    to: { levels: [3] },
  },
  {
    why: 'removes the last text',
    from: { tags: ['x'] },
    operations: [{ op: 'remove', path: 'tags[value eq "x"]' }],
    to: {},
  },
  {
    why: 'removes a single text',
    from: { tags: 'x' },
    operations: [{ op: 'remove', path: 'tags[value eq "x"]' }],
    to: {},
  },
  {
    why: 'leaves another single text',
    from: { tags: 'x' },
    operations: [{ op: 'remove', path: 'tags[value eq "y"]' }],
    to: { tags: 'x' },
  },
  {
    why: 'replaces a text by a text, an object with it, or its value',
    from: { tags: ['a', 'b', 'c', 'd'] },
    operations: [
      { op: 'replace', path: 'tags[value eq "a"]', value: 'A' },
      { op: 'replace', path: 'tags[value eq "b"]', value: { value: 'B' } },
      { op: 'replace', path: 'tags[value eq "c"].value', value: 'C' },
      { op: 'replace', path: 'tags[value eq "d"]', value: [{ $ref: null, value: 'D' }] },
    ],
    to: { tags: ['A', 'B', 'C', 'D'] },
  },
  {
    why: 'gives a text other parts',
    from: { tags: ['x', null, ['y']] },
    operations: [{ op: 'add', path: 'tags[value eq "x"].display', value: 'X' }],
    to: { tags: [{ value: 'x', display: 'X' }, null, ['y']] },
  },
  {
    why: 'works in an extension',
    from: { [acme]: { sites: ['north', 'south'] } },
    operations: [{ op: 'remove', path: `${acme}:sites[value eq "north"]` }],
    to: { [acme]: { sites: ['south'] } },
  },
])

table('A list without a schema', [
  {
    why: 'of texts gets a wrapped value as a text',
    from: { tags: ['x'] },
    operations: [{ op: 'add', path: 'tags', value: [{ $ref: null, value: 'y' }] }],
    to: { tags: ['x', 'y'] },
  },
])

table('An object without a schema', [
  {
    why: 'is made of a text that gets other parts',
    from: { badge: '1' },
    operations: [{ op: 'add', path: 'badge.display', value: 'One' }],
    to: { badge: { value: '1', display: 'One' } },
  },
])

const managed = { [enterprise]: { manager: { value: 'm-4' } } }

table('The manager', [
  ...[`${enterprise}:manager[value eq "m-4"]`, 'manager[value eq "m-4"]'].map((path) => ({
    why: `is removed by ${path}`,
    from: managed,
    operations: [{ op: 'Remove', path }],
    to: {},
  })),
  {
    why: 'is replaced by a value filter',
    from: managed,
    operations: [{ op: 'replace', path: 'manager[value eq "m-4"]', value: 'm-5' }],
    to: { [enterprise]: { manager: { value: 'm-5' } } },
  },
  {
    why: 'is left by the filter of another one',
    from: managed,
    operations: [{ op: 'remove', path: 'manager[value eq "m-5"]' }],
    to: managed,
  },
  ...['m-4', ['m-4'], { value: 'm-4' }, [{ $ref: null, value: 'm-4' }]].map((value) => ({
    why: `is removed with the value ${JSON.stringify(value)}`,
    from: managed,
    operations: [{ op: 'remove', path: 'manager', value }],
    to: {},
  })),
  ...['m-5', ['m-5'], { value: 'm-5' }, [{ $ref: null, value: 'm-5' }]].map((value) => ({
    why: `is left by a removal with the value ${JSON.stringify(value)}`,
    from: managed,
    operations: [
      { op: 'remove', path: 'manager', value },
      { op: 'remove', path: 'manager.value', value },
    ],
    to: managed,
  })),
])

table('A removal with a value', [
  {
    why: 'leaves single values that differ',
    from: { title: 'Lead', badge: 'B-17', name: { givenName: 'Theo' }, emails: [work] },
    operations: [
      { op: 'remove', path: 'title', value: 'Guide' },
      { op: 'remove', path: 'badge', value: 'B-18' },
      { op: 'remove', path: 'name.givenName', value: 'Tom' },
      { op: 'remove', path: 'emails[type eq "work"].value', value: 'other@example.com' },
      { op: 'remove', path: 'emails', value: '[{"value":"other@example.com"}]' },
    ],
    to: { title: 'Lead', badge: 'B-17', name: { givenName: 'Theo' }, emails: [work] },
  },
  {
    why: 'removes those that are equal, and any with an empty value',
    from: { title: 'Lead', badge: 'B-17', nickName: 'Tom', name: { givenName: 'Theo' }, emails: [work] },
    operations: [
      { op: 'remove', path: 'title', value: 'lead' },
      { op: 'remove', path: 'badge', value: [{ $ref: null, value: 'B-17' }] },
      { op: 'remove', path: 'nickName', value: '' },
      { op: 'remove', path: 'name.givenName', value: ['Theo'] },
      { op: 'remove', path: 'emails', value: `[{"value":"${work.value}"}]` },
    ],
    to: {},
  },
])

for (const [filter, isMatch] of Object.entries({
  'tags[value eq "x"]': true,
  'tags[value eq "z"]': false,
  'tags[value sw "x" and value ew "x"]': true,
  'tags[not (value eq "x")]': true,
  'tags.value eq "y"': true,
  'tags.value ne "x"': true,
  'tags.value pr': true,
  'tags[display pr]': false,
  'levels[value ge 4]': true,
  'levels[value gt 4]': false,
  [`${acme}:sites[value eq "north"]`]: true,
  'manager[value eq "m-4"]': true,
  'manager[value eq "m-5"]': false,
})) {
  test(`the filter ${filter} is ${isMatch} for lists of texts and numbers`, () => {
    const resource = user({ tags: ['x', 'y'], levels: [3, 4], [acme]: { sites: ['north'] }, ...managed })
    assert.equal(matches(parseFilter(filter, userType), resource), isMatch)
  })
}
