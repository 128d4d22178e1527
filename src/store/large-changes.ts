import type { ChangeBehavior } from '../directory/behaviors.ts'
import { behaviorsIn } from '../directory/behaviors.ts'
import type { MembersCommitted } from '../directory/directory-store.ts'
import type { Cause, EventType, StoredEvent } from '../directory/event.ts'
import { charactersOf } from '../directory/event.ts'
import type { Group, MemberType } from '../directory/group.ts'
import { groupViewText } from '../directory/group.ts'
import { nestedGroupsEvent } from '../directory/member-changes.ts'
import { maxMembershipBytes, membershipDataOf } from '../directory/membership-event.ts'
import type { RemovalRun } from '../directory/removal-limit.ts'
import type { User } from '../directory/user.ts'
import type { MemberChanges } from '../scim/patch/members.ts'
import { numberEvents } from './events.ts'
import type { GroupChange, GroupStart, NewMember } from './group-changes.ts'
import { claimedName } from './group-changes.ts'
import { bucketOf } from './lists.ts'
import type { MembershipRemoval } from './removals.ts'
import { endedMemberships, memberRemovalRuns } from './removals.ts'

/** A change that touches more members than this is made in steps. */
export const maxMembersAtOnce = 1_000

/** A change that touches no more members than this is made at once, however large they are. */
export const fewMembers = 5

/** A change whose users and events have more bytes than this is made in steps: each event has a user and the group. */
const maxBytesAtOnce = 2_000_000

/** The most bytes of the users and events of a step, unless it is of one member. */
const maxBytesPerStep = 500_000

/** The members that a change touches. */
export interface TouchedMembers {
  readonly count: number
  /** The bytes of those that are users. */
  readonly userBytes: number
  /** The bytes of the stored group; 0 without one. */
  readonly groupBytes: number
}

/** Whether a change is made in steps, which depends on the members that it touches. */
export function isLargeChange(
  { written }: Pick<GroupChange<string>, 'written'>,
  { count, userBytes, groupBytes }: TouchedMembers,
): boolean {
  const bytesPerMember = bytesInEvents(written === undefined ? groupBytes : Buffer.byteLength(written.raw))
  return count > maxMembersAtOnce || userBytes + count * bytesPerMember > maxBytesAtOnce
}

/** The most bytes of a group in the event about a member. */
function bytesInEvents(groupBytes: number): number {
  return Math.min(groupBytes, maxMembershipBytes)
}

/** The number of members that a change names. One that replaces the list also touches all present members. */
export function countNamed(members: MemberChanges): number {
  return members.kind === 'replace' ? members.members.size : members.add.size + members.remove.size
}

/** The ids of the members that a change names. */
export function namedIds(members: MemberChanges): string[] {
  return members.kind === 'replace' ? [...members.members] : [...members.add, ...members.remove]
}

/** A present member: its type and its position in the list. */
export interface PresentMember {
  readonly memberType: MemberType
  readonly sequence: number
}

/** The writes of one step. */
export interface MemberStep {
  readonly events: readonly StoredEvent[]
  readonly added: readonly NewMember[]
  readonly removed: readonly string[]
  /** The users among those who leave, each with the event about it. */
  readonly ended: readonly MembershipRemoval[]
}

/** The last writes of a change, which make its steps visible. */
export interface Publication {
  readonly kind: GroupChange<never>['kind']
  readonly group: Group
  /** The events that precede those of the steps. */
  readonly events: readonly StoredEvent[]
  readonly lastSequence: number
  /** The number of members that the group's list gains, by bucket; negative when it loses some. */
  readonly counts: ReadonlyMap<number, number>
  /** The number of members that the list gains; negative when it loses some. */
  readonly memberships: number
  /** The users who left the group. */
  readonly removals: readonly RemovalRun[]
  /** The behaviors that the events of the change show, those of the steps included. */
  readonly behaviors: readonly ChangeBehavior[]
  /** The time of the change, in Unix milliseconds. */
  readonly at: number
  readonly requestId: string
}

