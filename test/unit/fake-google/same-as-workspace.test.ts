import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkspaceModel } from '../../../tools/fake-google/model/workspace-model.ts'
import type { Replica } from '../../support/replica.ts'
import { addAwkwardCases, secondDomain } from './awkward.ts'
import { emptyWorkspace } from './empty-workspace.ts'
import { assertSameAsWorkspace, differencesFrom } from './same-as-workspace.ts'

interface Row {
  readonly id: string
  readonly raw: Readonly<Record<string, unknown>>
}

interface Rows extends Replica {
  readonly users: readonly Row[]
  readonly groups: readonly Row[]
}

/** The response of the API after a correct sync of a Workspace. */
function synced(model: WorkspaceModel, domain?: string): Rows {
  const groups = model.expectedGroups(domain)
  return {
    users: model.expectedUsers(domain).map(({ id, primaryEmail, givenName, familyName, suspended, archived }) => ({
      id,
      email: primaryEmail,
      active: !suspended && !archived,
      raw: { userName: primaryEmail, externalId: id, name: { givenName, familyName } },
    })),
    groups: groups.map(({ id, name, email }) => ({ id, name: name || email, raw: { externalId: id } })),
    members: Object.fromEntries(groups.map(({ id }) => [id, model.expectedMembers(id, domain)])),
  }
}

function someWorkspace() {
  const model = emptyWorkspace()
  const cases = addAwkwardCases(model)
  return { model, ...cases, stored: synced(model) }
}

test('a directory equal to the Workspace passes', () => {
  const { model, stored } = someWorkspace()
  assertSameAsWorkspace(stored, model)
})

test('a directory of one domain is compared with that domain', () => {
  const { model } = someWorkspace()
  assertSameAsWorkspace(synced(model, secondDomain), model, secondDomain)
})

test('a difference is reported in one line', () => {
  const { model, users, stored } = someWorkspace()
  model.suspendUser(users.plain)
  assert.deepEqual(differencesFrom(stored, model), [
    `user ${users.plain}: active is true and should be false`,
    ...model.groups().flatMap(({ id }) => {
      const isMember = stored.members[id]?.includes(users.plain) && !model.expectedMembers(id).includes(users.plain)
      return isMember ? [`group ${id}: user ${users.plain} is too many`] : []
    }),
  ])
})

for (const { what, change, line } of [
  {
    what: 'a user who is missing',
    change: ({ users, ...rest }: Rows) => ({ ...rest, users: users.slice(1) }),
    line: /^user \d+ is missing: .*"userName"/,
  },
  {
    what: 'a user who should be gone',
    change: ({ users, ...rest }: Rows) => ({ ...rest, users: [...users, { id: '7', raw: {} }] }),
    line: /^user 7 is too many/,
  },
  {
    what: 'a user who is there twice',
    change: ({ users, ...rest }: Rows) => ({ ...rest, users: [...users, ...users.slice(0, 1)] }),
    line: /^user \d+ is there twice$/,
  },
  {
    what: 'a group with another name',
    change: ({ groups, ...rest }: Rows) => ({
      ...rest,
      groups: groups.map((row, n) => (n ? row : { ...row, name: 'x' })),
    }),
    line: /^group \w+: name is "x" and should be ".+"$/,
  },
  {
    what: 'a group with one member too many',
    change: ({ members, ...rest }: Rows) => ({ ...rest, members: withAnother(members) }),
    line: /^group \w+: user 7 is too many$/,
  },
]) {
  test(`${what} is reported`, () => {
    const { model, stored } = someWorkspace()
    const [first = '', ...others] = differencesFrom(change(stored), model)
    assert.match(first, line)
    assert.deepEqual(others, [])
  })
}

function withAnother(members: Replica['members']): Replica['members'] {
  const [id = ''] = Object.keys(members)
  return { ...members, [id]: [...(members[id] ?? []), '7'] }
}
