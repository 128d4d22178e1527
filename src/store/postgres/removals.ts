import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { fold } from '../../scim/fold.ts'
import type { CountedState, RemovalDecision, Removals, UserRemoval } from '../removals.ts'
import { decideRemovals, decodeWindow, holdValueColumns, holdValues } from '../removals.ts'
import type { Row } from '../row.ts'
import type { Statement } from './database.ts'
import type { ColumnType } from './parameters.ts'
import { withoutNul } from './reader.ts'
import { arrayParameters, columnsOf } from './sql.ts'

/** How many removed users that are older than the window a commit deletes. */
const deletedPerCommit = 200

/** Reads what `removalStatements` needs; the directory is locked before. */
export function windowRead(directoryId: string): Statement {
  return { text: 'select kind, buckets from removal_windows where directory_id = $1', values: [directoryId] }
}

/** What a transaction knows before it counts removals. */
export interface RemovalFacts {
  readonly directoryId: string
  readonly limit: RemovalLimit | null
  /** Before the commit. */
  readonly state: CountedState
  /** The rows of `windowRead`. */
  readonly windows: readonly Row[] | undefined
}

const saveWindow = `
  insert into removal_windows (directory_id, kind, buckets) values ($1, $2, $3)
  on conflict (directory_id, kind) do update set buckets = excluded.buckets`

const begin = `
  with held as (
    update directory_state set held_from = $11 where directory_id = $1
  )
  insert into holds (${holdValueColumns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

const more = 'update holds set removals = removals + $2 where directory_id = $1'

const userTypes = ['int8', 'int8', 'text', 'text', 'text'] as const satisfies readonly ColumnType[]

const addUsers = `
  insert into removed_users (directory_id, removed_at, row_position, user_id, user_name_folded, email)
  select $1, * from unnest(${arrayParameters(2, userTypes)})`

const deleteOld = `
  delete from removed_users where ctid = any(array(
    select ctid from removed_users where directory_id = $1 and removed_at < $2
    order by removed_at, row_position limit ${deletedPerCommit}))`

/** The statements that count the removals of a commit, and begin a hold when they exceed the limit. */
export function removalStatements(facts: RemovalFacts, removals: Removals): Statement[] {
  const { directoryId, limit, state, windows = [] } = facts
  const { kind, users, at } = removals
  const stored = decodeWindow(windows.find((row) => row['kind'] === kind))
  const decision = decideRemovals(removals, state, limit, stored)
  if (decision === undefined) return []
  return [
    { text: saveWindow, values: [directoryId, kind, decision.buckets] },
    ...userStatements(facts, users, at, decision),
    ...holdStatements(directoryId, decision),
  ]
}

function userStatements(
  { directoryId, state: { discardedEvents } }: RemovalFacts,
  users: readonly UserRemoval[],
  at: number,
  { keepUsersFrom }: RemovalDecision,
): Statement[] {
  if (users.length === 0) return []
  const rows = users.map(({ sequence, user }) => [
    at,
    sequence + discardedEvents,
    user.id,
    fold(user.userName),
    withoutNul(user.email),
  ])
  const adding = { text: addUsers, values: [directoryId, ...columnsOf(userTypes, rows)] }
  return keepUsersFrom === undefined ? [adding] : [adding, { text: deleteOld, values: [directoryId, keepUsersFrom] }]
}

function holdStatements(directoryId: string, { hold, heldRemovals }: RemovalDecision): Statement[] {
  if (hold !== undefined) {
    return [{ text: begin, values: [...holdValues({ directoryId, ...hold }), hold.firstSequence] }]
  }
  return heldRemovals > 0 ? [{ text: more, values: [directoryId, heldRemovals] }] : []
}
