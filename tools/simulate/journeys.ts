import type { JsonObject } from '../../src/scim/json.ts'
import { own } from '../../src/scim/json.ts'
import type { Dialect, LinkedGroup, LinkedUser } from './dialect.ts'
import type { Person } from './people/person.ts'
import { afterProfileChange } from './people/person.ts'
import type { Team } from './people/team.ts'
import type { ScimRequest, Send } from './scim-call.ts'
import { idOf, resourcesOf, totalOf } from './scim-call.ts'

/** What the simulation brought about, counted as the service confirmed it. */
export interface Outcome {
  usersCreated: number
  /** Users who were there already and were taken over. */
  usersLinked: number
  usersUpdated: number
  usersDeactivated: number
  usersDeleted: number
  groupsCreated: number
  groupsLinked: number
  membersAdded: number
  membersRemoved: number
}

/** What a journey needs: how the provider speaks, the line to the service, and where results are counted. */
export interface Session {
  readonly dialect: Dialect
  readonly send: Send
  readonly outcome: Outcome
}

/** Looks the person up; creates the user, or takes over the one that is there and pushes the profile. */
export async function joinUser(session: Session, person: Person): Promise<LinkedUser> {
  const { dialect, send, outcome } = session
  const found = resourcesOf(await send(dialect.lookUpUser(person)))[0]
  if (found !== undefined) return takeOver(session, person, found)
  const id = idOf(await send(dialect.createUser(person)))
  outcome.usersCreated += 1
  return { id, person, managerId: undefined }
}

async function takeOver({ dialect, send, outcome }: Session, person: Person, found: JsonObject): Promise<LinkedUser> {
  const user = { id: idOf({ status: 200, body: found }), person, managerId: undefined }
  if (own(found, 'active') === false) await sendAll(send, dialect.setActive(user, true))
  await sendAll(send, dialect.updateUser(user))
  outcome.usersLinked += 1
  return user
}

/** Pushes a changed profile, with the manager where there is one. */
export async function updateUser(session: Session, user: LinkedUser, manager?: LinkedUser): Promise<LinkedUser> {
  const changed = { ...user, person: afterProfileChange(user.person), managerId: manager?.id }
  await sendAll(session.send, session.dialect.updateUser(changed))
  session.outcome.usersUpdated += 1
  return changed
}

/** Looks the group up, creates it when it is missing, adds the members in several calls and takes some out again. */
export async function pushGroup(session: Session, team: Team, members: readonly LinkedUser[]): Promise<void> {
  const { dialect } = session
  const created = dialect.membersAtCreation
  const { group, alreadyIn } = await findOrCreateGroup(session, team, members.slice(0, created))
  await addMembers(session, group, members, alreadyIn)
  if (members.length > 1) await removeMembers(session, group, members, Math.floor(members.length * 0.9))
}

interface FoundGroup {
  readonly group: LinkedGroup
  /** How many of the members went in with the creation. */
  readonly alreadyIn: number
}

async function findOrCreateGroup(
  { dialect, send, outcome }: Session,
  team: Team,
  firstMembers: readonly LinkedUser[],
): Promise<FoundGroup> {
  const found = await findByName(send, dialect.lookUpGroup(team), team.name)
  if (found !== undefined) {
    outcome.groupsLinked += 1
    return { group: { id: idOf({ status: 200, body: found }), team }, alreadyIn: 0 }
  }
  const id = idOf(await send(dialect.createGroup(team, firstMembers)))
  outcome.groupsCreated += 1
  outcome.membersAdded += firstMembers.length
  return { group: { id, team }, alreadyIn: firstMembers.length }
}

/** Some providers list all groups and look for the name themselves: page by page then. */
async function findByName(send: Send, lookUp: ScimRequest, name: string): Promise<JsonObject | undefined> {
  let seen = 0
  for (let request = lookUp; ; request = { ...lookUp, path: `${lookUp.path}?startIndex=${seen + 1}` }) {
    const answer = await send(request)
    const page = resourcesOf(answer)
    const found = page.find((resource) => own(resource, 'displayName') === name)
    seen += page.length
    if (found !== undefined || page.length === 0 || seen >= totalOf(answer) || lookUp.path.includes('?')) return found
  }
}

async function addMembers(
  { dialect, send, outcome }: Session,
  group: LinkedGroup,
  members: readonly LinkedUser[],
  alreadyIn: number,
): Promise<void> {
  const size = callSize(members.length - alreadyIn, dialect.membersPerCall)
  for (let start = alreadyIn; start < members.length; start += size) {
    const added = members.slice(start, start + size)
    await sendAll(send, dialect.addMembers(group, { members: added, after: members.slice(0, start + size) }))
    outcome.membersAdded += added.length
  }
}

/** At least two calls wherever there are two members: that is what large groups look like. */
function callSize(count: number, limit: number): number {
  return Math.max(1, Math.min(limit, Math.ceil(count / 2)))
}

/** Takes the last of the members out, until so many stay. */
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

/** Deactivates the user, and deletes it as well when told to. */
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
