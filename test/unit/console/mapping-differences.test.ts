import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Difference } from '../../../console/src/console/mapping/differences.ts'
import { differencesOf } from '../../../console/src/console/mapping/differences.ts'
import type { MappingDocument } from '../../../console/src/console/mapping/document.ts'
import { newRule } from '../../../console/src/console/mapping/document.ts'
import { placeRemarks } from '../../../console/src/console/mapping/problems.ts'
import { en } from '../../../console/src/texts/en.ts'
import { DirectoryError } from '../../../src/directory/errors.ts'
import { parseMapping } from '../../../src/mapping/parse.ts'

const admins = { id: 'admins', role: 'admin', when: { group_name: 'Engineering' } }
const contractors = { id: 'contractors', deny: 'admin', when: { group: 'g1', filter: 'userType eq "Contractor"' } }

interface Case {
  readonly what: string
  readonly before: MappingDocument | null
  readonly after: MappingDocument | null
  readonly differences: readonly Difference[]
}

const cases: readonly Case[] = [
  { what: 'nothing', before: { roles: { mode: 'all', rules: [] } }, after: {}, differences: [] },
  {
    what: 'a new mapping',
    before: null,
    after: { roles: { default: ['member', 'user'], keep_at_least: { admin: 2 }, rules: [admins] } },
    differences: [
      { name: 'Roles of users without any other', from: undefined, to: 'member, user' },
      { name: 'Users who must keep admin', from: undefined, to: '2 users' },
      { name: 'Rule admins', from: undefined, to: 'admin if in the group Engineering' },
    ],
  },
  {
    what: 'a removed mapping',
    before: {
      extends: 'product',
      attributes: { domain: { from: ['userName'], transform: ['lower', { after: '@' }] } },
    },
    after: null,
    differences: [
      { name: 'Basis', from: 'the mapping of the product', to: undefined },
      { name: 'Attribute domain', from: 'userName; to lower case; what is after “@”', to: undefined },
    ],
  },
  {
    what: 'a changed rule, and one more',
    before: { roles: { rules: [admins] } },
    after: { roles: { mode: 'first', rules: [{ ...admins, role: 'owner' }, contractors] } },
    differences: [
      { name: 'Which rules count', from: undefined, to: 'Only the first that holds' },
      { name: 'Rule admins', from: 'admin if in the group Engineering', to: 'owner if in the group Engineering' },
      {
        name: 'Rule contractors',
        from: undefined,
        to: 'never admin if in the group with the id g1 and userType eq "Contractor"',
      },
    ],
  },
  {
    what: 'another order',
    before: { roles: { rules: [admins, contractors, { role: 'x', when: { filter: 'active pr' } }] } },
    after: { roles: { rules: [contractors, admins] } },
    differences: [
      { name: 'Rule r1', from: 'x if active pr', to: undefined },
      { name: 'Order of the rules', from: 'admins, contractors', to: 'contractors, admins' },
    ],
  },
  {
    what: 'other sources, and what they become',
    before: { attributes: { a: { from: ['title'] } } },
    after: {
      attributes: { a: { from: ['title', 'userType'], transform: [{ map: { IT: 'Engineering' } }, { new: 1 }] } },
    },
    differences: [
      {
        name: 'Attribute a',
        from: 'title',
        to: 'title or else userType; replaced by “IT” = “Engineering”; {"new":1}',
      },
    ],
  },
]

for (const { what, before, after, differences } of cases) {
  test(`the differences between two mappings in words: ${what}`, () => {
    assert.deepEqual(differencesOf(before, after, en.roles), differences)
  })
}

