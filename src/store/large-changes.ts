import type { Cause, StoredEvent } from '../directory/event.ts'
import type { Group, MemberType } from '../directory/group.ts'
import { groupViewText } from '../directory/group.ts'
import { nestedGroupsEvent, userInGroupText } from '../directory/member-changes.ts'
import type { MembersCommitted } from '../directory/store.ts'
import type { User } from '../directory/user.ts'
import type { MemberChanges } from '../scim/patch/members.ts'
import { numberEvents } from './events.ts'
import type { GroupChange, GroupStart, NewMember } from './group-changes.ts'
import { bucketOf } from './lists.ts'

/** A change that touches more members than this is made in steps. */
export const maxMembersAtOnce = 1_000

/** How many members a change names. One that replaces the list also touches all present members. */
export function countNamed(members: MemberChanges): number {
  return members.kind === 'replace' ? members.members.size : members.add.size + members.remove.size
}

/** A present member: its type and its position in the list. */
export interface PresentMember {
  readonly memberType: MemberType
  readonly sequence: number
}

/** What one step writes. */
export interface MemberStep {
  readonly events: readonly StoredEvent[]
  readonly added: readonly NewMember[]
  readonly removed: readonly string[]
}

/** What makes the steps of a change visible. */
export interface Publication {
  readonly kind: GroupChange<never>['kind']
  readonly group: Group
  /** The events that precede those of the steps. */
  readonly events: readonly StoredEvent[]
  readonly lastSequence: number
  /** How many members the group's list gains or loses, by bucket. */
  readonly counts: ReadonlyMap<number, number>
}

/**
 * What a change in steps asks of an engine. Nobody else writes to the directory meanwhile, and nobody sees what the steps
 * write before they are published.
 */
export interface SteppedWrite {
  /** The sequence number of the directory's last event. */
  readonly lastSequence: number
  /** The number of members per step. */
  readonly stepSize: number
  findGroup(): Promise<Group | undefined>
  presentMembers(ids: readonly string[]): Promise<Map<string, PresentMember>>
  /** The next present members in the order of their ids; none at the end. */
  presentMembersAfter(id: string): Promise<Map<string, PresentMember>>
  /** The types of those ids that are a user or a group of the directory. */
  typesOf(ids: readonly string[]): Promise<Map<string, MemberType>>
  users(ids: readonly string[]): Promise<Map<string, User>>
  write(step: MemberStep): Promise<void>
  publish(publication: Publication): Promise<void>
}

/** A change that was made in steps; `events` are the first ones only. */
export interface SteppedChange extends MembersCommitted {
  readonly lastSequence: number
}

/** Makes a change of many members in steps, with the same events as `decideGroupChange` gives it. */
export async function changeInSteps<R extends string>(
  store: SteppedWrite,
  { kind, groupId, members, cause, start }: GroupChange<R>,
): Promise<SteppedChange | R> {
  const started = start(kind === 'create' ? undefined : await store.findGroup())
  if (typeof started === 'string') return started
  const present = await readPresent(store, members)
  const removed = removedBy(members, present)
  const { added, skipped } = await addedBy(store, groupId, members, present)
  const events = firstEvents(started, added, removed, store.lastSequence, cause)
  const writer = createStepWriter(store, started, store.lastSequence + events.length, cause)
  for (const chunk of chunksOf([...removed], store.stepSize)) await writer.remove(chunk)
  const nestedSequence = store.lastSequence + started.events.length + 1
  for (const chunk of chunksOf([...added], store.stepSize)) await writer.add(chunk, nestedSequence)
  const { lastSequence, counts } = writer.written()
  if (lastSequence === store.lastSequence) return { events: [], group: started.group, skipped, lastSequence }
  await store.publish({ kind, group: started.changed, events, lastSequence, counts })
  return { events: events.length > 0 ? events : writer.firstEvents(), group: started.changed, skipped, lastSequence }
}

/** The result of a change in steps: its further events are read when they are asked for. */
export function withFurtherEvents(
  { lastSequence, ...committed }: SteppedChange,
  eventsAfter: (sequence: number) => Promise<readonly StoredEvent[]>,
): MembersCommitted {
  const heldSequence = committed.events.at(-1)?.sequence ?? lastSequence
  if (heldSequence === lastSequence) return committed
  return { ...committed, furtherEvents: readEvents(heldSequence, lastSequence, eventsAfter) }
}

async function* readEvents(
  first: number,
  last: number,
  eventsAfter: (sequence: number) => Promise<readonly StoredEvent[]>,
): AsyncGenerator<StoredEvent> {
  for (let sequence = first; sequence < last; ) {
    const events = (await eventsAfter(sequence)).filter((event) => event.sequence <= last)
    yield* events
    sequence = events.at(-1)?.sequence ?? last
  }
}

