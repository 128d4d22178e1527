import type { FakeUser } from '../../fake-google/model/items.ts'
import type { WorkspaceModel } from '../../fake-google/model/workspace-model.ts'
import { generatePeople } from '../../simulate/people/person.ts'

export const companyDomain = 'initech.example.com'
const userCount = 48
const seed = 7

/** The users and groups of a company in a Google Workspace. */
export interface Company {
  /** Makes the changes of a typical week and describes each in a sentence. */
  changeSomeUsers(): readonly string[]
}

/** Adds users and groups to a Workspace. */
export function createCompany(google: WorkspaceModel): Company {
  const users = generatePeople(userCount, seed, companyDomain).map((person) =>
    google.addUser({
      primaryEmail: person.email,
      givenName: person.givenName,
      familyName: person.familyName,
      organizations: [{ primary: true, title: person.title, department: person.department }],
    }),
  )
  const teams = teamsOf(users).map(([name, members]) => addGroup(google, name, members))
  const everyone = addGroup(google, 'Everyone', [])
  for (const { id } of teams) google.nestGroup(everyone.id, id)
  return { changeSomeUsers: () => changeSomeUsers(google, users, teams) }
}

/** The users of each department. */
function teamsOf(users: readonly FakeUser[]): [string, FakeUser[]][] {
  return Object.entries(Object.groupBy(users, departmentOf)).map(([name, members = []]) => [name, members])
}

function departmentOf({ organizations }: FakeUser): string {
  return String(organizations?.[0]?.['department'] ?? 'Others')
}

function addGroup(google: WorkspaceModel, name: string, members: readonly FakeUser[]) {
  const local = name.toLowerCase().replaceAll(/[^a-z]+/g, '-')
  const group = google.addGroup({ email: `${local}.team@${companyDomain}`, name })
  for (const { id } of members) google.addUserToGroup(group.id, id)
  return group
}

function changeSomeUsers(
  google: WorkspaceModel,
  users: readonly FakeUser[],
  teams: readonly { readonly id: string; readonly name: string }[],
): string[] {
  const [married, suspended, leaver, mover] = users
  const [team] = teams
  if (!married || !suspended || !leaver || !mover || !team) throw new Error('the company is too small')
  const [newHire] = generatePeople(userCount + 1, seed, companyDomain).slice(-1)
  if (!newHire) throw new Error('there is nobody to hire')

  google.renameUser(married.id, `${married.givenName.toLowerCase()}.newname@${companyDomain}`)
  google.changeUser(married.id, { familyName: 'Newname' })
  google.suspendUser(suspended.id)
  google.deleteUser(leaver.id)
  const hired = google.addUser({
    ...{ primaryEmail: newHire.email, givenName: newHire.givenName, familyName: newHire.familyName },
    organizations: [{ primary: true, title: newHire.title, department: team.name }],
  })
  google.addUserToGroup(team.id, hired.id)
  const isMember = google.members(team.id).some(({ id }) => id === mover.id)
  if (isMember) google.removeMember(team.id, mover.id)
  else google.addUserToGroup(team.id, mover.id)
  return [
    `${nameOf(married)} has a new family name and email address`,
    `${nameOf(suspended)} is suspended`,
    `${nameOf(leaver)} has left the company and is deleted`,
    `${nameOf(hired)} is hired and joins ${team.name}`,
    `${nameOf(mover)} ${isMember ? 'leaves' : 'joins'} ${team.name}`,
  ]
}

function nameOf({ givenName, familyName }: FakeUser): string {
  return `${givenName} ${familyName}`
}
