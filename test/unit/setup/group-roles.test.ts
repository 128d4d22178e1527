import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MappingDocument, RuleDocument } from '../../../src/mapping/document.ts'
import { parseMapping } from '../../../src/mapping/parse.ts'
import { groupRolesIn, withGroupRole } from '../../../src/setup/group-roles.ts'

const given = (group: string, role: string) => ({ id: `portal:${group}`, role, when: { group } })
const extending = (...rules: RuleDocument[]): MappingDocument => ({ extends: 'product', roles: { rules } })
const vendors = { id: 'admins', role: 'admin', when: { group_name: 'Admins' } }
const own: MappingDocument = { roles: { mode: 'first', default: ['member'], rules: [vendors] } }
const changed = { ...given('g1', 'admin'), when: { group: 'g1', filter: 'userType eq "Employee"' } }

/** A mapping before and after a group `g1` gets a role, or none, where the groups g1 to g3 exist. */
interface Case {
  readonly what: string
  readonly before: MappingDocument | null
  readonly role: string | null
  readonly after: MappingDocument | null
}

const cases: readonly Case[] = [
  {
    what: 'a directory without a mapping of its own gets one that extends that of its product',
    ...{ before: null, role: 'admin', after: extending(given('g1', 'admin')) },
  },
  {
    what: 'a rule follows those of other groups',
    before: extending(given('g2', 'billing')),
    ...{ role: 'admin', after: extending(given('g2', 'billing'), given('g1', 'admin')) },
  },
  {
    what: 'a rule is changed where it is',
    before: extending(given('g1', 'admin'), given('g2', 'billing')),
    ...{ role: 'billing', after: extending(given('g1', 'billing'), given('g2', 'billing')) },
  },
  {
    what: 'a role is taken away',
    before: extending(given('g1', 'admin'), given('g2', 'billing')),
    ...{ role: null, after: extending(given('g2', 'billing')) },
  },
  {
    what: 'the mapping is removed with its last rule if it only extends that of the product',
    ...{ before: extending(given('g1', 'admin')), role: null, after: null },
  },
  { what: 'nothing is taken away where there is nothing', before: null, role: null, after: null },
  {
    what: 'the mapping stays without its last rule if the product has put something else into it',
    before: { extends: 'product', roles: { keep_at_least: { admin: 1 }, rules: [given('g1', 'admin')] } },
    ...{ role: null, after: { extends: 'product', roles: { keep_at_least: { admin: 1 }, rules: [] } } },
  },
  {
    what: 'attributes of the product stay too',
    before: { extends: 'product', attributes: { title: { from: ['title'] } }, roles: { rules: [given('g1', 'a')] } },
    role: null,
    after: { extends: 'product', attributes: { title: { from: ['title'] } }, roles: { rules: [] } },
  },
  {
    what: 'a mapping that does not extend keeps everything that the product has put into it',
    before: own,
    ...{ role: 'admin', after: { roles: { ...own.roles, rules: [vendors, given('g1', 'admin')] } } },
  },
  {
    what: 'a mapping that does not extend is never removed',
    ...{ before: { roles: { rules: [given('g1', 'admin')] } }, role: null, after: { roles: { rules: [] } } },
  },
  {
    what: 'rules of groups that were deleted go, whatever their role',
    before: extending(given('gone', 'admin'), given('g2', 'billing'), given('also gone', 'owner')),
    ...{ role: 'admin', after: extending(given('g2', 'billing'), given('g1', 'admin')) },
  },
  {
    what: 'a rule of the product for the same group, or for a deleted one, stays',
    before: extending({ id: 'x', role: 'owner', when: { group: 'g1' } }, { deny: 'admin', when: { group: 'gone' } }),
    role: null,
    after: extending({ id: 'x', role: 'owner', when: { group: 'g1' } }, { deny: 'admin', when: { group: 'gone' } }),
  },
  {
    what: 'a rule that the product has changed stays',
    ...{ before: extending(changed, given('g2', 'a')), role: null, after: extending(changed, given('g2', 'a')) },
  },
]

const exists = (group: string) => ['g1', 'g2', 'g3'].includes(group)

for (const { what, before, role, after } of cases) {
  test(what, async () => {
    const result = withGroupRole(before, { groupId: 'g1', role }, exists)
    assert.deepEqual(result, after)
    if (result !== null) await parseMapping(result, 'directory', async () => {})
  })
}

test('only rules of the portal are roles of groups, and changed ones are recognized', () => {
  const denying = { id: 'portal:g3', deny: 'admin', when: { group: 'g3' } }
  const roles = groupRolesIn(extending(vendors, given('g2', 'billing'), changed, denying, { ...vendors, id: 'g4' }))
  assert.deepEqual(
    [...roles],
    [
      ['g2', { role: 'billing', isUnchanged: true }],
      ['g1', { role: 'admin', isUnchanged: false }],
      ['g3', { role: null, isUnchanged: false }],
    ],
  )
  assert.equal(groupRolesIn(null).size, 0)
})
