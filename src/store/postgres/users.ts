import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Committed, DirectoryChanged } from '../../directory/directory-store.ts'
import type { IndexedUser } from '../../directory/user.ts'
import { fold } from '../../scim/fold.ts'
import { observes } from '../behaviors.ts'
import type { UnnumberedEvent } from '../events.ts'
import { bucketSize } from '../lists.ts'
import type { UserPresence } from '../removals.ts'
import { decodeRemovedUserRow, userRemovals } from '../removals.ts'
import type { Row } from '../row.ts'
import { integer, integers, optionalInteger } from '../row.ts'
import { withoutNul } from '../sql-database.ts'
import { marksWork } from '../streams.ts'
import type { Database } from './database.ts'
import { decodeLocked, lockDirectory } from './directories.ts'
import { noRowsWhenNameTaken } from './errors.ts'
import { eventColumns, eventTypes, eventValues } from './events.ts'
import type { ColumnType } from './parameters.ts'
import { removalStatements, removedUsersRead, windowRead } from './removals.ts'
import { arrayParameters, columnsOf, oneRow, valueParameters } from './sql.ts'

/*
 * A single user, the common case of a quiet directory, is created and replaced by a function of the database, several
 * users by one statement (see also replace-users.ts). Two paths each, because neither is fast at both. Measured per user,
 * on one connection to a local server: to create one alone takes 0.17 ms with the function and 0.44 ms with the statement;
 * 40 together take 0.05 ms each with the statement. A function that takes arrays is as fast as the statement for 40, and
 * takes 0.29 ms for one.
 */

/** The names that statements give to the columns of `userValues`. */
export const userValueColumns = `id, version, created_at, updated_at, user_name, user_name_folded, external_id,
      display_name, email, first_name, last_name, active, raw`

/** The types of the columns of `userValues`. */
export const userTypes = [
  'text',
  'int8',
  'int8',
  'int8',
  'text',
  'text',
  'text',
  'text',
  'text',
  'text',
  'text',
  'int4',
  'text',
] as const satisfies readonly ColumnType[]

/** The values of a user's row. */
export function userValues(user: IndexedUser): unknown[] {
  return [
    user.id,
    user.version,
    user.createdAt,
    user.updatedAt,
    user.userName,
    fold(user.userName),
    user.externalId ?? null,
    user.displayName,
    user.email,
    withoutNul(user.firstName),
    withoutNul(user.lastName),
    Number(user.active),
    user.raw,
  ]
}

/** Two columns: the ids of users, and their email addresses. */
export function emailColumns(owners: readonly { id: string; emails: readonly string[] }[]): [string[], string[]] {
  return [owners.flatMap(({ id, emails }) => emails.map(() => id)), owners.flatMap(({ emails }) => emails)]
}

/** A user to create, and the event about it. */
export interface UserCreation {
  readonly user: IndexedUser
  readonly event: UnnumberedEvent
}

export type UserCreationOutcome = Committed | 'user-name-taken' | DirectoryChanged

/** Creates users with their events. When several have the same name, the first one gets it. */
export async function createUsers(
  database: Database,
  directory: DirectoryRevision,
  inputs: readonly UserCreation[],
): Promise<UserCreationOutcome[]> {
  const [first, second] = inputs
  const outcomes =
    first !== undefined && second === undefined
      ? [await createUser(database, directory, first)]
      : await createSeveralUsers(database, directory, inputs)
  return outcomes.includes('directory-changed') ? createCounting(database, directory, inputs) : outcomes
}

/** The function is in `migrations/0001-initial.sql`. */
const createOne = `
  select create_user_v1($1, $2, ${valueParameters(3, [...userTypes, ...eventTypes])}, $23, ${bucketSize}) as sequence`

/**
 * Not for users who were removed, which it takes for `directory-changed`. Waits for no lock but that of the directory: when
 * the name is taken, it stays taken.
 */
async function createUser(
  { query }: Database,
  { id, revision }: DirectoryRevision,
  { user, event }: UserCreation,
): Promise<UserCreationOutcome> {
  const values = [id, revision, ...userValues(user), ...eventValues(event), user.emails]
  const [row] = await query({ text: createOne, values }).catch(noRowsWhenNameTaken)
  if (row === undefined) return 'user-name-taken'
  const sequence = optionalInteger(row, 'sequence')
  return sequence === undefined ? 'directory-changed' : { events: [{ ...event, sequence }] }
}

/**
 * Locks the directory before it writes anything: every part depends on `fresh`, which needs the lock. It sees the names as
 * they were when it started; a name that another process takes while it waits for the lock violates the unique index, and
 * the statement is repeated.
 */