/**
 * The operations of an engine for a change in steps. Nobody else writes to the directory meanwhile, and nobody sees what the
 * steps write before they are published. Other work of the process is done before a call returns.
 */
export interface SteppedWrite {
  /** The sequence number of the directory's last event. */
  readonly lastSequence: number
  /** The difference between the sequences of rows and those of the events that create them. */
  readonly discardedEvents: number
  /** The number of memberships in the directory. */
  readonly memberships: number
  /** The number of members per step. */
  readonly stepSize: number
  findGroup(): Promise<Group | undefined>
  /** Whether another group has a folded name that must be unique. */
  isNameTaken(name: string): Promise<boolean>
  presentMembers(ids: readonly string[]): Promise<Map<string, PresentMember>>
  /** The next present members in the order of their ids; none at the end. */
  presentMembersAfter(id: string): Promise<Map<string, PresentMember>>
  /** The ids that belong to a group of the directory. */
  groupsAmong(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** The bytes of those that are users. */
  userBytes(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  users(ids: readonly string[]): Promise<Map<string, User>>
  write(step: MemberStep): Promise<void>
  publish(publication: Publication): Promise<void>
}

/** A change that was made in steps; `events` are the first ones only. */
export interface SteppedChange extends MembersCommitted {
  readonly lastSequence: number
  /** The characters of all events. */
  readonly characters: number
}

/**
 * Makes a change of many members in steps, with the same events as `decideGroupChange` gives it. Nothing but the ids that
 * the change names is held for all of its members: what the store knows of them is read again where it is needed.
 */
export async function changeInSteps<R extends string>(
  store: SteppedWrite,
  change: GroupChange<R>,
): Promise<SteppedChange | R> {
  const { kind, groupId, members, cause } = change
  const stored = kind === 'create' ? undefined : await store.findGroup()
  const claimed = claimedName(change, stored)
  const started = change.start(stored, claimed !== undefined && (await store.isNameTaken(claimed)))
  if (typeof started === 'string') return started
  const { joined, left } = await nestedChanges(store, groupId, members)
  const nested = nestedGroupsEvent(groupViewText(started.group), [...joined], left)
  const events = numberEvents([...started.events, ...nested], store.lastSequence, cause)
  const writer = createStepWriter(store, started, store.lastSequence + events.length, cause)
  const groupBytes = bytesInEvents(Buffer.byteLength(started.group.raw))
  for await (const step of leavingMembers(store, members)) {
    for (const part of await ofFewBytes(store, step, ([id]) => id, groupBytes)) await writer.remove(part)
  }
  const nestedMembers = {
    ids: joined,
    sequence: store.lastSequence + store.discardedEvents + started.events.length + 1,
  }
  const skipped: string[] = []
  for await (const ids of absentIds(store, members)) {
    for (const part of await ofFewBytes(store, ids, (id) => id, groupBytes)) {
      skipped.push(...(await writer.add(part, nestedMembers)))
    }
  }
  const { lastSequence, counts, firstEvents, characters, eventTypes, removals } = writer.written()
  if (lastSequence === store.lastSequence)
    return { events: [], group: started.group, skipped, lastSequence, characters }
  const behaviors = behaviorsIn([...events, ...[...eventTypes].map((eventType) => ({ eventType }))])
  const memberships = [...counts.values()].reduce((sum, by) => sum + by, 0)
  const published = { group: started.changed, events, lastSequence, counts, memberships, removals, behaviors }
  await store.publish({ kind, ...published, at: cause.at, requestId: cause.requestId })
  const held = events.length > 0 ? events : firstEvents
  return { events: held, group: started.changed, skipped, lastSequence, characters: characters + charactersOf(events) }
}

/**
 * The result of a change in steps: its further events are read when they are asked for. Those that are held then are left out, and
 * so are those that ending the hold has discarded: other events have their sequence numbers.
 */
export function withFurtherEvents(
  { lastSequence, characters, ...committed }: SteppedChange,
  eventsAfter: (sequence: number) => Promise<readonly StoredEvent[]>,
): MembersCommitted {
  const last = committed.events.at(-1)
  if (last === undefined || last.sequence === lastSequence) return committed
  const furtherEvents = {
    characters: characters - charactersOf(committed.events),
    lastSequence,
    [Symbol.asyncIterator]: () => readEvents(last, lastSequence, eventsAfter),
  }
  return { ...committed, furtherEvents }
}

async function* readEvents(
  { sequence: first, requestId }: StoredEvent,
  last: number,
  eventsAfter: (sequence: number) => Promise<readonly StoredEvent[]>,
): AsyncGenerator<StoredEvent> {
  for (let sequence = first; sequence < last; ) {
    const read = await eventsAfter(sequence)
    const events = read.filter((event) => event.sequence <= last && event.requestId === requestId)
    yield* events
    sequence = events.length < read.length ? last : (events.at(-1)?.sequence ?? last)
  }
}

/** Members with their ids. */
type Members = readonly (readonly [string, PresentMember])[]

/** The ids of a change that are asked at once whether they are groups: hardly any is. */
const idsPerQuestion = 500

/** The nested groups that a change adds and removes: their event precedes those of the users. */
async function nestedChanges(store: SteppedWrite, groupId: string, members: MemberChanges) {
  const [joined, left] = [new Set<string>(), [] as string[]]
  for await (const { id, isPresent } of namedGroups(store, wantedBy(members))) {
    if (!isPresent && id !== groupId) joined.add(id)
  }
  if (members.kind === 'delta') {
    for await (const { id, isPresent } of namedGroups(store, members.remove)) if (isPresent) left.push(id)
  } else {
    for await (const page of presentPages(store)) {
      for (const [id, { memberType }] of page) {
        if (memberType === 'Group' && !members.members.has(id)) left.push(id)
      }
    }
  }
  return { joined, left }
}

function wantedBy(members: MemberChanges): ReadonlySet<string> {
  return members.kind === 'replace' ? members.members : members.add
}

/** The groups among ids, and whether each is a member. */
async function* namedGroups(store: SteppedWrite, named: Iterable<string>) {
  for (const ids of chunksOf(named, idsPerQuestion)) {
    const found = await store.groupsAmong(ids)
    if (found.size === 0) continue
    const groups = ids.filter((id) => found.has(id))
    const present = await store.presentMembers(groups)
    for (const id of groups) yield { id, isPresent: present.has(id) }
  }
}

/** The members that leave, in steps. */
async function* leavingMembers(store: SteppedWrite, members: MemberChanges): AsyncGenerator<Members> {
  if (members.kind === 'delta') {
    for (const ids of chunksOf(members.remove, store.stepSize)) {
      const present = await store.presentMembers(ids)
      const leaving = ids.flatMap((id) => entryOf(present, id))
      if (leaving.length > 0) yield leaving
    }
  } else {
    for await (const page of presentPages(store)) {
      const leaving = [...page].filter(([id]) => !members.members.has(id))
      yield* chunksOf(leaving, store.stepSize)
    }
  }
}

async function* presentPages(store: SteppedWrite): AsyncGenerator<ReadonlyMap<string, PresentMember>> {
  let page = await store.presentMembersAfter('')
  while (page.size > 0) {
    yield page
    page = await store.presentMembersAfter([...page.keys()].at(-1) ?? '')
  }
}

function entryOf(present: ReadonlyMap<string, PresentMember>, id: string): [string, PresentMember][] {
  const member = present.get(id)
  return member === undefined ? [] : [[id, member]]
}

/** The wanted ids that are not members yet, in steps. */
async function* absentIds(store: SteppedWrite, members: MemberChanges): AsyncGenerator<string[]> {
  for (const ids of chunksOf(wantedBy(members), store.stepSize)) {
    const present = await store.presentMembers(ids)
    const absent = ids.filter((id) => !present.has(id))
    if (absent.length > 0) yield absent
  }
}

/** Divides a step into parts whose events have few bytes. */
async function ofFewBytes<T>(
  store: SteppedWrite,
  items: readonly T[],
  idOf: (item: T) => string,
  groupBytes: number,
): Promise<T[][]> {
  const bytesOf = await store.userBytes(items.map(idOf))
  const parts: T[][] = []
  let left = 0
  for (const item of items) {
    const bytes = groupBytes + (bytesOf.get(idOf(item)) ?? 0)
    left -= bytes
    const part = parts.at(-1)
    if (part !== undefined && left >= 0) part.push(item)
    else {
      parts.push([item])
      left = maxBytesPerStep - bytes
    }
  }
  return parts
}

/** The nested groups that join, and their position in the list. */
interface NestedMembers {
  readonly ids: ReadonlySet<string>
  readonly sequence: number
}

/** Writes the steps of a change one after the other, counting what they add and remove. */
function createStepWriter(store: SteppedWrite, { group }: GroupStart, lastSequence: number, cause: Cause) {
  const dataOf = membershipDataOf(group)
  const counts = new Map<number, number>()
  const eventTypes = new Set<EventType>()
  let last = lastSequence
  let firstEvents: readonly StoredEvent[] = []
  let characters = 0
  let removed: RemovalRun | undefined

  function count(sequence: number, by: 1 | -1): void {
    const bucket = bucketOf(sequence)
    counts.set(bucket, (counts.get(bucket) ?? 0) + by)
  }

  /** The events about those of the ids that are users, with the users' sequence numbers. */
  async function userEvents(eventType: 'group.user_added' | 'group.user_removed', ids: readonly string[]) {
    const users = await store.users(ids)
    const found = ids.flatMap((id) => users.get(id) ?? [])
    const drafts = found.map((user) => ({ eventType, data: dataOf(user), groupId: group.id }))
    const events = numberEvents(drafts, last, cause)
    const rows = last + store.discardedEvents
    const sequences = new Map(found.map(({ id }, index) => [id, rows + index + 1]))
    last += events.length
    if (events.length > 0) eventTypes.add(eventType)
    characters += charactersOf(events)
    if (firstEvents.length === 0) firstEvents = events
    return { events, sequences, found }
  }

  return {
    async remove(members: Members): Promise<void> {
      const users = members.flatMap(([id, { memberType }]) => (memberType === 'User' ? [id] : []))
      const { events, found } = await userEvents('group.user_removed', users)
      const [first] = memberRemovalRuns(events, store.memberships)
      if (first !== undefined) removed = { ...first, ...removed, removals: (removed?.removals ?? 0) + first.removals }
      for (const [, { sequence }] of members) count(sequence, -1)
      const ended = endedMemberships(
        events,
        group.id,
        found.map(({ id }) => id),
      )
      await store.write({ events, added: [], removed: members.map(([id]) => id), ended })
    },
    /** Returns the ids that neither a user nor another group has. */
    async add(ids: readonly string[], nested: NestedMembers): Promise<string[]> {
      const others = ids.filter((id) => !nested.ids.has(id))
      const { events, sequences } = await userEvents('group.user_added', others)
      const added = ids.flatMap((id): NewMember[] => {
        if (nested.ids.has(id)) return [{ id, memberType: 'Group', sequence: nested.sequence }]
        const sequence = sequences.get(id)
        return sequence === undefined ? [] : [{ id, memberType: 'User', sequence }]
      })
      for (const { sequence } of added) count(sequence, 1)
      if (added.length > 0) await store.write({ events, added, removed: [], ended: [] })
      return others.filter((id) => !sequences.has(id))
    },
    written: () => {
      const removals = removed === undefined ? [] : [removed]
      return { lastSequence: last, counts, firstEvents, characters, eventTypes, removals }
    },
  }
}

function* chunksOf<T>(values: Iterable<T>, size: number): Generator<T[]> {
  let chunk: T[] = []
  for (const value of values) {
    chunk.push(value)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
