import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MappingDocument, RolesDocument, RuleDocument } from '../../../src/mapping/document.ts'
import { extendMapping } from '../../../src/mapping/extend.ts'

const when = { group_name: 'Admins' }
const gives = (role: string, id?: string): RuleDocument => ({ ...(id && { id }), role, when })
const roles = (rules: RuleDocument[], rest: RolesDocument = {}): MappingDocument => ({ roles: { ...rest, rules } })

/** The rules as texts: id and role. */
function rulesOf({ roles: of }: MappingDocument): readonly string[] {
  return (of?.rules ?? []).map(({ id, role }) => `${id}: ${role}`)
}

for (const { what, own, product, rules } of [
  {
    what: 'rules of the directory come first',
    own: roles([gives('a', 'x')]),
    product: roles([gives('b', 'y'), gives('c', 'z')]),
    rules: ['x: a', 'y: b', 'z: c'],
  },
  {
    what: 'a rule of the product with the same id is replaced, at the place of that of the directory',
    own: roles([gives('a', 'z')]),
    product: roles([gives('b', 'y'), gives('c', 'z')]),
    rules: ['z: a', 'y: b'],
  },
  {
    what: 'rules of the product keep their ids, and those of the directory without one get others',
    own: roles([gives('a'), gives('b')]),
    product: roles([gives('c'), gives('d', 'r3'), gives('e')]),
    rules: ['r4: a', 'r5: b', 'r1: c', 'r3: d', 'r2: e'],
  },
  {
    what: 'a rule of the product without an id is replaced by the one that it gets',
    own: roles([gives('a', 'r1'), gives('b')]),
    product: roles([gives('c'), gives('d')]),
    rules: ['r1: a', 'r3: b', 'r2: d'],
  },
  {
    what: 'a directory without rules has those of the product',
    own: {},
    product: roles([gives('c', 'x')]),
    rules: ['x: c'],
  },
  { what: 'a product without rules adds none', own: roles([gives('c', 'x')]), product: {}, rules: ['x: c'] },
]) {
  test(`extended mappings: ${what}`, () => assert.deepEqual(rulesOf(extendMapping(own, product)), rules))
}

for (const { what, own, product, combined } of [
  {
    what: 'mode and default are those of the product',
    own: {},
    product: { mode: 'first', default: ['member'] },
    combined: { mode: 'first', default: ['member'] },
  },
  {
    what: 'mode and default are those of the directory if it has them, be they empty',
    own: { mode: 'all', default: [] },
    product: { mode: 'first', default: ['member'] },
    combined: { mode: 'all', default: [] },
  },
  {
    what: 'keep_at_least is merged per role',
    own: { keep_at_least: { admin: 2, billing: 1 } },
    product: { keep_at_least: { admin: 1, owner: 1 } },
    combined: { keep_at_least: { admin: 2, billing: 1, owner: 1 } },
  },
] satisfies { what: string; own: RolesDocument; product: RolesDocument; combined: RolesDocument }[]) {
  test(`extended mappings: ${what}`, () => {
    const extended = extendMapping({ extends: 'product', roles: own }, { roles: product })
    assert.partialDeepStrictEqual(extended.roles, combined)
  })
}

test('extended mappings: attributes of the same name are replaced', () => {
  const [title, nick] = [{ from: ['title'] }, { from: ['nickName'] }]
  assert.deepEqual(extendMapping({ attributes: { a: nick } }, { attributes: { a: title, b: title } }), {
    attributes: { a: nick, b: title },
  })
})
