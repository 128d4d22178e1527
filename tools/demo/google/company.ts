import type { FakeUser } from '../../fake-google/model/items.ts'
import type { WorkspaceModel } from '../../fake-google/model/workspace-model.ts'
import { generatePeople } from '../../simulate/people/person.ts'

export const companyDomain = 'initech.example.com'
const people = 48
const seed = 7

/** A company in a Google Workspace, and what happens there. */
export interface Company {
  /** What everybody would notice: someone comes, someone goes, someone marries ...; a sentence for each. */
  passWeek(): readonly string[]
}

/** Fills a Workspace with people and their groups. */
export function foundCompany(google: WorkspaceModel): Company {
  const users = generatePeople(people, seed, companyDomain).map((person) =>
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
  return { passWeek: () => passWeek(google, users, teams) }
}

/** The people of each department. */
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

function passWeek(
  google: WorkspaceModel,
  users: readonly FakeUser[],
  teams: readonly { readonly id: string; readonly name: string }[],
): string[] {
  const [married, suspended, leaver, mover] = users
  const [team] = teams
  if (!married || !suspended || !leaver || !mover || !team) throw new Error('the company is too small')
  const [newcomer] = generatePeople(people + 1, seed, companyDomain).slice(-1)
  if (!newcomer) throw new Error('nobody is left to be hired')

  google.renameUser(married.id, `${married.givenName.toLowerCase()}.newname@${companyDomain}`)
  google.changeUser(married.id, { familyName: 'Newname' })
  google.suspendUser(suspended.id)
  google.deleteUser(leaver.id)
  const hired = google.addUser({
    ...{ primaryEmail: newcomer.email, givenName: newcomer.givenName, familyName: newcomer.familyName },
    organizations: [{ primary: true, title: newcomer.title, department: team.name }],
  })
  google.addUserToGroup(team.id, hired.id)
  const isMember = google.members(team.id).some(({ id }) => id === mover.id)
  if (isMember) google.removeMember(team.id, mover.id)
  else google.addUserToGroup(team.id, mover.id)
  return [
    `${nameOf(married)} has another family name and address`,
    `${nameOf(suspended)} is suspended`,
    `${nameOf(leaver)} has left and is deleted`,
    `${nameOf(hired)} was hired, into ${team.name}`,
    `${nameOf(mover)} ${isMember ? 'left' : 'joined'} ${team.name}`,
  ]
}

function nameOf({ givenName, familyName }: FakeUser): string {
  return `${givenName} ${familyName}`
}
