import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Committed, DirectoryChanged } from '../../directory/directory-store.ts'
import type { Recognizable } from '../../directory/returned-users.ts'
import { returnedFrom } from '../../directory/returned-users.ts'
import { termsOf } from '../../directory/search-terms.ts'
import type { IndexedUser } from '../../directory/user.ts'
import { fold } from '../../scim/fold.ts'
import { observes } from '../behaviors.ts'
import { decodeDeletedUser, recognizedUser } from '../deleted-users.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { MappedRevision } from '../mapped-users.ts'
import { evaluatedTogether, mappedCreation } from '../mapped-users.ts'
import type { UserPresence } from '../removals.ts'
import { decodeRemovedUserRow, userRemovals } from '../removals.ts'
import type { Row } from '../row.ts'
import { integer } from '../row.ts'
import { listNumber } from '../search-terms.ts'
import { withoutNul } from '../sql-database.ts'
import { marksWork } from '../streams.ts'
import { addVolumeFrom } from '../volumes.ts'
import type { Database, Statement } from './database.ts'
import {
  deletedUsersRead,
  digestColumns,
  digestRow,
  forgetDeletedUsers,
  matchingDeletedUsers,
  recognizedSince,
} from './deleted-users.ts'
import { decodeLocked, lockDirectory } from './directories.ts'
import { isNameTaken } from './errors.ts'
import { eventColumns, eventRow, eventRowColumns } from './events.ts'
import { countRun } from './list-counts.ts'
import { newRoles } from './mapped-users.ts'
import type { Columns, RowOf } from './named-statement.ts'
import { namedStatement, namesOf, rowOf } from './named-statement.ts'
import { removalStatements, removedUsersRead, windowRead } from './removals.ts'
import { insertTerms, termRowColumns, termRows } from './search-terms.ts'
import { ofDirectory, oneRow } from './sql.ts'

/** The columns of a user that is written. */
export const userRowColumns = {
  id: 'text',
  version: 'int8',
  created_at: 'int8',
  updated_at: 'int8',
  user_name: 'text',
  user_name_folded: 'text',
  external_id: 'text',
  display_name: 'text',
  email: 'text',
  first_name: 'text',
  last_name: 'text',
  active: 'int4',
  mapped: 'text',
  raw: 'text',
  returned_from: 'text',
} as const satisfies Columns

/** The row of a user that is written. */
export function userRow(user: IndexedUser): RowOf<typeof userRowColumns> {
  return {
    id: user.id,
    version: user.version,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    user_name: user.userName,
    user_name_folded: fold(user.userName),
    external_id: user.externalId ?? null,
    display_name: user.displayName,
    email: user.email,
    first_name: withoutNul(user.firstName),
    last_name: withoutNul(user.lastName),
    active: Number(user.active),
    mapped: user.mapped ?? null,
    raw: user.raw,
    returned_from: user.returnedFrom ?? null,
  }
}

/** The columns of an email address of a user. */
export const emailRowColumns = { user_id: 'text', email: 'text' } as const satisfies Columns

/** The rows of the email addresses of users. */
export function emailRows(
  owners: readonly { readonly id: string; readonly emails: readonly string[] }[],
): RowOf<typeof emailRowColumns>[] {
  return owners.flatMap(({ id, emails }) => emails.map((email) => ({ user_id: id, email })))
}

/**
 * Deletes email addresses of users. Each row is found by its whole key: see `oneRow`.
 *
 * @param parameter the name of the parameter with the rows
 * @param users where the ids of the users are
 */
export function deleteEmails(parameter: string, users: string): string {
  return `
    delete from user_emails d where ${ofDirectory('d')} and d.ctid = any(array(
      select e.ctid
      from unnest(:${parameter}.user_id, :${parameter}.email) as n (user_id, email) join ${users} u on u.id = n.user_id
      cross join lateral (
        select e.ctid from user_emails e where e.directory_id = $1
          and e.email between n.email and n.email and e.user_id between n.user_id and n.user_id
        order by e.email, e.user_id limit 1
      ) e
    ))`
}

/** A user to create, and the event about it. */
export interface UserCreation {
  readonly user: Recognizable<IndexedUser>
  readonly event: UnnumberedEvent
}

export type UserCreationOutcome = Committed | 'user-name-taken' | DirectoryChanged

/**
 * Creates users with their events. When several have the same name, the first one gets it. All names are assumed to be free:
 * when one is taken, the index on names rejects the transaction, and only the users with such names have an outcome.
 */
