import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { GroupReference } from '../../../src/directory/group.ts'
import type { MappingDocument } from '../../../src/mapping/document.ts'
import { createEvaluator } from '../../../src/mapping/evaluate.ts'
import type { MappedUser } from '../../../src/mapping/mapping.ts'
import { parseMappingInEffect } from '../../../src/mapping/parse.ts'
import { cases } from '../../support/extent.ts'

const parsed = (mapping: object) => parseMappingInEffect(mapping as MappingDocument)

import { parseUserFilter } from '../../../src/mapping/parse-names.ts'
import { matches } from '../../../src/scim/filter/evaluate.ts'
import type { JsonObject } from '../../../src/scim/json.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const barbara: JsonObject = {
  userName: 'Barbara.Jensen@Example.com',
  title: 'Tour Guide',
  userType: 'Employee',
  emails: [
    { value: 'home@example.com', type: 'home' },
    { value: 'work@example.com', type: 'work', primary: true },
  ],
  [enterprise]: { department: 'Finance', manager: { value: 'm-1' } },
  'urn:example:custom:1.0:User': { Tier: 3 },
}

const engineering: GroupReference = { id: 'g-1', name: 'Engineering' }

function user(rest: Partial<MappedUser> = {}): MappedUser {
  return { resource: barbara, active: true, groups: [], ...rest }
}

for (const { from, transform, value } of [
  { from: ['title'], value: 'Tour Guide' },
  { from: ['nickName', 'title'], value: 'Tour Guide' },
  { from: ['nickName'], value: undefined },
  { from: ['emails'], value: 'work@example.com' },
  { from: ['emails.value'], value: 'work@example.com' },
  { from: ['emails[type eq "home"].value'], value: 'home@example.com' },
  { from: ['emails[type eq "other"].value'], value: undefined },
  { from: [`${enterprise}:department`], value: 'Finance' },
  { from: ['department'], value: 'Finance' },
  { from: [`${enterprise}:manager`], value: 'm-1' },
  { from: ['urn:example:custom:1.0:User:tier'], value: 3 },
  { from: ['userName'], transform: ['lower', { after: '@' }], value: 'example.com' },
  { from: ['userName'], transform: [{ before: '@' }, 'upper'], value: 'BARBARA.JENSEN' },
  { from: ['title'], transform: [{ after: '@' }], value: undefined },
  { from: ['title'], transform: [{ after: '@' }, { default: 'none' }], value: 'none' },
  { from: ['title'], transform: [{ map: { 'Tour Guide': 'guide' } }], value: 'guide' },
  { from: ['title'], transform: [{ map: { constructor: 'x' } }], value: undefined },
  { from: ['urn:example:custom:1.0:User:tier'], transform: [{ map: { 3: true } }], value: true },
  { from: ['nickName'], transform: ['lower', { default: 7 }], value: 7 },
]) {
  test(`an attribute from ${from.join(', ')} with ${JSON.stringify(transform ?? [])} is ${value}`, () => {
    const mapping = parsed({ attributes: { a: { from, ...(transform && { transform }) } } })
    assert.deepEqual(createEvaluator(mapping).evaluate(user()).attributes, value === undefined ? {} : { a: value })
  })
}

const rules = [
  { id: 'r1', role: 'admin', when: { group: 'g-1' } },
  { id: 'r2', role: 'billing', when: { filter: 'department eq "finance"' } },
  { id: 'r3', role: 'editor', when: { group_name: 'ENGINEERING', filter: 'title sw "Tour"' } },
  { id: 'r4', deny: 'admin', when: { filter: 'userType eq "Contractor"' } },
]
const contractor = { ...barbara, userType: 'Contractor' }

for (const { what, mode = 'all', who, roles } of [
  { what: 'all roles whose rules hold, sorted', who: { groups: [engineering] }, roles: ['admin', 'billing', 'editor'] },
  { what: 'no role of a group that the user is not in', who: {}, roles: ['billing'] },
  {
    what: 'a role by the name of a group',
    who: { groups: [{ id: 'g-2', name: 'engineering' }] },
    roles: ['billing', 'editor'],
  },
  { what: 'no denied role', who: { resource: contractor, groups: [engineering] }, roles: ['billing', 'editor'] },
  { what: 'the first role', mode: 'first', who: { groups: [engineering] }, roles: ['admin'] },
  {
    what: 'the first role that is not denied',
    mode: 'first',
    who: { resource: contractor, groups: [engineering] },
    roles: ['billing'],
  },
  { what: 'the default without another role', who: { resource: { userName: 'x' } }, roles: ['member'] },
  { what: 'nothing while inactive', who: { active: false, groups: [engineering] }, roles: [] },
]) {
  test(`a user gets ${what}`, () => {
    const mapping = parsed({ roles: { mode, default: ['member'], rules } })
    assert.deepEqual(createEvaluator(mapping).evaluate(user(who)).roles, roles)
  })
}