type Members = ReadonlyMap<string, PresentMember>
type Joining = ReadonlyMap<string, MemberType>

/** Reads all members when a change replaces them, else those that it names. */
async function readPresent(store: SteppedWrite, members: MemberChanges): Promise<Map<string, PresentMember>> {
  const present = new Map<string, PresentMember>()
  const keep = (page: Members) => {
    for (const [id, member] of page) present.set(id, member)
  }
  if (members.kind === 'replace') {
    let page = await store.presentMembersAfter('')
    while (page.size > 0) {
      keep(page)
      page = await store.presentMembersAfter([...page.keys()].at(-1) ?? '')
    }
    return present
  }
  const named = [...members.add.keys(), ...members.remove]
  for (const chunk of chunksOf(named, store.stepSize)) keep(await store.presentMembers(chunk))
  return present
}

function removedBy(members: MemberChanges, present: Members): Members {
  if (members.kind === 'replace') return new Map([...present].filter(([id]) => !members.members.has(id)))
  return new Map([...members.remove].flatMap((id) => entryOf(present, id)))
}

function entryOf(present: Members, id: string): [string, PresentMember][] {
  const member = present.get(id)
  return member === undefined ? [] : [[id, member]]
}

async function addedBy(store: SteppedWrite, groupId: string, members: MemberChanges, present: Members) {
  const wanted = members.kind === 'replace' ? members.members : members.add
  const [added, skipped] = [new Map<string, MemberType>(), [] as string[]]
  const absent = [...wanted.keys()].filter((id) => !present.has(id))
  for (const chunk of chunksOf(absent, store.stepSize)) {
    const types = await store.typesOf(chunk)
    for (const id of chunk) {
      const memberType = types.get(id)
      if (memberType === undefined || id === groupId) skipped.push(id)
      else added.set(id, memberType)
    }
  }
  return { added, skipped }
}

function firstEvents(
  { group, events }: GroupStart,
  added: Joining,
  removed: Members,
  lastSequence: number,
  cause: Cause,
): StoredEvent[] {
  const joined = [...added].flatMap(([id, memberType]) => (memberType === 'Group' ? [id] : []))
  const left = [...removed].flatMap(([id, { memberType }]) => (memberType === 'Group' ? [id] : []))
  return numberEvents([...events, ...nestedGroupsEvent(groupViewText(group), joined, left)], lastSequence, cause)
}

/** Writes the steps of a change one after the other, counting what they add and remove. */
function createStepWriter(store: SteppedWrite, { group }: GroupStart, lastSequence: number, cause: Cause) {
  const groupText = groupViewText(group)
  const counts = new Map<number, number>()
  let last = lastSequence
  let first: readonly StoredEvent[] = []

  function count(sequence: number, by: 1 | -1): void {
    const bucket = bucketOf(sequence)
    counts.set(bucket, (counts.get(bucket) ?? 0) + by)
  }

  /** The events about those of the ids that are users, with the users' sequence numbers. */
  async function userEvents(eventType: 'group.user_added' | 'group.user_removed', ids: readonly string[]) {
    const users = await store.users(ids)
    const found = ids.flatMap((id) => users.get(id) ?? [])
    const drafts = found.map((user) => ({ eventType, data: userInGroupText(user, groupText) }))
    const events = numberEvents(drafts, last, cause)
    const sequences = new Map(found.map(({ id }, index) => [id, last + index + 1]))
    last += events.length
    if (first.length === 0) first = events
    return { events, sequences }
  }

  return {
    async remove(members: readonly (readonly [string, PresentMember])[]): Promise<void> {
      const users = members.flatMap(([id, { memberType }]) => (memberType === 'User' ? [id] : []))
      const { events } = await userEvents('group.user_removed', users)
      for (const [, { sequence }] of members) count(sequence, -1)
      await store.write({ events, added: [], removed: members.map(([id]) => id) })
    },
    async add(members: readonly (readonly [string, MemberType])[], nestedSequence: number): Promise<void> {
      const users = members.flatMap(([id, memberType]) => (memberType === 'User' ? [id] : []))
      const { events, sequences } = await userEvents('group.user_added', users)
      const added = members.map(([id, memberType]) => {
        return { id, memberType, sequence: sequences.get(id) ?? nestedSequence }
      })
      for (const { sequence } of added) count(sequence, 1)
      await store.write({ events, added, removed: [] })
    },
    firstEvents: () => first,
    written: () => ({ lastSequence: last, counts }),
  }
}

function chunksOf<T>(values: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let start = 0; start < values.length; start += size) chunks.push(values.slice(start, start + size))
  return chunks
}
