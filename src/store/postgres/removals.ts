import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { fold } from '../../scim/fold.ts'
import { holdStatements } from '../holds.ts'
import type {
  CountedState,
  MembershipRemoval,
  RemovalDecision,
  Removals,
  StoredWindow,
  UserRemoval,
} from '../removals.ts'
import { decideRemovals, decodeWindow, deletedPerCommit, windowColumns } from '../removals.ts'
import type { Row } from '../row.ts'
import { withoutNul } from '../sql-database.ts'
import type { Statement } from './database.ts'
import type { ColumnType } from './parameters.ts'
import { withoutNulIds } from './reader.ts'
import { arrayParameters, columnsOf, ofDirectory, rowBy } from './sql.ts'

/** Reads what `removalStatements` needs; the directory is locked before. */
export function windowRead(directoryId: string): Statement {
  return { text: `select ${windowColumns} from removal_windows where directory_id = $1`, values: [directoryId] }
}

/** The facts that a transaction reads before it counts removals. */
export interface RemovalFacts {
  readonly directoryId: string
  readonly limit: RemovalLimit | null
  /** The counters before the commit. */
  readonly state: CountedState
  /** The rows of `windowRead`. */
  readonly windows: readonly Row[] | undefined
}

const saveWindow = `
  insert into removal_windows (directory_id, kind, buckets, held) values ($1, $2, $3, $4)
  on conflict (directory_id, kind) do update set buckets = excluded.buckets, held = excluded.held`

const userTypes = ['int8', 'int8', 'text', 'text', 'text'] as const satisfies readonly ColumnType[]

const addUsers = `
  insert into removed_users (directory_id, row_position, removed_at, user_id, user_name_folded, email)
  select $1, * from unnest(${arrayParameters(2, userTypes)})
  on conflict (directory_id, user_id) do update set row_position = excluded.row_position, email = excluded.email,
    removed_at = excluded.removed_at, user_name_folded = excluded.user_name_folded, returned_at = null`

const membershipTypes = ['int8', 'text', 'text'] as const satisfies readonly ColumnType[]

const addMemberships = `
  insert into removed_memberships (directory_id, row_position, group_id, member_id)
  select $1, * from unnest(${arrayParameters(2, membershipTypes)})
  on conflict (directory_id, group_id, member_id) do update set row_position = excluded.row_position`

type RemovalTable = 'removed_users' | 'removed_memberships'

/** The rows with the positions `$2`. */
const byPosition = (table: RemovalTable): string => `${ofDirectory()} and ctid = any(array(
    select r.ctid from unnest((select $2::int8[])) as k (position)
    ${rowBy(table, 'r', 'row_position', 'k.position', 'r.ctid')}))`

const forget = (table: RemovalTable): string => `delete from ${table} where ${byPosition(table)}`

const markReturned = `update removed_users set returned_at = $3 where ${byPosition('removed_users')}`

const forgetBefore = (table: RemovalTable): string => `
  delete from ${table} where ${ofDirectory()} and ctid = any(array(
    select ctid from ${table} where directory_id = $1 and row_position >= 0 and row_position < $2 order by row_position limit $3))`

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
  return [
    { text: saveWindow, values: [directoryId, kind, decision.buckets, Number(decision.isHeld)] },
    ...(kind === 'users'
      ? userStatements(facts, removals, undone, decision)
      : membershipStatements(facts, removals, undone, decision)),
    ...holdStatements(directoryId, kind, decision),
  ]
}

/** While the directory is held because of them, its users are listed with the time when they came back. */
function userStatements(
  { directoryId, state }: RemovalFacts,
  { users, returned, at }: Removals,
  undone: readonly number[],
  { isCounted, keepFrom }: RemovalDecision,
): Statement[] {
  const forgetting = { text: forget('removed_users'), values: [directoryId, isCounted ? returned : undone] }
  if (!isCounted) return [forgetting]
  const marking = { text: markReturned, values: [directoryId, returned, at] }
  return [
    ...(returned.length > 0 ? [keepFrom === undefined ? marking : forgetting] : []),
    ...(users.length > 0 ? [addingUsers(directoryId, state, users, at)] : []),
    ...forgettingBefore('removed_users', directoryId, keepFrom, users.length),
  ]
}

function addingUsers(
  directoryId: string,
  { discardedEvents }: CountedState,
  users: readonly UserRemoval[],
  at: number,
): Statement {
  const rows = users.map(({ sequence, user }) => [
    sequence + discardedEvents,
    at,
    user.id,
    fold(user.userName),
    withoutNul(user.email),
  ])
  return { text: addUsers, values: [directoryId, ...columnsOf(userTypes, rows)] }
}

function membershipStatements(
  { directoryId, state }: RemovalFacts,
  { memberships, runs }: Removals,
  undone: readonly number[],
  { isCounted, keepFrom }: RemovalDecision,
): Statement[] {
  const removed = runs.reduce((sum, run) => sum + (run.hasEventEach ? run.removals : 0), 0)
  return [
    ...(undone.length > 0 ? [{ text: forget('removed_memberships'), values: [directoryId, undone] }] : []),
    ...(isCounted ? membershipsKept(directoryId, state, memberships) : []),
    ...forgettingBefore('removed_memberships', directoryId, keepFrom, removed),
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
function forgettingBefore(
  table: RemovalTable,
  directoryId: string,
  keepFrom: number | undefined,
  added: number,
): Statement[] {
  if (keepFrom === undefined || added === 0) return []
  return [{ text: forgetBefore(table), values: [directoryId, keepFrom, deletedPerCommit(added)] }]
}
