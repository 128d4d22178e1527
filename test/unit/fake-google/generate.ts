import type { FakeGroup, FakeUser } from '../../../tools/fake-google/model/items.ts'
import type { WorkspaceModel } from '../../../tools/fake-google/model/workspace-model.ts'
import type { Person } from '../../../tools/simulate/people/person.ts'
import { employeeNumberOf, generatePeople } from '../../../tools/simulate/people/person.ts'
import type { AwkwardCases } from './awkward.ts'
import { addAwkwardCases } from './awkward.ts'
import type { Random } from './random.ts'
import { seededRandom } from './random.ts'

/** The size and the seed of a generated Workspace. */
export interface WorkspaceSizes {
  readonly seed: number
  readonly users: number
  readonly groups: number
  /** Memberships of users in groups; at most one per user and group. */
  readonly memberships: number
}

/** The size used by the benchmark: a large customer. */
export const largeWorkspace: WorkspaceSizes = { seed: 1, users: 20_000, groups: 500, memberships: 100_000 }

/** Fills an empty Workspace with every edge case, and with plain users, groups and memberships. */
export function generateWorkspace(model: WorkspaceModel, sizes: WorkspaceSizes): AwkwardCases {
  const cases = addAwkwardCases(model)
  generatePlain(model, sizes)
  return cases
}

/**
 * Fills an empty Workspace with exactly the given numbers of active users, groups and direct memberships in its first
 * domain. Groups have up to twice the average size.
 *
 * @throws RangeError if there are too few users for the memberships
 */
export function generatePlain(model: WorkspaceModel, { seed, users, groups, memberships }: WorkspaceSizes): void {
  if (memberships > users * groups) throw new RangeError('more memberships than users and groups allow')
  const random = seededRandom(seed)
  const [domain = 'example.com'] = model.domains()
  const madeUsers = generatePeople(users, seed, domain).map((person) => addPerson(model, person))
  const sizes = groupSizes(memberships, groups, users, random)
  for (const [index, size] of sizes.entries()) {
    const group = addTeam(model, index + 1, domain)
    const first = random.between(0, users - 1)
    for (let n = 0; n < size; n += 1) addUserAt(model, group, madeUsers, first + n)
  }
}

function addPerson(model: WorkspaceModel, person: Person): FakeUser {
  const { email, givenName, familyName, title, department, phone } = person
  return model.addUser({
    primaryEmail: email,
    givenName,
    familyName,
    orgUnitPath: `/${department}`,
    organizations: [{ title, department, primary: true, customType: '' }],
    externalIds: [{ value: employeeNumberOf(person), type: 'organization' }],
    phones: [{ value: phone, type: 'work' }],
  })
}

function addTeam(model: WorkspaceModel, number: number, domain: string): FakeGroup {
  return model.addGroup({ email: `team-${number}@${domain}`, name: `Team ${number}`, description: 'Works together' })
}

/** Indexes wrap around. */
function addUserAt(model: WorkspaceModel, group: FakeGroup, users: readonly FakeUser[], place: number): void {
  const user = users[place % users.length]
  if (user !== undefined) model.addUserToGroup(group.id, user.id)
}

/** Sizes of all groups, at most `most` each, that add up to the total. */
function groupSizes(total: number, groups: number, most: number, random: Random): number[] {
  const average = Math.floor(total / Math.max(groups, 1))
  const rest = total - average * groups
  const room = Math.max(0, Math.min(average, most - average - 1))
  let more = 0
  return Array.from({ length: groups }, (_, index) => {
    const isPaired = index % 2 === 1 || index + 1 < groups
    more = index % 2 === 1 ? -more : random.between(0, room)
    return average + (isPaired ? more : 0) + (index < rest ? 1 : 0)
  })
}
