import type { ChangeBehavior } from '../../directory/behaviors.ts'
import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Group } from '../../directory/group.ts'
import type { Committed, DirectoryChanged } from '../../directory/store.ts'
import type { IndexedUser } from '../../directory/user.ts'
import { observes } from '../behaviors.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { CountedState, Removals } from '../removals.ts'
import { membershipRemovals, userRemovals } from '../removals.ts'
import type { Row } from '../row.ts'
import { integers } from '../row.ts'
import { marksWork } from '../streams.ts'
import type { Conclusion, Database } from './database.ts'
import { decodeLocked, lockDirectory } from './directories.ts'
import { eventColumns, eventTypes, eventValues } from './events.ts'
import { countOut } from './list-counts.ts'
import { removalStatements, windowRead } from './removals.ts'
import { arrayParameters, columnsOf, rowBy, rowsWith } from './sql.ts'
import { emailColumns, firstOfEach } from './users.ts'

export type DeletionOutcome = Committed | 'version-mismatch' | DirectoryChanged

/** A user to delete, and the event about it. */
export interface UserDeletion {
  readonly user: IndexedUser
  readonly event: UnnumberedEvent
  /** When the request arrived. */
  readonly receivedAt: number
}

/** A group to delete, and the event about it. */
export interface GroupDeletion {
  readonly group: Pick<Group, 'id' | 'version'>
  readonly event: UnnumberedEvent
}

/** What differs between the deletions of users and of groups. */
interface DeletedResource {
  readonly table: 'users' | 'groups'
  /** A further condition on the memberships `m` of deleted resources whose groups get a new version. */
  readonly leaving: string
  /** What else is written: common table expressions that read `gone` and `numbered`. Their parameters begin at `$12`. */
  readonly alsoWritten: string
  /** What the deletion shows of the identity provider. */
  readonly behaviors: readonly ChangeBehavior[]
  /** A column of the deleted rows `r` for `gone`. */
  readonly column: string
  /** What the counters of the directory's state `s` become: assignments. */
  readonly counters: string
  /** How many removals each deletion is, in a query of `gone`. */
  readonly removals: string
}

/** The parameters of every deletion; the next one is `$12`. */
const sharedParameters = `unnest((select $3::text[]), (select $4::int8[]), ${arrayParameters(5, eventTypes)})`

/**
 * The statement that deletes resources, ends their memberships and records the events. It runs under the lock of the
 * directory, so it sees everything that other processes committed before.
 */
function deletionText({ table, leaving, alsoWritten, behaviors, column, counters, removals }: DeletedResource): string {
  return `
  with wanted as materialized (
    select i.*, s.last_sequence, r.row_position
    from directory_state s cross join ${sharedParameters} with ordinality as i (id, version, ${eventColumns}, n)
    ${rowBy(table, 'r', 'id', 'i.id', 'r.ctid as row_position')}
    where s.directory_id = $1 and s.revision = $2
  ),
  gone as (
    delete from ${table} r using wanted w
    where r.ctid = w.row_position and r.ctid = any(array(select row_position from wanted)) and r.version = w.version
    returning w.n, w.id, w.event_at, r.sequence, ${column}
  ),
  numbered as materialized (
    select w.*, w.last_sequence + row_number() over (order by w.n) as sequence from wanted w join gone g on g.n = w.n
  ),
  ${alsoWritten},
  left_groups as materialized (
    select m.group_id, m.sequence, m.row_position, g.event_at from gone g
    cross join lateral (${rowsWith('members', 'm', 'member_id', 'g.id', 'm.group_id, m.sequence, m.ctid as row_position')}) m
    where true${leaving}
  ),
  ended_memberships as (
    delete from members m where m.ctid = any(array(select row_position from left_groups))
  ),
  changed_groups as materialized (
    select g.row_position, l.members, l.at
    from (select group_id, count(*) as members, max(event_at) as at from left_groups group by group_id) l
    ${rowBy('groups', 'g', 'id', 'l.group_id', 'g.ctid as row_position')}
  ),
  updated_groups as (
    update groups g set version = g.version + c.members, updated_at = c.at from changed_groups c
    where g.ctid = c.row_position and g.ctid = any(array(select row_position from changed_groups))
  ),
  ${countOut(table)},
  new_events as (
    insert into events (directory_id, sequence, id, event_type, created_at, request_id, trace_context, data, changes)
    select $1, sequence, ${eventColumns} from numbered
  ),
  advanced as (
    update directory_state s set last_sequence = s.last_sequence + g.deleted, ${counters}, ${marksWork},
      last_change_at = g.at${observes(behaviors, () => 'g.at')}
    from (select count(*) as deleted, max(event_at) as at from gone) g
    where s.directory_id = $1 and g.deleted > 0
  )
  select s.last_sequence, (select array_agg(n::int4 order by n) from gone) as gone,
    (select array_agg((${removals})::int4 order by n) from gone) as removals
  from directory_state s where s.directory_id = $1 and s.revision = $2`
}

