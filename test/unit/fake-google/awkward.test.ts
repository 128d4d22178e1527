import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addAwkwardCases, emptyDomain, secondDomain } from './awkward.ts'
import { emptyWorkspace } from './empty-workspace.ts'

const model = emptyWorkspace()
const { users, groups } = addAwkwardCases(model)

for (const { group, expected, what } of [
  { group: groups.empty, expected: [], what: 'an empty group has nobody' },
  { group: groups.inner, expected: [users.neverLoggedIn, users.suspended], what: 'suspended users are members' },
  {
    group: groups.doublyNested,
    expected: [users.plain, users.neverLoggedIn, users.suspended],
    what: 'who is in a group of a group of a group is in it',
  },
  { group: groups.diamond, expected: [users.neverLoggedIn, users.suspended], what: 'two ways to a group count once' },
  { group: groups.circle[2], expected: [users.apostrophe, users.aliases], what: 'a circle of groups ends' },
  { group: groups.inItself, expected: [users.fullProfile], what: 'a group in itself ends' },
  { group: groups.external, expected: [users.plain], what: 'members from elsewhere do not count' },
  { group: groups.externalOnly, expected: [], what: 'a group of others has nobody' },
  { group: groups.forbidden, expected: [], what: 'what cannot be read is not expected' },
  { group: groups.nestsForbidden, expected: [users.renamed], what: 'a nested group that cannot be read is left out' },
]) {
  test(what, () => assert.deepEqual(model.expectedMembers(group ?? ''), expected.toSorted()))
}

test('everyone who is active, and a suspended user by name, is in a group of everyone', () => {
  const active = model.users().filter(({ suspended, archived }) => !suspended && !archived)
  const expected = [...active.map(({ id }) => id), users.suspended].sort()
  assert.deepEqual(model.expectedMembers(groups.customer), expected)
})

test('a group of both domains has one member in each', () => {
  const inSecond = model.expectedMembers(groups.ofBothDomains, secondDomain)
  assert.deepEqual(inSecond, [users.ofSecondDomain])
})

test('an empty domain has no users', () => assert.deepEqual(model.expectedUsers(emptyDomain), []))

test('a user without groups is in no group', () => {
  const direct = model.groups().flatMap(({ id }) => model.members(id))
  assert(!direct.some(({ id }) => id === users.inNoGroup))
})

test('a rehired user has a new id', () => {
  const [former] = model.deletedUsers()
  const now = model.users().find(({ id }) => id === users.rehired)
  assert.equal(now?.primaryEmail, former?.primaryEmail)
})

test('the old address of a renamed user is an alias', () => {
  assert.equal(model.ownerOf('before.wedding@example.com'), users.renamed)
})
