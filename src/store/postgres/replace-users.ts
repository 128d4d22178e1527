import type { ChangeBehavior } from '../../directory/behaviors.ts'
import { behaviorsIn } from '../../directory/behaviors.ts'
import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Committed, DirectoryChanged } from '../../directory/directory-store.ts'
import { changedTerms } from '../../directory/search-terms.ts'
import type { IndexedUser, ReplacedUser } from '../../directory/user.ts'
import type { CompiledMapping } from '../../mapping/compiled.ts'
import { fold } from '../../scim/fold.ts'
import { observes } from '../behaviors.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { MappedRevision, MappedState, RoleChange } from '../mapped-users.ts'
import { decodeMappedState, evaluatedTogether, mappedReplacement, roleCountsRead } from '../mapped-users.ts'
import type { UserPresence } from '../removals.ts'
import { decodeRemovedUserRow, userRemovals } from '../removals.ts'
import type { Row } from '../row.ts'
import { integer, integers, text } from '../row.ts'
import { listNumber } from '../search-terms.ts'
import { marksWork } from '../streams.ts'
import { addVolumeFrom } from '../volumes.ts'
import type { Conclusion, Database, Statement } from './database.ts'
import { decodeLocked, lockDirectory } from './directories.ts'
import { eventColumns, eventRow, eventRowColumns } from './events.ts'
import { roleStatements, statesRead } from './mapped-users.ts'
import type { Columns, RowOf } from './named-statement.ts'
import { namedStatement, namesOf, rowOf } from './named-statement.ts'
import { removalStatements, removedUsersRead, windowRead } from './removals.ts'
import {
  deleteTerms,
  insertTerms,
  overTerms,
  termKeyColumns,
  termKeys,
  termRowColumns,
  termRows,
} from './search-terms.ts'
import { ofDirectory, oneRow } from './sql.ts'
import {
  deleteEmails,
  emailRowColumns,
  emailRows,
  firstOfEach,
  userRow,
  userRowColumns,
  usersWithTakenNames,
} from './users.ts'

/** A user before and after a change, and the event about it. */
export interface UserReplacement {
  readonly before: ReplacedUser
  readonly after: IndexedUser
  readonly event: UnnumberedEvent
  /** Arrival of the request that deprovisioned the user, in Unix milliseconds; undefined for other changes. */
  readonly deprovisionedAt: number | undefined
}

export type UserReplacementOutcome = Committed | 'user-name-taken' | 'version-mismatch' | DirectoryChanged

/** The outcomes of changes that were tried; those without one are tried again. */
type Outcomes = ReadonlyMap<UserReplacement, UserReplacementOutcome>

/**
 * Replaces users with their events. Of several changes to one user, the first is applied and the others have a version
 * mismatch. When several users want the same name, only the first of them is tried: there is no outcome for the others. When a
 * name is taken, the index on names rejects the transaction, and only the users with such names have an outcome.
 */
export async function replaceUsers(
  database: Database,
  directory: MappedRevision,
  inputs: readonly UserReplacement[],
): Promise<(UserReplacementOutcome | undefined)[]> {
  const together = evaluatedTogether(directory, inputs, ({ after }) => after)
  if (together.length < inputs.length) {
    const outcomes = await replaceUsers(database, directory, together)
    return inputs.map((_, index) => outcomes[index])
  }
  const firsts = firstOfEach(inputs, ({ before }) => before.id)
  const tried = firstOfEach(firsts, ({ after }) => fold(after.userName))
  const outcomes = await replaceUntilTaken(database, directory, tried)
  const settled = new Set([...outcomes.keys()].map(({ before }) => before.id))
  return inputs.map((input) => outcomes.get(input) ?? (settled.has(input.before.id) ? 'version-mismatch' : undefined))
}

async function replaceUntilTaken(
  database: Database,
  directory: MappedRevision,
  inputs: readonly UserReplacement[],
): Promise<Outcomes> {
  const changesActive = inputs.some(({ before, after }) => before.active !== after.active)
  try {
    if (directory.compiled !== undefined) return await replaceMapped(database, directory, directory.compiled, inputs)
    return await (changesActive ? replaceCounting : replaceEach)(database, directory, inputs)
  } catch (error) {
    const users = inputs.map(({ after }) => after)
    const taken = await usersWithTakenNames(database, directory, users, error)
    return new Map(inputs.filter(({ after }) => taken.has(after)).map((input) => [input, 'user-name-taken']))
  }
}

/** The behaviors that an update may show. */
const updateBehaviors = ['user_updated', 'user_deactivated', 'user_reactivated'] as const satisfies ChangeBehavior[]

/** The columns of a user that a change sets. */
const { id, created_at: _createdAt, returned_from: _returnedFrom, ...setColumns } = userRowColumns

/** The columns of a change: the user after it, its event, and what else it writes. */
const changeColumns = {
  id,
  ...setColumns,
  ...eventRowColumns,
  version_before: 'int8',
  active_change: 'int4', // 1 when the user becomes active, -1 when inactive, else 0
  deprovisioned_at: 'int8',
  user_updated_at: 'int8', // when each of the behaviors was shown; null: it was not
  user_deactivated_at: 'int8',
  user_reactivated_at: 'int8',
} as const satisfies Columns