test('an explanation names the rules that give and deny a role', () => {
  const mapping = parsed({ roles: { default: ['member'], rules } })
  const { roles, denied } = createEvaluator(mapping).explain(user({ resource: contractor, groups: [engineering] }))
  assert.deepEqual(
    roles.map(({ role, because }) => [role, because.map(({ rule, group }) => [rule, group?.name])]),
    [
      ['billing', [['r2', undefined]]],
      ['editor', [['r3', 'Engineering']]],
    ],
  )
  assert.deepEqual(
    denied.map(({ role, because }) => [role, because.map(({ rule }) => rule)]),
    [['admin', ['r4']]],
  )
})

test('rules are found by groups exactly as by looking at each rule', () => {
  const letter = fc.constantFrom('a', 'b', 'c')
  const filter = fc.constantFrom(
    'title eq "a"',
    'title eq "b" or userType pr',
    'not (userType eq "c")',
    'active eq true',
  )
  const condition = fc
    .record({ group: letter, group_name: fc.constantFrom('A', 'b', 'Ç'), filter }, { requiredKeys: [] })
    .filter((one) => Object.keys(one).length > 0)
  const anyRule = fc.tuple(fc.constantFrom('role', 'deny'), letter, condition)
  const groups = fc.uniqueArray(fc.record({ id: letter, name: fc.constantFrom('a', 'B', 'ç') }), {
    selector: ({ id }) => id,
  })
  const resource = fc.record({ title: letter, userType: letter, active: fc.boolean() }, { requiredKeys: ['active'] })
  const mode = fc.constantFrom('all' as const, 'first' as const)
  const property = fc.property(
    fc.array(anyRule, { maxLength: 12 }),
    fc.uniqueArray(letter),
    mode,
    groups,
    resource,
    (written, defaults, howMany, memberships, attributes) => {
      const document = written.map(([kind, role, when]) => ({ [kind]: role, when }))
      const mapping = parsed({ roles: { mode: howMany, default: defaults, rules: document } })
      const subject = { resource: attributes, active: attributes.active, groups: memberships }
      const found = createEvaluator(mapping).evaluate(subject).roles
      assert.deepEqual(found, naiveRoles(written, defaults, howMany, subject))
    },
  )
  fc.assert(property, { numRuns: cases(1000) })
})

type WrittenRule = readonly [string, string, { group?: string; group_name?: string; filter?: string }]

/** The roles as the documentation defines them, rule by rule. */
function naiveRoles(
  written: readonly WrittenRule[],
  defaults: readonly string[],
  mode: 'all' | 'first',
  { resource, active, groups }: MappedUser,
): readonly string[] {
  if (!active) return []
  const holds = ({ group, group_name, filter }: WrittenRule[2]) =>
    (group === undefined || groups.some(({ id }) => id === group)) &&
    (group_name === undefined || groups.some(({ name }) => name.toLowerCase() === group_name.toLowerCase())) &&
    (filter === undefined || matches(parseUserFilter(filter).filter, resource))
  const holding = written.filter(([, , when]) => holds(when))
  const denied = holding.filter(([kind]) => kind === 'deny').map(([, role]) => role)
  const given = holding.filter(([kind, role]) => kind === 'role' && !denied.includes(role)).map(([, role]) => role)
  if (given.length === 0) return defaults.filter((role) => !denied.includes(role)).sort()
  return mode === 'first' ? given.slice(0, 1) : [...new Set(given)].sort()
}

test('filters that would take too long for a user give no role, and those that deny one hold', () => {
  const conditions = (name: string) => Array.from({ length: 900 }, (_, n) => `emails.value co "${name}${n}x"`)
  const mapping = parsed({
    attributes: { nick: { from: ['nickName'], transform: [{ default: 'none' }] } },
    roles: {
      default: ['member', 'guest'],
      rules: [
        { id: 'filter', role: 'admin', when: { filter: `userName pr or ${conditions('a').join(' or ')}` } },
        { id: 'group', role: 'admin', when: { group: engineering.id } },
        { id: 'deny', deny: 'guest', when: { filter: conditions('b').join(' or ') } },
      ],
    },
  })
  const { examine, evaluate } = createEvaluator(mapping)
  const emails = (count: number) => ({
    ...{ userName: 'ann', nickName: 'annie' },
    emails: Array.from({ length: count }, (_, n) => ({ value: `${n}@acme.example` })),
  })
  assert.deepEqual(evaluate(user({ resource: emails(10) })), { roles: ['admin'], attributes: { nick: 'annie' } })
  const { evaluation, isTooCostly, rules } = examine(user({ resource: emails(5_000) }))
  assert.deepEqual([evaluation, isTooCostly, rules], [{ roles: ['member'], attributes: {} }, true, ['deny']])
  assert.deepEqual(evaluate(user({ resource: emails(5_000), groups: [engineering] })).roles, ['admin'])
})
