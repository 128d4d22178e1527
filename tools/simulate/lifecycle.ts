import type { JsonObject } from '../../src/scim/json.ts'
import { own } from '../../src/scim/json.ts'
import type { Dialect, LinkedGroup, LinkedUser } from './dialect.ts'
import type { Person } from './people/person.ts'
import { afterProfileChange } from './people/person.ts'
import type { Team } from './people/team.ts'
import type { ScimRequest, Send } from './scim-call.ts'
import { idOf, resourcesOf, totalOf } from './scim-call.ts'

/** The changes that the service has confirmed. */
export interface Outcome {
  usersCreated: number
  /** Users that already existed. */
  usersLinked: number
  usersUpdated: number
  usersDeactivated: number
  usersDeleted: number
  groupsCreated: number
  groupsLinked: number
  membersAdded: number
  membersRemoved: number
}

export function emptyOutcome(): Outcome {
  return {
    usersCreated: 0,
    usersLinked: 0,
    usersUpdated: 0,
    usersDeactivated: 0,
    usersDeleted: 0,
    groupsCreated: 0,
    groupsLinked: 0,
    membersAdded: 0,
    membersRemoved: 0,
  }
}

/** The identity provider, its connection to the service, and the counters of the results. */
export interface Session {
  readonly dialect: Dialect
  readonly send: Send
  readonly outcome: Outcome
}

/** Looks up the person's user and creates it; an existing user is linked and updated instead. */
export async function createUser(session: Session, person: Person): Promise<LinkedUser> {
  const { dialect, send, outcome } = session
  const found = resourcesOf(await send(dialect.lookUpUser(person)))[0]
  if (found !== undefined) return linkUser(session, person, found)
  const id = idOf(await send(dialect.createUser(person)))
  outcome.usersCreated += 1
  return { id, person, managerId: undefined }
}

async function linkUser({ dialect, send, outcome }: Session, person: Person, found: JsonObject): Promise<LinkedUser> {
  const user = { id: idOf({ status: 200, body: found }), person, managerId: undefined }
  if (own(found, 'active') === false) await sendAll(send, dialect.setActive(user, true))
  await sendAll(send, dialect.updateUser(user))
  outcome.usersLinked += 1
  return user
}

/** Pushes a changed profile, with the manager if there is one. */
export async function updateUser(session: Session, user: LinkedUser, manager?: LinkedUser): Promise<LinkedUser> {
  const changed = { ...user, person: afterProfileChange(user.person), managerId: manager?.id }
  await sendAll(session.send, session.dialect.updateUser(changed))
  session.outcome.usersUpdated += 1
  return changed
}

/** Looks up the group or creates it, adds the members in several calls and removes some of them again. */
export async function pushGroup(session: Session, team: Team, members: readonly LinkedUser[]): Promise<void> {
  const { dialect } = session
  const created = dialect.membersAtCreation
  const { group, alreadyAdded } = await findOrCreateGroup(session, team, members.slice(0, created))
  await addMembers(session, group, members, alreadyAdded)
  if (members.length > 1) await removeMembers(session, group, members, Math.floor(members.length * 0.9))
}

interface FoundGroup {
  readonly group: LinkedGroup
  /** The number of members that were added with the creation. */
  readonly alreadyAdded: number
}

/** The group with the team's name, or a new one with its first members. */
export async function findOrCreateGroup(
  { dialect, send, outcome }: Session,
  team: Team,
  firstMembers: readonly LinkedUser[],
): Promise<FoundGroup> {
  const found = await findByName(send, dialect.lookUpGroup(team), team.name)
  if (found !== undefined) {
    outcome.groupsLinked += 1
    return { group: { id: idOf({ status: 200, body: found }), team }, alreadyAdded: 0 }
  }
  const id = idOf(await send(dialect.createGroup(team, firstMembers)))
  outcome.groupsCreated += 1
  outcome.membersAdded += firstMembers.length
  return { group: { id, team }, alreadyAdded: firstMembers.length }
}

/** Finds a resource by name. Providers that do not filter list all groups and search the pages themselves. */
async function findByName(send: Send, lookup: ScimRequest, name: string): Promise<JsonObject | undefined> {
  let read = 0
  for (let request = lookup; ; request = { ...lookup, path: `${lookup.path}?startIndex=${read + 1}` }) {
    const response = await send(request)
    const page = resourcesOf(response)
    const found = page.find((resource) => own(resource, 'displayName') === name)
    read += page.length
    if (found !== undefined || page.length === 0 || read >= totalOf(response) || lookup.path.includes('?')) return found
  }
}

/** Adds the members after the first `alreadyAdded`, in several calls. */
export async function addMembers(
  { dialect, send, outcome }: Session,
  group: LinkedGroup,
  members: readonly LinkedUser[],
  alreadyAdded: number,
): Promise<void> {
  const size = callSize(members.length - alreadyAdded, dialect.membersPerCall)
  for (let start = alreadyAdded; start < members.length; start += size) {
    const added = members.slice(start, start + size)
    await sendAll(send, dialect.addMembers(group, { members: added, after: members.slice(0, start + size) }))
    outcome.membersAdded += added.length
  }
}

/** Splits two or more members into at least two calls, as for large groups. */
function callSize(count: number, limit: number): number {
  return Math.max(1, Math.min(limit, Math.ceil(count / 2)))
}

/** Removes members from the end until `staying` are left. */
async function removeMembers(
  { dialect, send, outcome }: Session,
  group: LinkedGroup,
  members: readonly LinkedUser[],
  staying: number,
): Promise<void> {
  for (let end = members.length; end > staying; end -= dialect.membersPerCall) {
    const start = Math.max(staying, end - dialect.membersPerCall)
    const removed = members.slice(start, end)
    await sendAll(send, dialect.removeMembers(group, { members: removed, after: members.slice(0, start) }))
    outcome.membersRemoved += removed.length
  }
}

/** Deactivates the user and optionally deletes it. */
export async function offboardUser(session: Session, user: LinkedUser, thenDelete: boolean): Promise<void> {
  const { dialect, send, outcome } = session
  await sendAll(send, dialect.setActive(user, false))
  outcome.usersDeactivated += 1
  if (!thenDelete) return
  await send({ kind: 'delete user', method: 'DELETE', path: `/Users/${user.id}` })
  outcome.usersDeleted += 1
}

async function sendAll(send: Send, requests: readonly ScimRequest[]): Promise<void> {
  for (const request of requests) await send(request)
}