function changeRow({ before, after, event, deprovisionedAt }: UserReplacement): RowOf<typeof changeColumns> {
  const shown = behaviorsIn([event])
  const shownAt = (behavior: ChangeBehavior) => (shown.includes(behavior) ? event.createdAt : null)
  return {
    ...userRow(after),
    ...eventRow(event),
    version_before: before.version,
    active_change: Number(after.active) - Number(before.active),
    deprovisioned_at: deprovisionedAt ?? null,
    user_updated_at: shownAt('user_updated'),
    user_deactivated_at: shownAt('user_deactivated'),
    user_reactivated_at: shownAt('user_reactivated'),
  }
}

/** Locks the directory before it looks for any user. The users who are not at their version are left out of `changed`. */
const replaceStatement = namedStatement(
  {
    directoryId: 'text',
    revision: 'int8',
    changes: changeColumns,
    removedEmails: emailRowColumns,
    addedEmails: emailRowColumns,
    list: 'int8',
    removedTerms: termKeyColumns,
    writtenTerms: termRowColumns,
  },
  `
  with locked as materialized (
    select last_sequence from directory_state where directory_id = :directoryId and revision = :revision for update
  ),
  wanted as materialized (
    select c.n, u.row_position from locked cross join unnest(:changes.id) with ordinality as c (id, n)
    cross join lateral (${oneRow('users', 'u', 'id', 'c.id', 'u.ctid as row_position')}) u
  ),
  changed as (
    update users u set (${namesOf(setColumns)}) = row(${rowOf(setColumns, ':changes[w.n]')})
    from wanted w
    where u.ctid = w.row_position and ${ofDirectory('u')} and u.ctid = any(array(select row_position from wanted))
      and u.version = :changes[w.n].version_before
    returning w.n, u.id, u.sequence as row_sequence
  ),
  numbered as materialized (
    select c.n, c.id, c.row_sequence, l.last_sequence + row_number() over (order by c.n) as sequence
    from changed c cross join locked l
  ),
  removed_emails as (
    ${deleteEmails('removedEmails', 'numbered')}
  ),
  added_emails as (
    insert into user_emails (directory_id, user_id, email)
    select :directoryId, a.user_id, a.email
    from unnest(:addedEmails.user_id, :addedEmails.email) as a (user_id, email) join numbered c on c.id = a.user_id
    on conflict do nothing
  ),
  removed_terms as (${deleteTerms('removedTerms', 'select n, row_sequence as sequence from numbered')}
  ),
  written_terms as (${insertTerms('writtenTerms', 'select n, row_sequence as sequence from numbered')}
    ${overTerms}
  ),
  new_events as (
    insert into events (directory_id, sequence, ${eventColumns})
    select :directoryId, sequence, ${rowOf(eventRowColumns, ':changes[n]')} from numbered
  ),
  new_deprovisionings as (
    insert into deprovisionings (directory_id, sequence, user_id, subject, received_at)
    select :directoryId, sequence, id, :changes[n].user_name, :changes[n].deprovisioned_at from numbered
    where :changes[n].deprovisioned_at is not null
  ),
  advanced as (
    update directory_state s set last_sequence = s.last_sequence + c.changed,
      active_users = s.active_users + c.active_change, ${marksWork},
      last_change_at = c.at${observes(updateBehaviors, (behavior) => `c.${behavior}_at`)}
    from (
      select count(*) as changed, sum(:changes[n].active_change) as active_change, max(:changes[n].event_at) as at,
        ${updateBehaviors.map((behavior) => `max(:changes[n].${behavior}_at) as ${behavior}_at`).join(', ')}
      from numbered) c
    where s.directory_id = :directoryId and c.changed > 0
  ),
  counted as (${addVolumeFrom('(select count(*) as changed, max(:changes[n].event_at) as at from numbered) c', 'c.changed', 'c.at')}
  )
  select last_sequence, (select array_agg(n::int4 order by n) from numbered) as changed from locked`,
)

function replacementOf({ id, revision, product }: DirectoryRevision, inputs: readonly UserReplacement[]): Statement {
  const emails = inputs.map(({ before, after }) => ({ id: after.id, before: before.emails, after: after.emails }))
  const terms = inputs.map(({ before, after }) => changedTerms(before.searched, after.searched))
  return replaceStatement({
    directoryId: id,
    revision,
    changes: inputs.map(changeRow),
    removedEmails: emailRows(emails.map((user) => ({ id: user.id, emails: without(user.before, user.after) }))),
    addedEmails: emailRows(emails.map((user) => ({ id: user.id, emails: without(user.after, user.before) }))),
    list: listNumber(product, 'user'),
    removedTerms: termKeys(terms.map(({ removed }) => removed)),
    writtenTerms: termRows(terms.map(({ written }) => written)),
  })
}

/** Replaces users of whom none becomes active or inactive. */
async function replaceEach(
  { query }: Database,
  directory: DirectoryRevision,
  inputs: readonly UserReplacement[],
): Promise<Outcomes> {
  const [row] = await query(replacementOf(directory, inputs))
  return outcomesOf(row, inputs)
}