const createSeveralText = (condition: string): string => `
  with lock as materialized (
    select last_sequence, discarded_events from directory_state
    where directory_id = $1 and revision = $2${condition} for update
  ),
  fresh as materialized (
    select i.*, l.last_sequence + row_number() over (order by i.n) as sequence,
      l.last_sequence + l.discarded_events + row_number() over (order by i.n) as row_sequence
    from lock l cross join unnest(${arrayParameters(3, userTypes)}, ${arrayParameters(16, eventTypes)}) with ordinality
      as i (${userValueColumns}, ${eventColumns}, n)
    left join lateral (${oneRow('users', 'u', 'user_name_folded', 'i.user_name_folded', 'u.id')}) u on true
    where u.id is null
  ),
  new_users as (
    insert into users (directory_id, sequence, ${userValueColumns})
    select $1, row_sequence, ${userValueColumns} from fresh
  ),
  new_emails as (
    insert into user_emails (directory_id, email, user_id)
    select $1, e.email, e.user_id from unnest((select $23::text[]), (select $24::text[])) as e (user_id, email)
    join fresh f on f.id = e.user_id
  ),
  counted as (
    insert into list_counts (directory_id, list_name, bucket, resources)
    select $1, 'users', row_sequence / ${bucketSize}, count(*) from fresh group by row_sequence / ${bucketSize}
    on conflict (directory_id, list_name, bucket) do update
    set resources = list_counts.resources + excluded.resources
  ),
  new_events as (
    insert into events (directory_id, sequence, id, event_type, created_at, request_id, trace_context, data, changes)
    select $1, sequence, ${eventColumns} from fresh
  ),
  advanced as (
    update directory_state s set last_sequence = l.last_sequence + f.created, active_users = s.active_users + f.active,
      ${marksWork}, last_change_at = f.at${observes(['user_created'], () => 'f.at')}
    from lock l cross join (
      select count(*) as created, coalesce(sum(active), 0) as active, max(event_at) as at from fresh) f
    where s.directory_id = $1 and f.created > 0
  )
  select l.last_sequence, (select array_agg(n::int4 order by n) from fresh) as created from lock l`

const createSeveral = createSeveralText('')

/** `$8` are the userNames: nothing is created when one of them was removed. */
const createSeveralNew = createSeveralText(`
      and not exists (
        select from unnest((select $8::text[])) as k (name)
        cross join lateral (${oneRow('removed_users', 'r', 'user_name_folded', 'k.name')}) r)`)

async function createSeveralUsers(
  { query }: Database,
  directory: DirectoryRevision,
  inputs: readonly UserCreation[],
): Promise<UserCreationOutcome[]> {
  const candidates = candidatesOf(inputs)
  const [row] = await query({ text: createSeveralNew, values: valuesOf(directory, candidates) })
  return outcomesOf(row, inputs, candidates)
}

/** The same for users of whom some were removed, and come back. */
function createCounting(
  { transaction }: Database,
  directory: DirectoryRevision,
  inputs: readonly UserCreation[],
): Promise<UserCreationOutcome[]> {
  const candidates = candidatesOf(inputs)
  const users = candidates.map(({ user }) => user)
  const creating = { text: createSeveral, values: valuesOf(directory, candidates) }
  const first = [lockDirectory(directory), windowRead(directory.id), removedUsersRead(directory.id, users), creating]
  return transaction(first, ([locked, windows, removed = [], rows]) => {
    const state = decodeLocked(locked)
    const answer = outcomesOf(rows?.[0], inputs, candidates)
    if (state === undefined) return { statements: [], answer }
    const changes = inputs.flatMap(({ user }, index): UserPresence[] => {
      const outcome = answer[index]
      const sequence = typeof outcome === 'object' ? outcome.events[0]?.sequence : undefined
      return sequence === undefined || !user.active ? [] : [{ sequence, user, change: 'returned', wasActive: false }]
    })
    const at = Math.max(0, ...inputs.map(({ event }) => event.createdAt))
    const facts = { directoryId: directory.id, limit: directory.removalLimit ?? null, state, windows }
    const removals = userRemovals(changes, removed.map(decodeRemovedUserRow), state.activeUsers, at)
    return { statements: removalStatements(facts, removals), answer }
  })
}

function candidatesOf(inputs: readonly UserCreation[]): UserCreation[] {
  return firstOfEach(inputs, ({ user }) => fold(user.userName))
}

function valuesOf({ id, revision }: DirectoryRevision, candidates: readonly UserCreation[]): unknown[] {
  const users = candidates.map(({ user }) => user)
  const events = candidates.map(({ event }) => event)
  return [
    id,
    revision,
    ...columnsOf(userTypes, users.map(userValues)),
    ...columnsOf(eventTypes, events.map(eventValues)),
    ...emailColumns(users),
  ]
}

function outcomesOf(
  row: Row | undefined,
  inputs: readonly UserCreation[],
  candidates: readonly UserCreation[],
): UserCreationOutcome[] {
  if (row === undefined) return inputs.map(() => 'directory-changed')
  const lastSequence = integer(row, 'last_sequence')
  const created = integers(row, 'created')
  const sequences = new Map(created.map((n, index) => [candidates[n - 1], lastSequence + index + 1]))
  return inputs.map((input) => {
    const sequence = sequences.get(input)
    return sequence === undefined ? 'user-name-taken' : { events: [{ ...input.event, sequence }] }
  })
}

/** The inputs without those whose key an earlier one has. */
export function firstOfEach<T>(inputs: readonly T[], keyOf: (input: T) => string): T[] {
  const firsts = new Map<string, T>()
  for (const input of inputs) {
    const key = keyOf(input)
    if (!firsts.has(key)) firsts.set(key, input)
  }
  return [...firsts.values()]
}