export async function createUsers(
  database: Database,
  directory: MappedRevision,
  inputs: readonly UserCreation[],
): Promise<(UserCreationOutcome | undefined)[]> {
  const together = evaluatedTogether(directory, inputs, ({ user }) => user)
  if (together.length < inputs.length) {
    const outcomes = await createUsers(database, directory, together)
    return inputs.map((_, index) => outcomes[index])
  }
  const firsts = firstOfEach(inputs, ({ user }) => fold(user.userName))
  try {
    const mapped = firsts.map((input) => mappedInput(directory, input))
    const created = (await createNew(database, directory, mapped)) ?? (await createKnown(database, directory, mapped))
    if (created === undefined) return inputs.map(() => 'directory-changed')
    const outcomes = new Map(
      firsts.map((input, index) => {
        const event = created.users[index]?.event ?? input.event
        return [input, { events: [{ ...event, sequence: created.lastSequence + index + 1 }] }]
      }),
    )
    return inputs.map((input) => outcomes.get(input) ?? 'user-name-taken')
  } catch (error) {
    const users = inputs.map(({ user }) => user)
    const taken = await usersWithTakenNames(database, directory, users, error)
    return users.map((user) => (taken.has(user) ? 'user-name-taken' : undefined))
  }
}

/**
 * Advances the sequence numbers of the directory first, which locks it. Writes nothing when the directory is not at the
 * revision, or when one of the users may have been removed or deleted, unless `known` is 1: then the caller has looked.
 */
const createStatement = namedStatement(
  {
    directoryId: 'text',
    revision: 'int8',
    known: 'int4',
    since: 'int8', // a user who was deleted earlier does not return
    created: 'int8',
    active: 'int8',
    at: 'int8',
    users: { ...userRowColumns, ...digestColumns },
    events: eventRowColumns,
    emails: emailRowColumns,
    list: 'int8',
    terms: termRowColumns,
  },
  `
  with advanced as (
    update directory_state set last_sequence = last_sequence + :created, active_users = active_users + :active,
      ${marksWork}, last_change_at = :at${observes(['user_created'], () => ':at')}
    where directory_id = :directoryId and revision = :revision
      and (:known = 1 or not exists (
        select from unnest(:users.user_name_folded) as k (name)
        cross join lateral (${oneRow('removed_users', 'r', 'user_name_folded', 'k.name')}) r))
      and (:known = 1 or coalesce(last_user_deleted_at, 0) < :since
        or not exists (${matchingDeletedUsers(':users', 'd.user_id')}))
    returning last_sequence - :created as last_sequence, last_sequence - :created + discarded_events as last_row
  ),
  new_users as (
    insert into users (directory_id, sequence, ${namesOf(userRowColumns)})
    select :directoryId, a.last_row + n, ${rowOf(userRowColumns, ':users[n]')}
    from advanced a cross join generate_series(1, :created) as n
  ),
  new_emails as (
    insert into user_emails (directory_id, user_id, email)
    select :directoryId, e.* from advanced cross join unnest(:emails.user_id, :emails.email) as e
  ),
  new_terms as (${insertTerms('terms', 'select n, last_row + n as sequence from advanced cross join generate_series(1, :created) as n')}
  ),
  new_counts as (${countRun('users', 'last_row + 1', 'last_row + :created', 'advanced')}
  ),
  new_events as (
    insert into events (directory_id, sequence, ${eventColumns})
    select :directoryId, a.last_sequence + n, ${rowOf(eventRowColumns, ':events[n]')}
    from advanced a cross join generate_series(1, :created) as n
  ),
  counted as (${addVolumeFrom('advanced', ':created', ':at')}
  )
  select last_sequence from advanced`,
)

/** A user to create with its roles. */
interface MappedCreation extends UserCreation {
  readonly gained: readonly string[]
}

function mappedInput({ compiled }: MappedRevision, { user, event }: UserCreation): MappedCreation {
  return compiled === undefined ? { user, event, gained: [] } : mappedCreation(compiled, user, event)
}

function rolesOfNew({ id }: DirectoryRevision, inputs: readonly MappedCreation[]): Statement[] {
  return newRoles(
    id,
    inputs.map(({ user, gained }) => ({ userId: user.id, gained })),
  )
}

