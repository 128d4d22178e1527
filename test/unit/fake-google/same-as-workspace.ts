import assert from 'node:assert/strict'
import type { FakeGroup, FakeUser } from '../../../tools/fake-google/model/items.ts'
import { isActive } from '../../../tools/fake-google/model/items.ts'
import type { WorkspaceModel } from '../../../tools/fake-google/model/workspace-model.ts'
import type { Replica } from '../../support/replica.ts'

/** The compared content of a directory: the fields of each user and group, by id. */
type Facts = Map<string, Readonly<Record<string, unknown>>>

const shownDifferences = 20

/**
 * Asserts that a directory equals a Workspace or one domain of it: the same users and groups with Google's ids and
 * without duplicates, with the same names, states and members. The replica comes from the API (`replicaRead`) or from
 * the events (`replicaFrom`).
 */
export function assertSameAsWorkspace(replica: Replica, model: WorkspaceModel, domain?: string): void {
  const found = differencesFrom(replica, model, domain)
  const more = found.length > shownDifferences ? [`… and ${found.length - shownDifferences} more`] : []
  const lines = [...found.slice(0, shownDifferences), ...more]
  assert(found.length === 0, `The directory is not as the Workspace:\n${lines.join('\n')}`)
}

/** One line per difference from the Workspace. */
export function differencesFrom(replica: Replica, model: WorkspaceModel, domain?: string): string[] {
  const users = replica.users as readonly StoredRow[]
  const groups = replica.groups as readonly StoredRow[]
  const usersInGoogle = factsOf(model.expectedUsers(domain), factsOfUser)
  const groupsInGoogle = factsOf(model.expectedGroups(domain), factsOfGroup)
  return [
    ...twice('user', users),
    ...differences('user', factsOf(users, storedUserFacts), usersInGoogle),
    ...twice('group', groups),
    ...differences('group', factsOf(groups, storedGroupFacts), groupsInGoogle),
    ...[...groupsInGoogle.keys()].flatMap((id) =>
      memberDifferences(id, replica.members[id] ?? [], model.expectedMembers(id, domain)),
    ),
  ]
}

/** A user or group as the API returns it, unchecked. */
interface StoredRow {
  readonly id: string
  readonly active?: boolean
  readonly email?: string | null
  readonly name?: string
  readonly raw: Readonly<Record<string, unknown>>
}

function factsOf<T extends { readonly id: string }>(items: readonly T[], facts: (item: T) => Record<string, unknown>) {
  return new Map(items.map((item) => [item.id, facts(item)]))
}

function factsOfUser(user: FakeUser) {
  const { id: externalId, primaryEmail, givenName, familyName } = user
  return { userName: primaryEmail, email: primaryEmail, externalId, active: isActive(user), givenName, familyName }
}

function storedUserFacts({ active, email, raw }: StoredRow) {
  const { givenName = '', familyName = '' } = (raw['name'] ?? {}) as { givenName?: string; familyName?: string }
  return { userName: raw['userName'], email, externalId: raw['externalId'], active, givenName, familyName }
}

/** A group without a name has its address as displayName. */
function factsOfGroup({ id, name, email }: FakeGroup) {
  return { name: name === '' ? email : name, externalId: id }
}

function storedGroupFacts({ name, raw }: StoredRow) {
  return { name, externalId: raw['externalId'] }
}

function twice(what: string, rows: readonly StoredRow[]): string[] {
  const lastPlaces = new Map(rows.map(({ id }, index) => [id, index]))
  return rows.flatMap(({ id }, index) => (lastPlaces.get(id) === index ? [] : [`${what} ${id} is there twice`]))
}

function differences(what: string, stored: Facts, inGoogle: Facts): string[] {
  const missing = [...inGoogle].flatMap(([id, facts]) =>
    stored.has(id) ? [] : [`${what} ${id} is missing: ${JSON.stringify(facts)}`],
  )
  const others = [...stored].flatMap(([id, facts]) => {
    const expected = inGoogle.get(id)
    return expected === undefined
      ? [`${what} ${id} is too many: ${JSON.stringify(facts)}`]
      : otherFacts(what, id, facts, expected)
  })
  return [...missing, ...others]
}

function otherFacts(
  what: string,
  id: string,
  facts: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(expected).flatMap(([name, value]) =>
    facts[name] === value
      ? []
      : [`${what} ${id}: ${name} is ${JSON.stringify(facts[name])} and should be ${JSON.stringify(value)}`],
  )
}

function memberDifferences(groupId: string, stored: readonly string[], expected: readonly string[]): string[] {
  const [there, wanted] = [new Set(stored), new Set(expected)]
  const lines = [
    ...[...wanted.difference(there)].map((id) => `group ${groupId}: user ${id} is missing`),
    ...[...there.difference(wanted)].map((id) => `group ${groupId}: user ${id} is too many`),
  ]
  return stored.length === there.size ? lines : [...lines, `group ${groupId} has a member twice`]
}
