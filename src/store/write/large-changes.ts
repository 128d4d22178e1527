import type { MembersCommitted } from '../../directory/directory-store.ts'
import type { StoredEvent } from '../../directory/event.ts'
import { charactersOf } from '../../directory/event.ts'
import type { MemberType } from '../../directory/group.ts'
import type { RemovalRun } from '../../directory/removal-limit.ts'
import { returnRun } from '../../directory/removal-limit.ts'
import type { MemberChanges } from '../../scim/patch/members.ts'
import type { GroupChange, GroupStart } from '../group-changes.ts'
import { decodeMemberType } from '../groups.ts'
import { bytesInEvents, idElements } from '../large-changes.ts'
import type { CountedState } from '../removals.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import type { Dialect, Statement } from '../sql-database.ts'
import { minuteOf } from '../volumes.ts'
import { namesIn, writeMembers, writesOf } from './change-groups.ts'
import type { WrittenDirectory } from './effects/effect.ts'
import { countEvents, writeStepEvents } from './effects/events.ts'
import { keepRemovedMemberships, windowsRequest } from './effects/removals.ts'
import type { Facts, FactsRequest } from './facts.ts'
import type { GroupBatch } from './group-batch.ts'
import { applyChange, changeMembers, createGroupBatch, startChange } from './group-batch.ts'
import { afterLargeChange } from './group-effects.ts'
import { membersInGroup } from './group-facts.ts'
import { addChange } from './state.ts'
import type { StateChange, Writes } from './writes.ts'
import { noChange, WriteCollection } from './writes.ts'

/** Members per step: the event loop does nothing else while one is decided. */
const stepSize = 100

/** The ids that are asked at once whether they are groups, which hardly any is, and how many bytes their users have, or read as members. */
const idsPerQuestion = 500

/** The most bytes of the users and events of a step, unless it is of one member. */
const maxBytesPerStep = 500_000

/**
 * The operations of an engine for a change in steps. Nobody else writes to the directory meanwhile, and nobody sees what the
 * steps write before they are published. Other work of the process is done before a call returns.
 */
