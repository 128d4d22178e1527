import type { DirectoryChanged } from '../../directory/directory-store.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { Group } from '../../directory/group.ts'
import { returnRun } from '../../directory/removal-limit.ts'
import type { GroupChange } from '../group-changes.ts'
import { decodeGroup, decodeMemberType, groupColumns } from '../groups.ts'
import { checkHealth } from '../health-checks.ts'
import type { PresentMember, SteppedChange, SteppedWrite } from '../large-changes.ts'
import { changeInSteps, countNamed, fewMembers, isLargeChange, maxMembersAtOnce, namedIds } from '../large-changes.ts'
import { bucketSize } from '../lists.ts'
import type { MappedRevision } from '../mapped-users.ts'
import { affectedUsers, runStart } from '../mapped-users.ts'
import { membershipRemovals, windowsRead } from '../removals.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import { decodeUser, userColumns } from '../users.ts'
import { writeEvents } from '../write/effects/events.ts'
import { WriteCollection } from '../write/writes.ts'
import type { Database, RunAll, Statement } from './database.ts'
import { decodeLocked, lockDirectory } from './directories.ts'
import { deleteMembers, groupStatements, insertMembers } from './groups.ts'
import { createCountChanges } from './list-counts.ts'
import { holdersOf, membersInGroup, namedMember } from './members.ts'
import type { Reader } from './reader.ts'
import { withoutNulIds } from './reader.ts'
import type { RemovalFacts } from './removals.ts'
import { membershipsKept, membershipsTaken, removalStatements, windowOf } from './removals.ts'
import { changeGroupTerms } from './search-terms.ts'
import { oneRow, rowBy } from './sql.ts'
import { writeStatements } from './write/statement.ts'

/** Members per round trip: the event loop does nothing else while one step is prepared. */
const stepSize = 100

const group = oneRow('groups', 'g', 'id', '$2', groupColumns)

const named = `
  select m.member_id, m.member_type, m.sequence from unnest((select $3::text[])) as n (member_id)
  cross join lateral (${namedMember('*', '$2')}) m`

const after = membersInGroup('$2', 'm.member_id, m.member_type, m.sequence', '500', '$3')

const groups = `select g.id from unnest((select $2::text[])) as k (id) ${rowBy('groups', 'g', 'id', 'k.id')}`

const users = `select ${userColumns} from unnest((select $2::text[])) as k (id) ${rowBy('users', 'u', 'id', 'k.id')}`

const userBytes = `
  select u.id, octet_length(u.raw) as bytes from unnest((select $2::text[])) as k (id) ${rowBy('users', 'u', 'id', 'k.id')}`

/**
 * Measures the members that a change of the group `$2` touches: the users among `$3`, and if `$4` all present members, of which no more than are
 * changed at once are measured.
 */
const touched = `
  with present as materialized (
    select m.member_id from (${membersInGroup('$2', 'm.member_id', String(maxMembersAtOnce + 1))}) m where $4::int4 = 1
  )
  select (select count(*) from present) as present,
    coalesce((select octet_length(g.raw) from (${oneRow('groups', 'g', 'id', '$2')}) g), 0) as group_bytes,
    (select coalesce(sum(octet_length(u.raw)), 0) from (
      select unnest((select $3::text[])) union all select member_id from present
    ) k (id) ${rowBy('users', 'u', 'id', 'k.id')}) as user_bytes`

/** Whether a change is made in steps. What it touches is measured, unless there are few members. */
export async function isLarge({ row }: Reader, directoryId: string, change: GroupChange<string>): Promise<boolean> {
  const { kind, groupId, members } = change
  const named = countNamed(members)
  if (named > maxMembersAtOnce) return true
  const isReplaced = members.kind === 'replace' && kind !== 'create'
  if (!isReplaced && named <= fewMembers) return false
  const values = [directoryId, groupId, withoutNulIds(namedIds(members)), Number(isReplaced)]
  const found = (await row({ text: touched, values })) ?? {}
  const count = named + integer(found, 'present')
  return isLargeChange(change, {
    count,
    userBytes: integer(found, 'user_bytes'),
    groupBytes: integer(found, 'group_bytes'),
  })
}

/**
 * Changes many members in one transaction of many round trips. Only writes to the same directory wait for it; nobody sees
 * anything of it before the commit, and this process holds a step of it at a time.
 */
export function changeLargeGroup<R extends string>(
  database: Database,
  directory: MappedRevision,
  change: GroupChange<R>,
): Promise<SteppedChange | R | DirectoryChanged> {
  return database.longTransaction(async (run) => {
    const [lock, windows] = await run([lockDirectory(directory), windowsRead(directory.id)])
    const state = decodeLocked(lock)
    if (state === undefined) return 'directory-changed'
    const facts = { directoryId: directory.id, limit: directory.removalLimit ?? null, state, windows }
    return changeInSteps(steppedWrite(run, facts, change.groupId, directory), change)
  })
}