test('problems and warnings are placed at the rules and attributes that they name', () => {
  const document: MappingDocument = {
    attributes: { a: { from: ['title'] }, 'a.b': { from: ['x.y'] } },
    roles: { rules: [{ role: 'x' }, admins] },
  }
  const filter = 'roles.rules[1] (admins).when.filter'
  const { rules, attributes, others } = placeRemarks(
    document,
    [
      { field: filter, message: `${filter}: no such attribute.` },
      { field: 'roles.rules[0].when', message: 'roles.rules[0].when: name a group.' },
      { field: 'roles.rules[0].role', message: 'roles.rules[0].role: text of 1 to 100 characters.' },
      { field: 'attributes.a.b.from[0]', message: 'attributes.a.b.from[0]: unknown.' },
      { field: 'roles.mode', message: 'roles.mode: all or first.' },
    ],
    [
      { code: 'rule-for-nobody', rule: 'r1', message: 'Rule r1 matches no active user.' },
      { code: 'rule-for-nobody', rule: 'of-product', message: 'Rule of-product matches no active user.' },
      { code: 'too-few-users', rule: 'admins', message: '0 users have the role admins.' },
    ],
    en.roles,
  )
  assert.deepEqual(rules.get(1), [{ text: 'no such attribute.', field: 'filter', isWarning: false }])
  assert.deepEqual(rules.get(0), [
    { text: 'Add a group or a filter.', field: 'when', isWarning: false },
    { text: 'Enter a role.', field: 'role', isWarning: false },
    { text: 'Rule r1 matches no active user.', isWarning: true },
  ])
  assert.deepEqual([...attributes], [['a.b', [{ text: 'unknown.', field: 'from[0]', isWarning: false }]]])
  assert.deepEqual(
    others.map(({ text, isWarning }) => `${isWarning} ${text}`),
    [
      'false roles.mode: all or first.',
      'true Rule of-product matches no active user.',
      'true 0 users have the role admins.',
    ],
  )
})

/** What is said about a draft, by the fields of its parts: what the service finds, in the words of the form. */
async function saidAbout(document: MappingDocument): Promise<Record<string, string>> {
  const refusal = await parseMapping(document, 'product', async () => {}).catch((error: DirectoryError) => error)
  assert(refusal instanceof DirectoryError)
  const { rules, attributes, others } = placeRemarks(document, refusal.problems, [], en.roles)
  const all = [...rules.values(), ...attributes.values(), others].flat()
  return Object.fromEntries(all.map(({ field, text }) => [field ?? '', text]))
}

for (const { what, document, says } of [
  {
    what: 'a new rule, without a second problem for its condition',
    document: { roles: { rules: [newRule({})] } },
    says: { role: en.roles.wrong.role, group_name: en.roles.wrong.group_name },
  },
  {
    what: 'a rule without a condition',
    document: { roles: { rules: [{ role: 'admin', when: {} }] } },
    says: { when: en.roles.wrong.when },
  },
  {
    what: 'a rule that denies no role',
    document: { roles: { rules: [{ deny: '', when: { filter: '' } }] } },
    says: { role: en.roles.wrong.role, filter: en.roles.wrong.filter },
  },
  {
    what: 'two rules with one id',
    document: { roles: { rules: [admins, admins] } },
    says: { id: en.roles.wrong.id },
  },
  {
    what: 'a new attribute',
    document: { attributes: { title: { from: [''] } } },
    says: { 'from[0]': en.roles.wrong.from },
  },
  {
    what: 'an attribute with a wrong name and a step without a text',
    document: { attributes: { 'a b': { from: ['title'] }, title: { from: ['title'], transform: [{ after: '' }] } } },
    says: { name: en.roles.wrong.attribute, transform: en.roles.wrong.transform },
  },
  {
    what: 'roles that are empty or that nobody gets',
    document: { roles: { default: [''], keep_at_least: { owner: 1 } } },
    says: { default: en.roles.wrong.default, 'keep owner': en.roles.wrongKept('owner') },
  },
]) {
  test(`the form says in its own words what is wrong with ${what}`, async () => {
    assert.deepEqual(await saidAbout(document), says)
  })
}

test('what a mapping would do is a sentence', () => {
  const { summary } = en.roles
  assert.equal(summary(12, [{ role: 'admin', gain: 10, lose: 2 }]), '12 users change: 10 gain admin, 2 lose it.')
  assert.equal(
    summary(3, [
      { role: 'admin', gain: 1, lose: 1 },
      { role: 'billing', gain: 0, lose: 1 },
      { role: 'member', gain: 2, lose: 0 },
    ]),
    '3 users change: 1 gains admin, 1 loses it; 1 loses billing; 2 gain member.',
  )
  assert.equal(summary(1, []), '1 user changes.')
})