export interface SteppedWrite {
  /** The counters of the directory, before the change. */
  readonly state: CountedState
  read(request: FactsRequest): Promise<Facts>
  /** The next members in the order of their ids, with their types; none at the end. */
  membersAfter(id: string): Promise<ReadonlyMap<string, MemberType>>
  /** The bytes of those that are users. */
  userBytes(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Writes a step. @param state the counters with the events of the steps before it */
  write(step: Writes, state: CountedState): Promise<void>
  /** Writes the rest, and makes the steps visible. */
  publish(writes: Writes): Promise<void>
}

/** Makes the reads of members that are the same on both engines. @param rows reads in the transaction of a step */
export function createMemberReads(dialect: Dialect) {
  const { elementsOf, rowBy } = dialect
  const after = membersInGroup(dialect, '$2', 'm.member_id, m.member_type', String(idsPerQuestion), '$3')
  const bytes = `
    select u.id, octet_length(u.raw) as bytes from ${elementsOf('$2', 'j')} ${rowBy('users', 'u', 'id', 'j.value ->> 0')}`
  return (
    directoryId: string,
    groupId: string,
    rows: (statement: Statement) => Promise<readonly Row[]>,
  ): Pick<SteppedWrite, 'membersAfter' | 'userBytes'> => ({
    async membersAfter(id) {
      const found = await rows({ text: after, values: [directoryId, groupId, id] })
      return new Map(found.map((row) => [text(row, 'member_id'), decodeMemberType(row)]))
    },
    async userBytes(ids) {
      const found = await rows({ text: bytes, values: [directoryId, idElements(ids)] })
      return new Map(found.map((row) => [text(row, 'id'), integer(row, 'bytes')]))
    },
  })
}

/** A change that was made in steps; `events` are the first ones only. */
export interface SteppedChange extends MembersCommitted {
  readonly lastSequence: number
  /** The characters of all events. */
  readonly characters: number
}

/**
 * Makes a change of many members in steps, with the same events as `changeGroups`. Nothing but the ids that the change names is held
 * for all of its members. The group itself is written when the steps are published, and so are the groups in it, which have one event.
 */
export async function changeInSteps<R extends string>(
  store: SteppedWrite,
  directory: WrittenDirectory,
  change: GroupChange<R>,
): Promise<SteppedChange | R> {
  const { state } = store
  const { groupId, kind, members, cause } = change
  const groupNames = namesIn(directory, [change])
  const found = await store.read({ changes: [{ groupId, members: deltaOf([], []) }], groupNames })
  const started = startChange(batchOf(directory, found, state), change)
  if (typeof started === 'string') return started
  const nested = await nestedGroups(store, groupId, members)
  const facts = await store.read({
    changes: [{ groupId, members: nested }],
    groupNames,
    ...windowsRequest(directory.id),
  })
  const batch = batchOf(directory, facts, state)
  const stored = batch.groups.get(groupId)
  const applied = applyChange(batch, { ...change, members: nested })
  if (typeof applied === 'string') return applied
  const steps = createSteps(store, { directory, change, started, batch, facts })
  for await (const ids of leavingUsers(store, members, nested)) await steps.make(ids, (step) => deltaOf([], step))
  const joining = [...wantedBy(members)].filter((id) => !nested.add.has(id))
  for (const ids of chunksOf(joining, idsPerQuestion)) await steps.make(ids, (step) => deltaOf(step, []))
  const { firstEvents, characters, total, skipped } = steps.made
  const lastSequence = state.lastSequence + batch.events.length + total.events
  if (lastSequence === state.lastSequence) return { ...applied, skipped, lastSequence, characters }
  const group = started.changed
  if (kind === 'members') {
    batch.changed.add(groupId)
    batch.groups.set(groupId, group)
  }
  batch.removals.push(...steps.removals())
  const writes = writesOf(directory, facts, batch, cause.at)
  countEvents(minuteOf(cause.at), total.events, writes)
  addChange(writes.state, total)
  // The users who join and leave are not held: the group stands for them.
  const users = total.events > 0 ? [groupId] : []
  afterLargeChange({ before: stored, after: group, users, cause }, directory, writes)
  await store.publish(writes)
  const events = batch.events.length > 0 ? batch.events : firstEvents
  return { events, group, skipped, lastSequence, characters: charactersOf(batch.events) + characters }
}

function batchOf({ uniqueGroupNames: isUnique = false }: WrittenDirectory, facts: Facts, state: CountedState) {
  if (facts.groups === undefined) throw new Error('Changes of groups are decided on facts.')
  return createGroupBatch({ facts: facts.groups, state, isUnique })
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

/** Members to add and to remove. */
type Delta = Extract<MemberChanges, { kind: 'delta' }>

function deltaOf(add: Iterable<string>, remove: Iterable<string>): Delta {
  return { kind: 'delta', add: new Set(add), remove: new Set(remove) }
}

function wantedBy(members: MemberChanges): ReadonlySet<string> {
  return members.kind === 'replace' ? members.members : members.add
}

/** The groups among the members that a change adds and removes. */
async function nestedGroups(store: SteppedWrite, groupId: string, members: MemberChanges): Promise<Delta> {
  const joining = await groupsAmong(store, wantedBy(members))
  const leaving = members.kind === 'delta' ? await groupsAmong(store, members.remove) : []
  if (members.kind === 'replace') {
    for await (const page of leavingPages(store, members.members)) {
      for (const [id, memberType] of page) if (memberType === 'Group') leaving.push(id)
    }
  }
  return deltaOf(
    joining.filter((id) => id !== groupId),
    leaving,
  )
}

async function groupsAmong(store: SteppedWrite, ids: Iterable<string>): Promise<string[]> {
  const found: string[] = []
  for (const asked of chunksOf(ids, idsPerQuestion)) {
    // No stored id has a NUL character, and PostgreSQL rejects a parameter that has one.
    const { groupStates } = await store.read({ groupStates: asked.filter((id) => !id.includes('\0')) })
    found.push(...asked.filter((id) => groupStates.has(id)))
  }
  return found
}

/** The ids of those who leave, without groups. */
async function* leavingUsers(
  store: SteppedWrite,
  members: MemberChanges,
  nested: Delta,
): AsyncGenerator<readonly string[]> {
  if (members.kind === 'delta') {
    const leaving = [...members.remove].filter((id) => !nested.remove.has(id))
    yield* chunksOf(leaving, idsPerQuestion)
  } else {
    for await (const page of leavingPages(store, members.members)) {
      yield page.flatMap(([id, memberType]) => (memberType === 'User' ? [id] : []))
    }
  }
}

/** The present members who are not wanted, a page at a time. */
async function* leavingPages(store: SteppedWrite, wanted: ReadonlySet<string>) {
  let page = await store.membersAfter('')
  while (page.size > 0) {
    yield [...page].filter(([id]) => !wanted.has(id))
    page = await store.membersAfter([...page.keys()].at(-1) ?? '')
  }
}

/** Divides ids into steps whose events have few bytes. */
async function stepsOf(store: SteppedWrite, ids: readonly string[], groupBytes: number): Promise<string[][]> {
  const userBytes = await store.userBytes(ids)
  const steps: string[][] = []
  let left = 0
  for (const id of ids) {
    const bytes = groupBytes + (userBytes.get(id) ?? 0)
    left -= bytes
    const step = steps.at(-1)
    if (step !== undefined && left >= 0 && step.length < stepSize) step.push(id)
    else {
      steps.push([id])
      left = maxBytesPerStep - bytes
    }
  }
  return steps
}

/** What the steps of a change have written. */
interface Made {
  /** The events of the first step that has some. */
  firstEvents: readonly StoredEvent[]
  /** The characters of the events. */
  characters: number
  readonly total: StateChange
  /** The ids that neither a user nor a group has. */
  readonly skipped: string[]
}

interface StepParts {
  readonly directory: WrittenDirectory
  readonly change: GroupChange<string>
  readonly started: GroupStart
  /** The rest of the change, whose events precede those of the steps. */
  readonly batch: GroupBatch
  readonly facts: Facts
}

/** Makes the steps of a change one after the other. */
function createSteps(
  store: SteppedWrite,
  { directory, change: { groupId, cause }, started: { group, changed }, batch, facts }: StepParts,
) {
  const { state } = store
  const groupBytes = bytesInEvents(Buffer.byteLength(group.raw))
  const made: Made = { firstEvents: [], characters: 0, total: noChange(), skipped: [] }
  /** All removals of the change, which follow each other. */
  let removed: RemovalRun | undefined
  const undone: number[] = []

  async function makeStep(members: MemberChanges): Promise<void> {
    const found = await store.read({ changes: [{ groupId, members, isGroupKnown: true }] })
    const before = { ...state, lastSequence: state.lastSequence + batch.events.length + made.total.events }
    const step = { ...batchOf(directory, found, before), counts: batch.counts }
    const { events, skipped } = changeMembers(step, { groupId, members, cause }, { group, events: [], changed })
    made.skipped.push(...skipped)
    if (events.length === 0) return
    for (const { undone: positions = [], ...run } of step.removals) {
      undone.push(...positions)
      if (run.removals > 0) removed = { ...run, ...removed, removals: (removed?.removals ?? 0) + run.removals }
    }
    const writes = new WriteCollection()
    writeStepEvents(events, writes)
    writeMembers(found, step, writes)
    if (removed !== undefined && step.ended.size > 0) {
      const removals = { runs: [removed], memberships: [...step.ended.values()] }
      keepRemovedMemberships(removals, { directory, facts, at: cause.at }, writes)
    }
    const { tables, statements } = writes
    await store.write({ tables, statements, state: noChange() }, before)
    addChange(made.total, writes.state)
    made.characters += charactersOf(events)
    if (made.firstEvents.length === 0) made.firstEvents = events
  }

  return {
    made,
    async make(ids: readonly string[], membersOf: (step: readonly string[]) => MemberChanges): Promise<void> {
      for (const step of await stepsOf(store, ids, groupBytes)) await makeStep(membersOf(step))
    },
    removals(): RemovalRun[] {
      if (removed !== undefined) return [{ ...removed, undone }]
      return undone.length > 0 ? [returnRun(undone)] : []
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