/** The statement that creates users, each with a name of its own. */
function creationOf(
  { id, revision, product }: DirectoryRevision,
  inputs: readonly UserCreation[],
  isKnown: boolean,
): Statement {
  const users = inputs.map(({ user }) => user)
  return createStatement({
    directoryId: id,
    revision,
    known: Number(isKnown),
    since: recognizedSince(users),
    created: inputs.length,
    active: users.filter(({ active }) => active).length,
    at: Math.max(...inputs.map(({ event }) => event.createdAt)),
    users: users.map((user) => ({ ...userRow(user), ...digestRow(user) })),
    events: inputs.map(({ event }) => eventRow(event)),
    emails: emailRows(users),
    list: listNumber(product, 'user'),
    terms: termRows(users.map(({ searched }) => termsOf(searched))),
  })
}

/** Users that were created. */
interface Created {
  /** The sequence number before the first. */
  readonly lastSequence: number
  /** The users and events as they are stored. */
  readonly users: readonly UserCreation[]
}

/** Creates users of whom none was removed or deleted; undefined when nothing was written. */
async function createNew(
  { query, atomically }: Database,
  directory: DirectoryRevision,
  inputs: readonly MappedCreation[],
): Promise<Created | undefined> {
  const creation = creationOf(directory, inputs, false)
  const roles = rolesOfNew(directory, inputs)
  const [row] = roles.length === 0 ? await query(creation) : ((await atomically([creation, ...roles]))[0] ?? [])
  return row && { lastSequence: integer(row, 'last_sequence'), users: inputs }
}

/** The same for users of whom some were removed or deleted, and come back. */
function createKnown(
  { transaction }: Database,
  directory: DirectoryRevision,
  inputs: readonly MappedCreation[],
): Promise<Created | undefined> {
  const users = inputs.map(({ user }) => user)
  const reads = [windowRead(directory.id), removedUsersRead(directory.id, users), deletedUsersRead(directory, users)]
  return transaction([lockDirectory(directory), ...reads], ([locked, windows, removed = [], deleted = []]) => {
    const state = decodeLocked(locked)
    if (state === undefined) return { statements: [], answer: undefined }
    const { creations, returned } = returnsOf(inputs, deleted)
    const changes = inputs.flatMap(({ user }, index): UserPresence[] => {
      const sequence = state.lastSequence + index + 1
      return user.active ? [{ sequence, user, change: 'returned', wasActive: false }] : []
    })
    const at = Math.max(...inputs.map(({ event }) => event.createdAt))
    const facts = { directoryId: directory.id, limit: directory.removalLimit ?? null, state, windows }
    const removals = userRemovals(changes, removed.map(decodeRemovedUserRow), state.activeUsers, at)
    const statements = [
      creationOf(directory, creations, true),
      ...forgetDeletedUsers(directory, returned),
      ...removalStatements(facts, removals),
      ...rolesOfNew(directory, inputs),
    ]
    return { statements, answer: { lastSequence: state.lastSequence, users: creations } }
  })
}

/** The users to create, each with the deleted one as which it returns, and the ids of these. */
function returnsOf(inputs: readonly UserCreation[], deleted: readonly Row[]) {
  const returned = new Set<string>()
  const creations = inputs.map((input, index): UserCreation => {
    const found = deleted.filter((row) => integer(row, 'n') === index + 1).map(decodeDeletedUser)
    const since = input.user.recognition?.since ?? Number.MAX_SAFE_INTEGER
    const former = recognizedUser(found, since, returned)
    if (former === undefined) return input
    returned.add(former.id)
    return returnedFrom(input.user, input.event, former)
  })
  return { creations, returned: [...returned] }
}

const readTaken = namedStatement(
  { directoryId: 'text', users: { id: 'text', name: 'text' } },
  `
  select w.n from unnest(:users.name) with ordinality as w (name, n)
  cross join lateral (${oneRow('users', 'u', 'user_name_folded', 'w.name', 'u.id')}) u
  where u.id <> :users[w.n].id`,
)

/**
 * The users whose names other users have, after a transaction that writes these users was rejected.
 *
 * @throws the error of the transaction when names are not its cause, or when all names are free by now: the caller of the
 * batch then tries its halves
 */
export async function usersWithTakenNames<U extends Pick<IndexedUser, 'id' | 'userName'>>(
  { query }: Database,
  { id }: DirectoryRevision,
  users: readonly U[],
  error: unknown,
): Promise<ReadonlySet<U | undefined>> {
  if (!isNameTaken(error)) throw error
  if (users.length === 1) return new Set(users)
  const wanted = users.map((user) => ({ id: user.id, name: fold(user.userName) }))
  const rows = await query(readTaken({ directoryId: id, users: wanted }))
  if (rows.length === 0) throw error
  return new Set(rows.map((row) => users[integer(row, 'n') - 1]))
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
