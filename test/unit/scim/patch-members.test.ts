import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { matches } from '../../../src/scim/filter/evaluate.ts'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import type { FoldableMemberOperation } from '../../../src/scim/patch/members.ts'
import {
  createMemberFold,
  foldMemberOperations,
  memberTexts,
  noMember,
  splitMemberOperations,
} from '../../../src/scim/patch/members.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { parseMemberIds } from '../../../src/scim/resource/members.ts'
import { groupType } from '../../../src/scim/schema/resource-type.ts'

function split(operations: Json) {
  return splitMemberOperations(parsePatch({ Operations: operations }, groupType))
}

const [a, b] = [{ value: 'a' }, { value: 'b' }]
const ids = (...all: readonly string[]) => new Set(all)

describe('an operation on members', () => {
  for (const { operation, read } of [
    { operation: { op: 'add', path: 'members', value: [a, b] }, read: { op: 'add', ids: ids('a', 'b') } },
    {
      operation: { op: 'Add', path: 'Members', value: [{ $ref: null, value: 'a' }] },
      read: { op: 'add', ids: ids('a') },
    },
    { operation: { op: 'add', path: 'members', value: a }, read: { op: 'add', ids: ids('a') } },
    { operation: { op: 'add', path: 'members', value: 'a' }, read: { op: 'add', ids: ids('a') } },
    { operation: { op: 'add', path: 'members', value: ['a', b, 7] }, read: { op: 'add', ids: ids('a', 'b', '7') } },
    { operation: { op: 'remove', path: 'members', value: ['a'] }, read: { op: 'remove', ids: ids('a') } },
    { operation: { op: 'add', path: 'members[value eq "a"]', value: 'a' }, read: { op: 'add', ids: ids('a') } },
    {
      operation: { op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:Group.members', value: [a] },
      read: { op: 'add', ids: ids('a') },
    },
    { operation: { op: 'add', path: 'members', value: [] }, read: { op: 'add', ids: ids() } },
    { operation: { op: 'add', value: { members: [a] } }, read: { op: 'add', ids: ids('a') } },
    { operation: { op: 'add', path: 'members[value eq "a"]' }, read: { op: 'add', ids: ids('a') } },
    { operation: { op: 'add', path: 'members[value eq "a"]', value: {} }, read: { op: 'add', ids: ids('a') } },
    { operation: { op: 'add', path: 'members[value eq "a"]', value: [a] }, read: { op: 'add', ids: ids('a') } },
    { operation: { op: 'remove', path: 'members' }, read: { op: 'remove-all' } },
    { operation: { op: 'remove', path: 'members', value: null }, read: { op: 'remove-all' } },
    { operation: { op: 'remove', path: 'members', value: [] }, read: { op: 'remove', ids: ids() } },
    { operation: { op: 'Remove', path: 'members', value: [a, b] }, read: { op: 'remove', ids: ids('a', 'b') } },
    { operation: { op: 'remove', path: 'members', value: a }, read: { op: 'remove', ids: ids('a') } },
    { operation: { op: 'remove', path: 'members[value eq "a"]' }, read: { op: 'remove', ids: ids('a') } },
    {
      operation: { op: 'remove', path: 'members[value eq "a]" or VALUE EQ "b"]' },
      read: { op: 'remove', ids: ids('a]', 'b') },
    },
    { operation: { op: 'replace', path: 'members[value eq "a"]', value: a }, read: { op: 'require', ids: ids('a') } },
    { operation: { op: 'replace', path: 'members[value eq "a"]', value: {} }, read: { op: 'require', ids: ids('a') } },
    {
      operation: { op: 'replace', path: 'members[value eq "a" or value eq "b"].display', value: 'x' },
      read: { op: 'require', ids: ids('a', 'b') },
    },
    {
      operation: { op: 'replace', path: 'members[value eq "a"].value', value: 'a' },
      read: { op: 'require', ids: ids('a') },
    },
    { operation: { op: 'replace', path: 'members', value: [b] }, read: { op: 'replace', ids: ids('b') } },
    { operation: { op: 'replace', path: 'members', value: [] }, read: { op: 'replace', ids: ids() } },
    { operation: { op: 'replace', path: 'members', value: null }, read: { op: 'replace', ids: ids() } },
    { operation: { op: 'replace', value: { members: [] } }, read: { op: 'replace', ids: ids() } },
    {
      operation: { op: 'add', path: 'members', value: [{ value: 'a', display: "o'hara", type: 'user' }] },
      read: { op: 'add', ids: ids('a') },
    },
  ]) {
    test(`${JSON.stringify(operation)} is parsed`, () =>
      assert.deepEqual(split([operation]), { members: [read], others: [] }))
  }

  test('has a text in place of a list when there is no other member', () => {
    const value = '[{"value":"a"}]'
    const texts = (operation: JsonObject) => memberTexts(parsePatch({ Operations: [operation] }, groupType))
    for (const op of ['add', 'remove', 'replace']) {
      for (const text of ['a', ['a'], 'a,b', '["a"]', 'A B']) {
        const shown = text === '["a"]' || Array.isArray(text) ? 'a' : text
        assert.deepEqual(texts({ op, path: 'members', value: text }), [shown])
      }
      for (const list of [[], [{ value: 'a' }], ['a', 'b'], { value: 'a' }, value, '[]'])
        assert.deepEqual(texts({ op, path: 'members', value: list }), [])
    }
    assert.deepEqual(texts({ op: 'replace', value: { members: 7, displayName: 'G' } }), ['7'])
    assert.deepEqual(texts({ op: 'add', path: 'urn:acme:2.0:Group', value: { a: 'b' } }), [])
    assert.deepEqual(texts({ op: 'remove', path: 'members' }), [])
    assert.deepEqual(texts({ op: 'replace', path: 'members.display', value: 'b' }), [])
    assert.deepEqual(texts({ op: 'remove', path: 'members[value eq "a"]', value: 'b' }), [])
  })

  test('removes only those that its filter and its value name', () => {
    const remove = { op: 'remove', path: 'members[value eq "a" or value eq "b"]' }
    assert.deepEqual(split([{ ...remove, value: [b, { value: 'c' }] }]).members, [{ op: 'remove', ids: ids('b') }])
    assert.deepEqual(split([{ ...remove, value: [] }]).members, [{ op: 'remove', ids: ids('a', 'b') }])
  })

  test('can select members by any filter', () => {
    const [operation] = split([{ op: 'remove', path: 'members[type eq "Group" and display sw "x"]' }]).members
    assert.ok(operation?.op === 'remove-where')
    assert.equal(matches(operation.filter, { value: 'a', type: 'Group', display: 'Xy' }), true)
    assert.equal(matches(operation.filter, { value: 'a', type: 'User', display: 'Xy' }), false)
  })

  test('is ignored when it writes the display of members', () => {
    const writes = [
      { op: 'add', path: 'members[value eq "a"].display', value: 'x' },
      { op: 'remove', path: 'members[value eq "a"].display' },
      { op: 'replace', path: 'members.display', value: 'x' },
    ]
    assert.deepEqual(split(writes), { members: [], others: [] })
  })

  for (const operation of [
    { op: 'add', path: 'members[value eq "a"].value', value: 'a' },
    { op: 'add', path: 'members[type eq "User" and value eq "a"].value', value: 'a' },
    { op: 'replace', path: 'members[value eq "a" and type eq "User"].type', value: 'user' },
    { op: 'add', path: 'members[$ref eq "../Users/a"].$ref', value: '../Users/a' },
    { op: 'add', value: { 'members.color': 'red' } },
  ]) {
    test(`${JSON.stringify(operation)} changes no member`, () => {
      assert.deepEqual(split([operation]), { members: [], others: [] })
    })
  }

  for (const { operation, scimType } of [
    { operation: { op: 'replace', path: 'members[value eq "a"].value', value: 'A' }, scimType: 'mutability' },
    { operation: { op: 'replace', path: 'members[value eq "a"].value', value: null }, scimType: 'mutability' },
    { operation: { op: 'replace', path: 'members[value eq "a"].value', value: {} }, scimType: 'invalidValue' },
    {
      operation: { op: 'add', path: 'members[value eq "a" or value eq "a"].value', value: 'a' },
      scimType: 'mutability',
    },
    { operation: { op: 'replace', path: 'members[value eq "a"].$ref', value: '../Users/a' }, scimType: 'mutability' },
    { operation: { op: 'remove', path: 'members[value eq "a"].value', value: 'a' }, scimType: 'mutability' },
    { operation: { op: 'remove', path: 'members.type' }, scimType: 'mutability' },
    { operation: { op: 'replace', path: 'members[value eq "a"].value', value: 'b' }, scimType: 'mutability' },
    { operation: { op: 'replace', path: 'members[value eq "a"].type', value: 'Group' }, scimType: 'mutability' },
    { operation: { op: 'remove', path: 'members[value eq "a"].$ref' }, scimType: 'mutability' },
    { operation: { op: 'add', path: 'members.value', value: 'b' }, scimType: 'mutability' },
    { operation: { op: 'replace', path: 'members[value eq "a"]', value: b }, scimType: 'mutability' },
    { operation: { op: 'add', path: 'members[type eq "User"]' }, scimType: 'noTarget' },
    { operation: { op: 'add', path: 'members', value: [{}] }, scimType: 'invalidValue' },
    { operation: { op: 'add', path: 'members', value: [null] }, scimType: 'invalidValue' },
    { operation: { op: 'add', path: 'members', value: true }, scimType: 'invalidValue' },
    { operation: { op: 'add', path: 'members', value: [''] }, scimType: 'invalidValue' },
    { operation: { op: 'add', path: 'members', value: [{ value: { id: 'a' } }] }, scimType: 'invalidValue' },
    { operation: { op: 'add', path: 'members', value: [{ value: 'a', display: 5 }] }, scimType: 'invalidValue' },
    {
      operation: { op: 'add', path: 'members', value: [{ value: 'a', operation: 'delete' }] },
      scimType: 'invalidValue',
    },
    { operation: { op: 'add', path: 'members' }, scimType: 'invalidValue' },
    { operation: { op: 'remove', path: 'members[value eq' }, scimType: 'invalidPath' },
    { operation: { op: 'remove', path: 'members[nope eq "a"]' }, scimType: 'invalidFilter' },
  ]) {
    test(`${JSON.stringify(operation)} is rejected`, () => {
      assert.throws(() => split([operation]), { status: 400, scimType })
    })
  }

  test('is separated from the others, in the order of the request', () => {
    const { members, others } = split([
      { op: 'remove', path: 'members[value eq "b"]' },
      { op: 'replace', value: { displayName: 'Ops', members: [a] } },
      { op: 'add', path: 'members', value: [b] },
    ])
    assert.deepEqual(members, [
      { op: 'remove', ids: ids('b') },
      { op: 'replace', ids: ids('a') },
      { op: 'add', ids: ids('b') },
    ])
    assert.equal(others.length, 1)
  })
})

test('a replace with a filter and null removes the member that it requires', () => {
  const { members } = split([{ op: 'replace', path: 'members[value eq "a"]', value: null }])
  assert.deepEqual(members, [
    { op: 'require', ids: ids('a') },
    { op: 'remove', ids: ids('a') },
  ])
})

test('a repeated member is merged', () => {
  assert.deepEqual(parseMemberIds([a, b, { value: 'a', display: 'A' }]), ids('a', 'b'))
  assert.deepEqual(parseMemberIds({ VALUE: 'a', Display: null, type: 'direct' }), ids('a'))
  assert.deepEqual(parseMemberIds({ VALUE: 'b', Value: 'c', value: 'a' }), ids('a'))
})

test('earlier changes decide who is a member, or leave it open', () => {
  const fold = createMemberFold()
  assert.equal(fold.decides('a'), undefined)
  fold.apply({ op: 'add', ids: new Set(['a']) })
  fold.apply({ op: 'remove', ids: new Set(['b']) })
  assert.deepEqual([fold.decides('a'), fold.decides('b'), fold.decides('c')], [true, false, undefined])
  fold.apply({ op: 'replace', ids: new Set(['b']) })
  assert.deepEqual([fold.decides('a'), fold.decides('b'), fold.decides('c')], [false, true, false])
  assert.deepEqual([noMember().status, noMember().scimType], [400, 'noTarget'])
})

const someIds = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
const operation: fc.Arbitrary<FoldableMemberOperation> = fc.oneof(
  fc.tuple(fc.constantFrom('add', 'replace', 'remove'), someIds).map(([op, all]) => ({ op, ids: ids(...all) })),
  fc.constant({ op: 'remove-all' as const }),
)

/** The members after the operations, one after the other. */
function stepByStep(present: readonly string[], operations: readonly FoldableMemberOperation[]): string[] {
  const members = new Set(present)
  for (const one of operations) {
    if (one.op === 'replace' || one.op === 'remove-all') members.clear()
    if (one.op === 'remove-all') continue
    for (const id of one.ids) one.op === 'remove' ? members.delete(id) : members.add(id)
  }
  return [...members].sort()
}

test('a single operation has its own effect', () => {
  assert.deepEqual(foldMemberOperations([{ op: 'add', ids: ids('a') }]), {
    kind: 'delta',
    add: ids('a'),
    remove: ids(),
  })
  assert.deepEqual(foldMemberOperations([{ op: 'remove', ids: ids('a') }]), {
    ...{ kind: 'delta', add: ids(), remove: ids('a') },
  })
  assert.deepEqual(foldMemberOperations([{ op: 'replace', ids: ids('a') }]), { kind: 'replace', members: ids('a') })
  assert.deepEqual(foldMemberOperations([{ op: 'remove-all' }]), { kind: 'replace', members: ids() })
})

test('combined operations have the same effect as one after the other, and do not change them', () => {
  fc.assert(
    fc.property(someIds, fc.array(operation), (present, operations) => {
      const before = structuredClone(operations)
      const changes = foldMemberOperations(operations)
      assert.deepEqual(operations, before)
      const summed =
        changes.kind === 'replace'
          ? [...changes.members]
          : [...new Set([...present.filter((id) => !changes.remove.has(id)), ...changes.add])]
      assert.deepEqual(summed.sort(), stepByStep(present, operations))
      if (changes.kind === 'delta') assert.ok(changes.add.isDisjointFrom(changes.remove))
    }),
  )
})
