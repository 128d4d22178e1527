import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { countStatements } from '../holds.ts'
import type { CountedState, MembershipRemoval, RemovalDecision, Removals, StoredWindow } from '../removals.ts'
import { decideRemovals, decodeWindow, deletedPerCommit } from '../removals.ts'
import type { Row } from '../row.ts'
import type { Statement } from './database.ts'
import type { ColumnType } from './parameters.ts'
import { withoutNulIds } from './reader.ts'
import { arrayParameters, columnsOf, ofDirectory, rowBy } from './sql.ts'

/** The facts that a transaction reads before it counts removals. */
export interface RemovalFacts {
  readonly directoryId: string
  readonly limit: RemovalLimit | null
  /** The counters before the commit. */
  readonly state: CountedState
  /** The rows of `windowsRead`. */
  readonly windows: readonly Row[] | undefined
}

const membershipTypes = ['int8', 'text', 'text'] as const satisfies readonly ColumnType[]

const addMemberships = `
  insert into removed_memberships (directory_id, row_position, group_id, member_id)
  select $1, * from unnest(${arrayParameters(2, membershipTypes)})
  on conflict (directory_id, group_id, member_id) do update set row_position = excluded.row_position`

const forget = `
  delete from removed_memberships where ${ofDirectory()} and ctid = any(array(
    select r.ctid from unnest((select $2::int8[])) as k (position)
    ${rowBy('removed_memberships', 'r', 'row_position', 'k.position', 'r.ctid')}))`

const forgetBefore = `
  delete from removed_memberships where ${ofDirectory()} and ctid = any(array(
    select ctid from removed_memberships where directory_id = $1 and row_position >= 0 and row_position < $2
    order by row_position limit $3))`

/** The counted removals of a kind before the commit. */
export function windowOf({ windows = [] }: Pick<RemovalFacts, 'windows'>, kind: Removals['kind']): StoredWindow {
  return decodeWindow(windows.find((row) => row['kind'] === kind))
}

/** The statements that count the removals of a commit, and begin a hold when they exceed the limit. */
export function removalStatements(facts: RemovalFacts, removals: Removals): Statement[] {
  const { directoryId, limit, state } = facts
  const { kind, runs } = removals
  const decision = decideRemovals(removals, state, limit, windowOf(facts, kind))
  if (decision === undefined) return []
  const undone = runs.flatMap((run) => run.undone ?? [])
  return [...membershipStatements(facts, removals, undone, decision), ...countStatements(directoryId, kind, decision)]
}

function membershipStatements(
  { directoryId, state }: RemovalFacts,
  { memberships, runs }: Removals,
  undone: readonly number[],
  { isCounted, keepFrom }: RemovalDecision,
): Statement[] {
  const removed = runs.reduce((sum, run) => sum + (run.hasEventEach ? run.removals : 0), 0)
  return [
    ...(undone.length > 0 ? [{ text: forget, values: [directoryId, undone] }] : []),
    ...(isCounted ? membershipsKept(directoryId, state, memberships) : []),
    ...forgettingBefore(directoryId, keepFrom, removed),
  ]
}

const take = `
  delete from removed_memberships where ${ofDirectory()} and ctid = any(array(
    select r.ctid from unnest((select $3::text[])) as k (id)
    cross join lateral (
      select r.ctid from removed_memberships r
      where r.directory_id = $1 and r.group_id between $2 and $2 and r.member_id between k.id and k.id
      order by r.group_id, r.member_id limit 1
    ) r))
  returning row_position`

/** Forgets ended memberships of users who join the group again; returns their positions. */
export function membershipsTaken(directoryId: string, groupId: string, memberIds: readonly string[]): Statement {
  return { text: take, values: [directoryId, groupId, withoutNulIds(memberIds)] }
}

/** The statement that keeps ended memberships; none without any. */
export function membershipsKept(
  directoryId: string,
  { discardedEvents }: Pick<CountedState, 'discardedEvents'>,
  memberships: readonly MembershipRemoval[],
): Statement[] {
  if (memberships.length === 0) return []
  const rows = memberships.map(({ sequence, groupId, memberId }) => [sequence + discardedEvents, groupId, memberId])
  return [{ text: addMemberships, values: [directoryId, ...columnsOf(membershipTypes, rows)] }]
}

/** Deletes some of the removals that do not count any longer. */
function forgettingBefore(directoryId: string, keepFrom: number | undefined, added: number): Statement[] {
  if (keepFrom === undefined || added === 0) return []
  return [{ text: forgetBefore, values: [directoryId, keepFrom, deletedPerCommit(added)] }]
}
