import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findReferences, resolveReferences } from '../../../src/scim/bulk/references.ts'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import { cases } from '../../support/extent.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const idOf = (bulkId: string) => (bulkId.startsWith('later') ? undefined : `id-${bulkId}`)

function frozen<T>(tree: T): T {
  if (typeof tree === 'object' && tree !== null) Object.values(tree).forEach(frozen)
  return Object.freeze(tree)
}

describe('references', () => {
  const members = (op: string, path: string, value: Json = null) => ({ Operations: [{ op, path, value }] })
  for (const { method = 'POST', data, found, resolved } of [
    { data: { userName: 'ann' }, found: [], resolved: { userName: 'ann' } },
    {
      data: { members: [{ value: 'bulkId:a', type: 'User' }, { value: 'u' }, 'bulkId:b'] },
      found: ['a', 'b'],
      resolved: { members: [{ value: 'id-a', type: 'User' }, { value: 'u' }, 'id-b'] },
    },
    {
      data: { [enterprise]: { manager: { value: 'bulkId:a' } } },
      found: ['a'],
      resolved: { [enterprise]: { manager: { value: 'id-a' } } },
    },
    { data: { note: 'see bulkId:a', tag: 'bulkId:' }, found: [], resolved: { note: 'see bulkId:a', tag: 'bulkId:' } },
    { data: { 'bulkId:a': 1, n: 5, b: true, z: null }, found: [], resolved: { 'bulkId:a': 1, n: 5, b: true, z: null } },
    { data: { path: 'm[value eq "bulkId:a"]' }, found: [], resolved: { path: 'm[value eq "bulkId:a"]' } },
    {
      method: 'PATCH',
      data: members('add', 'members', [{ value: 'bulkId:a' }]),
      found: ['a'],
      resolved: members('add', 'members', [{ value: 'id-a' }]),
    },
    {
      method: 'PATCH',
      data: members('remove', 'members[value eq "bulkId:a" or value eq "x\\"]" or value eq "bulkId:b"]'),
      found: ['a', 'b'],
      resolved: members('remove', 'members[value eq "id-a" or value eq "x\\"]" or value eq "id-b"]'),
    },
    {
      method: 'PATCH',
      data: { OPERATIONS: [{ PATH: 'members[value eq "bulkId:say \\"a\\""]' }] },
      found: ['say "a"'],
      resolved: { OPERATIONS: [{ PATH: 'members[value eq "id-say \\"a\\""]' }] },
    },
    {
      method: 'PATCH',
      data: members('remove', 'members[value eq "bulkId:a'),
      found: [],
      resolved: members('remove', 'members[value eq "bulkId:a'),
    },
    {
      method: 'PATCH',
      data: { Operations: ['bulkId:a', 5, { path: 7 }] },
      found: ['a'],
      resolved: { Operations: ['id-a', 5, { path: 7 }] },
    },
    { method: 'PATCH', data: { Operations: 'x' }, found: [], resolved: { Operations: 'x' } },
  ] as { method?: string; data: JsonObject; found: string[]; resolved: JsonObject }[]) {
    test(`in ${method} ${JSON.stringify(data)} are ${found.join(', ') || 'none'}`, () => {
      assert.deepEqual([...findReferences({ method, data })], found)
      assert.deepEqual(resolveReferences(method, frozen(data), idOf), resolved)
    })
  }

  test('are found in the path', () => {
    assert.deepEqual([...findReferences({ method: 'DELETE', id: 'bulkId:a' })], ['a'])
    assert.deepEqual([...findReferences({ method: 'DELETE', id: 'a' })], [])
  })

  test('do not touch the prototype', () => {
    const data = JSON.parse('{"__proto__":{"admin":"bulkId:a"},"constructor":"bulkId:b"}')
    const resolved = resolveReferences('POST', data, idOf)
    assert.equal(JSON.stringify(resolved), '{"__proto__":{"admin":"id-a"},"constructor":"id-b"}')
    assert.equal(Object.getPrototypeOf(resolved), Object.prototype)
  })
})

describe('values with an unresolved reference are left out', () => {
  for (const { data, left } of [
    { data: { a: 'bulkId:later', b: 'x' }, left: { b: 'x' } },
    {
      data: { members: [{ value: 'bulkId:later', type: 'Group' }, { value: 'bulkId:a' }] },
      left: { members: [{ value: 'id-a' }] },
    },
    { data: { members: ['bulkId:later'] }, left: { members: [] } },
    { data: { members: { value: 'bulkId:later' }, displayName: 'G' }, left: { displayName: 'G' } },
    { data: { manager: { value: 'bulkId:later', note: 'x' } }, left: {} },
    {
      data: { [enterprise]: { department: 'D', manager: { value: 'bulkId:later', note: 'x' } } },
      left: { [enterprise]: { department: 'D' } },
    },
    { data: { a: { b: { c: 'bulkId:later' } }, d: [['bulkId:later', 'x']] }, left: { d: [['x']] } },
  ]) {
    test(`${JSON.stringify(data)} becomes ${JSON.stringify(left)}`, () => {
      assert.deepEqual(resolveReferences('POST', frozen(data), idOf), left)
    })
  }
})

const word = fc.constantFrom('a', 'b', 'bulkId', 'x bulkId:a')
const leaf = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null), fc.string())
const name = fc.oneof(fc.constantFrom('members', 'Operations', 'path', enterprise), fc.string())

/** JSON whose texts may optionally be references. */
const tree = (texts: fc.Arbitrary<Json>) =>
  fc.letrec<{ object: JsonObject; any: Json }>((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, texts, fc.array(tie('any'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(name, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  })).object
const method = fc.constantFrom('POST', 'PUT', 'PATCH')

test('data without references is unchanged', () => {
  fc.assert(
    fc.property(tree(leaf), method, (data, by) => {
      fc.pre(findReferences({ method: by, data }).size === 0)
      assert.deepEqual(resolveReferences(by, frozen(data), idOf), data)
    }),
    { numRuns: cases(500) },
  )
})

test('resolving replaces all references and nothing else', () => {
  const reference = fc.constantFrom('bulkId:a', 'bulkId:b')
  fc.assert(
    fc.property(tree(fc.oneof(leaf, reference)), method, (data, by) => {
      const exchanged = JSON.parse(JSON.stringify(data), (_, value) => {
        return typeof value === 'string' ? value.replace(/^bulkId:([\s\S]+)$/, 'id-$1') : value
      })
      const resolved = resolveReferences(by, frozen(data), (bulkId) => `id-${bulkId}`)
      assert.deepEqual(JSON.parse(JSON.stringify(resolved)), exchanged)
      assert.equal(findReferences({ method: by, data: resolved }).size, 0)
    }),
    { numRuns: cases(500) },
  )
})

test('no reference remains after leaving out', () => {
  const reference = fc.constantFrom('bulkId:a', 'bulkId:later')
  fc.assert(
    fc.property(tree(fc.oneof(leaf, reference)), (data) => {
      const left = resolveReferences('POST', frozen(data), idOf)
      assert.equal(findReferences({ method: 'POST', data: left }).size, 0)
    }),
    { numRuns: cases(500) },
  )
})