function steppedWrite(
  run: RunAll,
  facts: RemovalFacts,
  groupId: string,
  { product, uniqueGroupNames: isUnique = false, compiled }: MappedRevision,
): SteppedWrite {
  let before: Group | undefined
  const { directoryId } = facts
  const { lastSequence, discardedEvents, memberships } = facts.state
  const rowSequence = lastSequence + discardedEvents + 1
  const isCounted = facts.limit !== null || windowOf(facts, 'memberships').isHeld
  /** The positions of removals that the change undoes, and how many it makes. */
  const undone: number[] = []
  const rows = async (statement: Statement): Promise<Row[]> => (await run([statement]))[0] ?? []
  const members = async (text: string, last: unknown) =>
    decodeMembers(await rows({ text, values: [directoryId, groupId, last] }))
  return {
    ...{ lastSequence, discardedEvents, memberships },
    stepSize,
    async findGroup() {
      const [row] = await rows({ text: group, values: [directoryId, groupId] })
      before = row && decodeGroup(row)
      return before
    },
    async isNameTaken(name) {
      if (!isUnique) return false
      return (await rows(holdersOf(directoryId, [name]))).some((row) => text(row, 'id') !== groupId)
    },
    presentMembers: (ids) => members(named, withoutNulIds(ids)),
    presentMembersAfter: (id) => members(after, id),
    async groupsAmong(ids) {
      const found = await rows({ text: groups, values: [directoryId, withoutNulIds(ids)] })
      return new Set(found.map((row) => text(row, 'id')))
    },
    async userBytes(ids) {
      const found = await rows({ text: userBytes, values: [directoryId, withoutNulIds(ids)] })
      return new Map(found.map((row) => [text(row, 'id'), integer(row, 'bytes')]))
    },
    async users(ids) {
      const found = (await rows({ text: users, values: [directoryId, withoutNulIds(ids)] })).map(decodeUser)
      return new Map(found.map((user) => [user.id, user]))
    },
    async write({ events, added, removed, ended }) {
      const leaving = { text: deleteMembers, values: [directoryId, removed.map(() => groupId), removed] }
      const joining = [
        added.map(() => groupId),
        added.map(({ id }) => id),
        added.map(({ memberType }) => memberType),
        added.map(({ sequence }) => sequence),
      ]
      const [taken = []] = await run([
        membershipsTaken(
          directoryId,
          groupId,
          added.map(({ id }) => id),
        ),
        ...(isCounted ? membershipsKept(directoryId, facts.state, ended) : []),
        ...(removed.length > 0 ? [leaving] : []),
        ...(added.length > 0 ? [{ text: insertMembers, values: [directoryId, ...joining] }] : []),
        ...eventStatements(facts, events, 0),
      ])
      for (const row of taken) undone.push(integer(row, 'row_position'))
    },
    async publish({ kind, group, events, counts: changes, removals: runs, at, requestId, ...publication }) {
      const affected = affectedUsers(compiled, before, group, changes.size > 0 ? [groupId] : [])
      const removals = membershipRemovals(undone.length > 0 ? [returnRun(undone), ...runs] : runs, [], at)
      const counts = createCountChanges()
      for (const [bucket, by] of changes) counts.count(groupId, bucket * bucketSize, by)
      if (kind === 'create') counts.count('groups', rowSequence, 1)
      await run([
        ...groupStatements(directoryId, kind, group, rowSequence),
        ...(kind === 'members' ? [] : changeGroupTerms({ id: directoryId, product }, [{ before, after: group }])),
        ...counts.statements(directoryId),
        ...eventStatements(facts, events, publication.memberships),
        ...removalStatements(facts, removals),
        ...(affected === undefined ? [] : [runStart(directoryId, { requestId, at })]),
        ...(facts.state.hasChanged ? [] : [checkHealth(directoryId)]),
      ])
      if (affected !== undefined) compiled?.onRun?.()
    },
  }
}

/** The statements that write events with the numbers that they have; `publish` makes the check of health due. */
function eventStatements(
  { directoryId, state }: RemovalFacts,
  events: readonly StoredEvent[],
  memberships: number,
): Statement[] {
  const writes = new WriteCollection()
  writeEvents(events, writes)
  writes.state.memberships += memberships
  const lastSequence = (events[0]?.sequence ?? 1) - 1
  return writeStatements(directoryId, writes, { ...state, lastSequence, hasChanged: true })
}

function decodeMembers(rows: readonly Row[]): Map<string, PresentMember> {
  return new Map(
    rows.map((row) => [
      text(row, 'member_id'),
      { memberType: decodeMemberType(row), sequence: integer(row, 'sequence') },
    ]),
  )
}