/** The same for changes that make users active or inactive, which are counted. */
function replaceCounting(
  { transaction }: Database,
  directory: DirectoryRevision,
  inputs: readonly UserReplacement[],
): Promise<Outcomes> {
  const users = inputs.map(({ after }) => after)
  const reads = [lockDirectory(directory), windowRead(directory.id), removedUsersRead(directory.id, users)]
  return transaction([...reads, replacementOf(directory, inputs)], ([locked, windows, removed = [], rows]) => {
    const state = decodeLocked(locked)
    const answer = outcomesOf(rows?.[0], inputs)
    if (state === undefined) return { statements: [], answer }
    const changes = presenceChanges(answer)
    const at = Math.max(0, ...inputs.map(({ event }) => event.createdAt))
    const removals = userRemovals(changes, removed.map(decodeRemovedUserRow), state.activeUsers, at)
    const facts = { directoryId: directory.id, limit: directory.removalLimit ?? null, state, windows }
    return { statements: removalStatements(facts, removals), answer }
  })
}

/**
 * The same for changes in a directory with a mapping: each user is evaluated in its groups, and the event about the change reports
 * what changes of its roles and attributes, too.
 */
function replaceMapped(
  { transaction }: Database,
  directory: MappedRevision,
  compiled: CompiledMapping,
  inputs: readonly UserReplacement[],
): Promise<Outcomes> {
  const { id: directoryId } = directory
  const users = inputs.map(({ after }) => after)
  const facts = [
    removedUsersRead(directoryId, users),
    statesRead(
      directoryId,
      users.map(({ id: userId }) => userId),
    ),
  ]
  const reads = [lockDirectory(directory), windowRead(directoryId), ...facts, roleCountsRead(directoryId)]
  return transaction(reads, ([locked, windows, removed = [], stored = [], counts]): Conclusion<Outcomes> => {
    const state = decodeLocked(locked)
    if (state === undefined) return { statements: [], answer: outcomesOf(undefined, inputs) }
    const states = new Map(stored.map((row) => [text(row, 'id'), decodeMappedState(row)]))
    const { replaced, roles, outcomes } = evaluateReplacements(compiled, inputs, states, state.lastSequence)
    if (replaced.length === 0) return { statements: [], answer: outcomes }
    const at = Math.max(...replaced.map(({ event }) => event.createdAt))
    const changes = presenceChanges(outcomes)
    const removals = userRemovals(changes, removed.map(decodeRemovedUserRow), state.activeUsers, at)
    const removalFacts = { directoryId, limit: directory.removalLimit ?? null, state, windows }
    const mapped = { directoryId, compiled, discardedEvents: state.discardedEvents }
    return {
      statements: [
        replacementOf(directory, replaced),
        ...(changes.length > 0 ? removalStatements(removalFacts, removals) : []),
        ...roleStatements(mapped, roles, counts, at),
      ],
      answer: outcomes,
    }
  })
}

/** The replacements of users who are at their version, with their roles and attributes. */
function evaluateReplacements(
  compiled: CompiledMapping,
  inputs: readonly UserReplacement[],
  states: ReadonlyMap<string, MappedState>,
  lastSequence: number,
) {
  const replaced: UserReplacement[] = []
  const roles: RoleChange[] = []
  const outcomes = new Map<UserReplacement, UserReplacementOutcome>()
  for (const input of inputs) {
    const state = states.get(input.before.id)
    if (state?.version !== input.before.version) {
      outcomes.set(input, 'version-mismatch')
      continue
    }
    const { user, event, gained, lost } = mappedReplacement(compiled, input.after, state, input.event)
    replaced.push({ ...input, after: user, event })
    const sequence = lastSequence + replaced.length
    roles.push({ userId: user.id, position: state.position, sequence, gained, lost })
    outcomes.set(input, { events: [{ ...event, sequence }] })
  }
  return { replaced, roles, outcomes }
}

/** The users who became active or inactive. */
function presenceChanges(outcomes: Outcomes): UserPresence[] {
  return [...outcomes].flatMap(([{ before, after }, outcome]): UserPresence[] => {
    const sequence = typeof outcome === 'string' ? undefined : outcome.events[0]?.sequence
    if (sequence === undefined || before.active === after.active) return []
    return [{ sequence, user: after, change: before.active ? 'removed' : 'returned', wasActive: before.active }]
  })
}

function outcomesOf(row: Row | undefined, inputs: readonly UserReplacement[]): Outcomes {
  if (row === undefined) return new Map(inputs.map((input) => [input, 'directory-changed']))
  const lastSequence = integer(row, 'last_sequence')
  const sequences = new Map(integers(row, 'changed').map((n, index) => [inputs[n - 1], lastSequence + index + 1]))
  return new Map(
    inputs.map((input) => {
      const sequence = sequences.get(input)
      return [input, sequence === undefined ? 'version-mismatch' : { events: [{ ...input.event, sequence }] }]
    }),
  )
}

/** The texts that the others do not contain. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  return texts.filter((text) => !others.includes(text))
}