const deleteUsersText = deletionText({
  table: 'users',
  leaving: '',
  column: 'r.active',
  counters: `active_users = s.active_users - (select count(*) from gone where active = 1),
      memberships = s.memberships - (select count(*) from left_groups)`,
  removals: 'active',
  alsoWritten: `gone_emails as (
    delete from user_emails e
    using unnest((select $12::text[]), (select $13::text[])) as a (user_id, email) join gone g on g.id = a.user_id
    where e.directory_id = $1 and e.email = a.email and e.user_id = a.user_id
  ),
  new_deprovisionings as (
    insert into deprovisionings (directory_id, sequence, user_id, subject, received_at)
    select $1, n.sequence, n.id, d.subject, d.received_at
    from unnest((select $14::text[]), (select $15::int8[])) with ordinality as d (subject, received_at, n)
    join numbered n on n.n = d.n
  )`,
  behaviors: ['user_deleted'],
})

/** Deletes users with their events; they leave their groups. Memberships that end with them do not count as removals. */
export function deleteUsers(
  database: Database,
  directory: DirectoryRevision,
  inputs: readonly UserDeletion[],
): Promise<DeletionOutcome[]> {
  const deletions = inputs.map(({ user, ...input }) => ({ id: user.id, version: user.version, user, ...input }))
  return runDeletions(database, directory, deletions, {
    text: deleteUsersText,
    valuesOf: (tried) => [
      ...emailColumns(tried.map(({ user }) => user)),
      tried.map(({ user }) => user.userName),
      tried.map(({ receivedAt }) => receivedAt),
    ],
    removalsOf(deleted, { activeUsers }, at) {
      const removed = deleted.flatMap(({ deletion: { user }, sequence, removals }) =>
        removals > 0 ? [{ user, sequence }] : [],
      )
      return userRemovals(removed, activeUsers, at)
    },
  })
}

/** When a group is deleted together with a group that contains it, the latter needs no new version. */
const deleteGroupsText = deletionText({
  table: 'groups',
  column: 'r.version',
  counters: `memberships = s.memberships - (select count(*) from left_groups)
        - (select coalesce(sum(resources), 0) from gone_counts)`,
  removals: '(select coalesce(sum(c.resources), 0) from gone_counts c where c.list_name = gone.id)',
  leaving: `
      and m.group_id not in (select id from gone)`,
  alsoWritten: `gone_members as (
    delete from members d where d.ctid = any(array(
      select m.ctid from gone g cross join lateral (${rowsWith('members', 'm', 'group_id', 'g.id', 'm.ctid')}) m
    ))
  ),
  gone_counts as (
    delete from list_counts d where d.ctid = any(array(
      select c.ctid from gone g cross join lateral (${rowsWith('list_counts', 'c', 'list_name', 'g.id', 'c.ctid')}) c
    ))
    returning d.list_name, d.resources
  )`,
  behaviors: [],
})

/** Deletes groups with their events. There are no events for their members, and they leave the groups that contain them. */
export function deleteGroups(
  database: Database,
  directory: DirectoryRevision,
  inputs: readonly GroupDeletion[],
): Promise<DeletionOutcome[]> {
  const deletions = inputs.map(({ group: { id, version }, event }) => ({ id, version, event }))
  return runDeletions(database, directory, deletions, {
    text: deleteGroupsText,
    valuesOf: () => [],
    removalsOf(deleted, { memberships }, at) {
      let before = memberships
      const runs = deleted.map(({ sequence, removals }) => {
        const run = { sequence, removals, hasEventEach: false, before }
        before -= removals
        return run
      })
      return membershipRemovals(runs, at)
    },
  })
}

/** What to delete, at which version, and the event about it. */
interface Deletion {
  readonly id: string
  readonly version: number
  readonly event: UnnumberedEvent
}

/** A deletion that was made. */
interface Deleted<D> {
  readonly deletion: D
  readonly sequence: number
  /** How many removals it is: 1 for an active user, the members of a group. */
  readonly removals: number
}

/** The statement of a deletion, whose own values begin at `$12`, and the removals that it makes. */
interface DeletionStatement<D> {
  readonly text: string
  readonly valuesOf: (tried: readonly D[]) => readonly unknown[]
  readonly removalsOf: (deleted: readonly Deleted<D>[], before: CountedState, at: number) => Removals
}

/**
 * Runs the statement of a deletion under the lock of the directory, then counts the removals. Of several deletions of one
 * resource, the first is done and the others have a version mismatch.
 */
function runDeletions<D extends Deletion>(
  database: Database,
  directory: DirectoryRevision,
  inputs: readonly D[],
  { text, valuesOf, removalsOf }: DeletionStatement<D>,
): Promise<DeletionOutcome[]> {
  const deletions = firstOfEach(inputs, ({ id, version }) => `${id}/${version}`)
  const columns = [
    deletions.map(({ id }) => id),
    deletions.map(({ version }) => version),
    ...columnsOf(
      eventTypes,
      deletions.map(({ event }) => eventValues(event)),
    ),
  ]
  const deleting = { text, values: [directory.id, directory.revision, ...columns, ...valuesOf(deletions)] }
  const first = [lockDirectory(directory), windowRead(directory.id), deleting]
  return database.transaction(first, ([locked, windows, rows]): Conclusion<DeletionOutcome[]> => {
    const row = rows?.[0]
    const state = decodeLocked(locked)
    if (state === undefined || row === undefined) {
      return { statements: [], answer: inputs.map(() => 'directory-changed') }
    }
    const deleted = deletedBy(row, deletions, state)
    const at = Math.max(0, ...deleted.map(({ deletion }) => deletion.event.createdAt))
    const facts = { directoryId: directory.id, limit: directory.removalLimit ?? null, state, windows }
    return {
      statements: removalStatements(facts, removalsOf(deleted, state, at)),
      answer: outcomesOf(inputs, deleted),
    }
  })
}

/** @param tried the deletions of the statement */
function deletedBy<D>(row: Row, tried: readonly D[], { lastSequence }: CountedState): Deleted<D>[] {
  const removals = integers(row, 'removals')
  return integers(row, 'gone').flatMap((n, index) => {
    const deletion = tried[n - 1]
    if (deletion === undefined) return []
    return [{ deletion, sequence: lastSequence + index + 1, removals: removals[index] ?? 0 }]
  })
}

function outcomesOf<D extends Deletion>(inputs: readonly D[], deleted: readonly Deleted<D>[]): DeletionOutcome[] {
  const sequences = new Map(deleted.map(({ deletion, sequence }) => [deletion, sequence]))
  return inputs.map((input) => {
    const sequence = sequences.get(input)
    return sequence === undefined ? 'version-mismatch' : { events: [{ ...input.event, sequence }] }
  })
}
