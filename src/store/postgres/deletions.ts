import type { ChangeBehavior } from '../../directory/behaviors.ts'
import type { Cause, StoredEvent } from '../../directory/event.ts'
import type { Group } from '../../directory/group.ts'
import { groupTexts, termsOf } from '../../directory/search-terms.ts'
import type { CompiledMapping } from '../../mapping/compiled.ts'
import { namesGroup } from '../../mapping/compiled.ts'
import { observes } from '../behaviors.ts'
import type { UnnumberedEvent } from '../events.ts'
import { checkHealth } from '../health-checks.ts'
import type { MappedRevision, RoleChange } from '../mapped-users.ts'
import { roleCountsRead } from '../mapped-users.ts'
import type { CountedState, Removals } from '../removals.ts'
import { membershipRemovals, windowsRead } from '../removals.ts'
import type { Row } from '../row.ts'
import { integer, integers, text } from '../row.ts'
import { listNumber } from '../search-terms.ts'
import { marksWork } from '../streams.ts'
import { addVolumeFrom } from '../volumes.ts'
import type { WrittenDirectory } from '../write/batch.ts'
import type { DeletionOutcome, UserDeletion } from '../write/delete-users.ts'
import { deleteUsers } from '../write/delete-users.ts'
import type { Concerned } from '../write/evaluate-users.ts'
import { countMemberships } from '../write/state.ts'
import type { Conclusion, Database, RunAll, Statement } from './database.ts'
import { databaseWithin } from './database.ts'
import { decodeLocked, lockDirectory } from './directories.ts'
import { eventColumns, eventRow, eventRowColumns } from './events.ts'
import type { LimitLargeChanges } from './large-change-limit.ts'
import { countOut } from './list-counts.ts'
import { roleStatements, thenReevaluate } from './mapped-users.ts'
import { membersInGroup } from './members.ts'
import type { Columns, RowOf } from './named-statement.ts'
import { namedStatement, rowOf } from './named-statement.ts'
import { removalStatements } from './removals.ts'
import { deleteTerms, termKeyColumns, termKeys } from './search-terms.ts'
import { ofDirectory, oneRow, rowBy, rowsWith } from './sql.ts'
import { commit, commitKnown } from './write/commit.ts'

/** A group to delete, and the event about it. */
export interface GroupDeletion {
  readonly group: Pick<Group, 'id' | 'version' | 'name' | 'externalId'>
  readonly event: UnnumberedEvent
}

/** The differences between the deletions of users and of groups. */
interface DeletedResource {
  readonly table: 'users' | 'groups'
  /** A further condition on the memberships `m` of deleted resources whose groups get a new version. */
  readonly leaving: string
  /** Further writes: common table expressions that read `gone` and `numbered`. */
  readonly alsoWritten: string
  /** The behavior of the identity provider that the deletion shows. */
  readonly behaviors: readonly ChangeBehavior[]
  /** A column of the deleted rows `r` for `gone`. */
  readonly column: string
  /** Assignments to the counters of the directory's state `s`. */
  readonly counters: string
  /** A query of `gone` for the numbers by which each deletion reduces the counters of the directory. */
  readonly counted: string
}

/** In so many groups a user or group is deleted at once. */
const maxGroupsAtOnce = 500

/** The memberships of `id`: no more of them than are ended at once, or one more. */
const memberships = (id: string, columns: string, limit: number) => `
  select ${columns} from members m where m.directory_id = $1 and m.member_id between ${id} and ${id} and m.member_id >= ''
  order by m.member_id limit ${limit}`

/** Ends the memberships `left_groups`; their groups get a new version. */
const endMemberships = `
  ended_memberships as (
    delete from members m where ${ofDirectory('m')} and m.ctid = any(array(select row_position from left_groups))
  ),
  changed_groups as materialized (
    select g.row_position, l.members, l.at
    from (select group_id, count(*) as members, max(event_at) as at from left_groups group by group_id) l
    ${rowBy('groups', 'g', 'id', 'l.group_id', 'g.ctid as row_position')}
  ),
  updated_groups as (
    update groups g set version = g.version + c.members, updated_at = c.at from changed_groups c
    where g.ctid = c.row_position and ${ofDirectory('g')} and g.ctid = any(array(select row_position from changed_groups))
  )`

/** Ends some memberships of `$2`. */
const endSome = `
  with left_groups as materialized (
    select m.*, $3::int8 as event_at
    from (${memberships('$2', 'm.group_id, m.sequence, m.ctid as row_position', maxGroupsAtOnce)}) m
  ),
  ${endMemberships},
  ${countOut()}
  select count(*)::int4 as ended from left_groups`

/** The columns of a deletion. */
const deletionColumns = { id: 'text', version: 'int8', ...eventRowColumns } as const satisfies Columns

function deletionRow({ id, version, event }: Deletion): RowOf<typeof deletionColumns> {
  return { id, version, ...eventRow(event) }
}

/**
 * The statement that deletes resources, ends their memberships and records the events, except for those in many groups. It runs
 * under the lock of the directory, so it sees everything that other processes committed before.
 */
function deletionText({ table, leaving, alsoWritten, behaviors, column, counters, counted }: DeletedResource): string {
  return `
  with many as materialized (
    select i.n from unnest(:deletions.id) with ordinality as i (id, n)
    where (select count(*) from (${memberships('i.id', '', maxGroupsAtOnce + 1)}) m) > ${maxGroupsAtOnce}
  ),
  wanted as materialized (
    select i.id, i.n, s.last_sequence, r.row_position
    from directory_state s cross join unnest(:deletions.id) with ordinality as i (id, n)
    ${rowBy(table, 'r', 'id', 'i.id', 'r.ctid as row_position')}
    where s.directory_id = :directoryId and s.revision = :revision and i.n not in (select n from many)
  ),
  gone as (
    delete from ${table} r using wanted w
    where r.ctid = w.row_position and ${ofDirectory('r')} and r.ctid = any(array(select row_position from wanted))
      and r.version = :deletions[w.n].version
    returning w.n, w.id, :deletions[w.n].event_at as event_at, r.sequence, ${column}
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
  ${endMemberships},
  ${countOut(table)},
  new_events as (
    insert into events (directory_id, sequence, ${eventColumns})
    select :directoryId, sequence, ${rowOf(eventRowColumns, ':deletions[n]')} from numbered
  ),
  advanced as (
    update directory_state s set last_sequence = s.last_sequence + g.deleted, ${counters}, ${marksWork},
      last_change_at = g.at${observes(behaviors, () => 'g.at')}
    from (select count(*) as deleted, max(event_at) as at from gone) g
    where s.directory_id = :directoryId and g.deleted > 0
  ),
  counted_events as (${addVolumeFrom('(select count(*) as deleted, max(event_at) as at from gone) g', 'g.deleted', 'g.at')}
  )
  select s.last_sequence, (select array_agg(n::int4 order by n) from gone) as gone,
    (select array_agg(n::int4 order by n) from many) as many,
    (select array_agg((${counted})::int4 order by n) from gone) as counted
  from directory_state s where s.directory_id = :directoryId and s.revision = :revision`
}

/** Deletes the terms of the deleted resources, as a common table expression. */
const goneTerms = `gone_terms as (${deleteTerms('terms', 'select n, sequence from gone')}
  )`

/** The first members of groups who are users. */
const firstMembers = `
  select n.group_id, m.member_id from unnest((select $2::text[])) as n (group_id)
  cross join lateral (${membersInGroup('n.group_id', 'm.member_id, m.member_type', '$3::int8')}) m where m.member_type = 'User'`

/** A group that contains the deleted group gets a new version, unless it is deleted in the same batch. */
const deleteGroupsStatement = namedStatement(
  { directoryId: 'text', revision: 'int8', deletions: deletionColumns, list: 'int8', terms: termKeyColumns },
  deletionText({
    table: 'groups',
    column: 'r.version',
    counters: `memberships = s.memberships - (select count(*) from left_groups)
        - (select coalesce(sum(resources), 0) from gone_counts)`,
    counted: '(select coalesce(sum(c.resources), 0) from gone_counts c where c.list_name = gone.id)',
    leaving: `
      and m.group_id not in (select id from gone)`,
    alsoWritten: `${goneTerms},
  gone_members as (
    delete from members d where ${ofDirectory('d')} and d.ctid = any(array(
      select m.ctid from gone g cross join lateral (${rowsWith('members', 'm', 'group_id', 'g.id', 'm.ctid')}) m
    ))
  ),
  gone_counts as (
    delete from list_counts d where ${ofDirectory('d')} and d.ctid = any(array(
      select c.ctid from gone g cross join lateral (${rowsWith('list_counts', 'c', 'list_name', 'g.id', 'c.ctid')}) c
    ))
    returning d.list_name, d.resources
  )`,
    behaviors: [],
  }),
)

/** Deletes groups with their events. There are no events for their members, and they leave the groups that contain them. */
export function deleteGroups(
  database: Database,
  directory: MappedRevision,
  inputs: readonly GroupDeletion[],
  limit: LimitLargeChanges,
): Promise<(DeletionOutcome | undefined)[]> {
  const deletions = inputs.map(({ group, event }) => ({ id: group.id, version: group.version, event, group }))
  return runDeletions({ database, directory, limit }, deletions, {
    table: 'groups',
    statementOf: (tried) =>
      deleteGroupsStatement({
        directoryId: directory.id,
        revision: directory.revision,
        deletions: tried.map(deletionRow),
        list: listNumber(directory.product, 'group'),
        terms: termKeys(tried.map(({ group }) => termsOf(groupTexts(group)))),
      }),
    reads: () => [],
    removalsOf(deleted, { memberships }, at) {
      let before = memberships
      const runs = deleted.map(({ sequence, counted: removals }) => {
        const run = { sequence, removals, hasEventEach: false, before }
        before -= removals
        return run
      })
      return membershipRemovals(runs, [], at)
    },
    mapping: {
      read(compiled, tried) {
        const named = tried.filter(({ group }) => namesGroup(compiled, group)).map(({ id }) => id)
        return { text: firstMembers, values: [directory.id, named, compiled.usersAtOnce + 1] }
      },
      rolesOf: () => [],
      concernedBy(deleted, rows) {
        const causes = new Map(deleted.map(({ deletion: { id, event } }) => [id, causeOf(event)]))
        const users = rows.flatMap((row) => {
          const cause = causes.get(text(row, 'group_id'))
          return cause === undefined ? [] : [[text(row, 'member_id'), cause] as const]
        })
        return { users: new Map(users), groups: new Map() }
      },
    },
  })
}

function causeOf({ requestId, traceContext, createdAt: at }: UnnumberedEvent): Cause {
  return { requestId, traceContext, at }
}

/** The user or group to delete, its version, and the event about it. */
interface Deletion {
  readonly id: string
  readonly version: number
  readonly event: UnnumberedEvent
}

/** A deletion that was made. */
interface Deleted<D> {
  readonly deletion: D
  readonly sequence: number
  /** By how many there are fewer active users, or memberships of the group. */
  readonly counted: number
}

/** The statement of deletions, and the removals that they make. */
interface DeletionStatement<D> {
  readonly table: 'users' | 'groups'
  readonly statementOf: (tried: readonly D[]) => Statement
  /** The facts that `removalsOf` needs from before the deletions. */
  readonly reads: (tried: readonly D[]) => readonly Statement[]
  readonly removalsOf: (
    deleted: readonly Deleted<D>[],
    before: CountedState,
    at: number,
    read: readonly Row[][],
  ) => Removals
  /** The changes of roles that follow from the deletions. */
  readonly mapping: DeletionMapping<D>
}

/** The effects of deletions in a directory with a mapping. */
interface DeletionMapping<D> {
  /** Reads what the deletions end, before they are made. */
  readonly read: (compiled: CompiledMapping, tried: readonly D[]) => Statement
  /** The roles that deleted users had. */
  readonly rolesOf: (deleted: readonly Deleted<D>[], rows: readonly Row[]) => readonly RoleChange[]
  /** The users who are evaluated again. */
  readonly concernedBy: (deleted: readonly Deleted<D>[], rows: readonly Row[]) => Concerned
}

/** The parts that deletions use. */
interface DeletionParts {
  readonly database: Database
  readonly directory: MappedRevision
  readonly limit: LimitLargeChanges
}

/**
 * Runs the statement of a deletion under the lock of the directory, then counts the removals. Of several deletions of one
 * resource, the first is done and the others have a version mismatch. Those in many groups are left out, but for the first.
 */
async function runDeletions<D extends Deletion>(
  parts: DeletionParts,
  inputs: readonly D[],
  statement: DeletionStatement<D>,
): Promise<(DeletionOutcome | undefined)[]> {
  const { database, directory, limit } = parts
  const deletions = firstOfEach(inputs, ({ id, version }) => `${id}/${version}`)
  const [first] = inputs
  const mapped = mappingReads(directory, deletions, statement)
  const outcomes = await database.transaction(
    [
      ...[lockDirectory(directory), windowsRead(directory.id), ...mapped, ...statement.reads(deletions)],
      statement.statementOf(deletions),
    ],
    ([locked, windows, ...rows]): Conclusion<(DeletionOutcome | undefined)[]> => {
      const [ended = [], counts] = rows.splice(0, mapped.length)
      const row = rows.pop()?.[0]
      const state = decodeLocked(locked)
      if (state === undefined || row === undefined) {
        return { statements: [], answer: inputs.map(() => 'directory-changed') }
      }
      const { deleted, statements } = removalsAfter(directory, deletions, statement, {
        row,
        state,
        windows,
        read: rows,
      })
      const many = new Set(integers(row, 'many').map((n) => deletions[n - 1]?.id))
      const answerWith = (events: readonly StoredEvent[]) =>
        outcomesOf(inputs, deleted, events).map((outcome, index) => (many.has(inputs[index]?.id) ? undefined : outcome))
      const changed = { deleted, state, ended, counts }
      return afterDeletions(directory, statement, statements, changed, answerWith)
    },
  )
  if (first === undefined || outcomes[0] !== undefined) return outcomes
  return [await limit(directory, () => deleteInSteps(parts, first, statement)), ...outcomes.slice(1)]
}

/** Reads, in a directory with a mapping, what deletions end, and how many users have each role. */
function mappingReads<D>(
  { id, compiled }: MappedRevision,
  tried: readonly D[],
  { mapping }: Pick<DeletionStatement<D>, 'mapping'>,
): readonly Statement[] {
  return compiled === undefined ? [] : [mapping.read(compiled, tried), roleCountsRead(id)]
}

/** Deletions that were made, and the rows of `mappingReads`. */
interface MadeDeletions<D> {
  readonly deleted: readonly Deleted<D>[]
  /** The state before them. */
  readonly state: CountedState
  readonly ended: readonly Row[]
  readonly counts: readonly Row[] | undefined
}

/** Ends the transaction of deletions; in a directory with a mapping, roles end and members of deleted groups are evaluated. */
function afterDeletions<D extends Deletion, T>(
  { id: directoryId, compiled }: MappedRevision,
  { mapping }: Pick<DeletionStatement<D>, 'mapping'>,
  statements: readonly Statement[],
  { deleted, state, ended, counts }: MadeDeletions<D>,
  answer: (events: readonly StoredEvent[]) => T,
): Conclusion<T> {
  if (compiled === undefined) return { statements, answer: answer([]) }
  const lastSequence = state.lastSequence + deleted.length
  const directory = { directoryId, compiled, lastSequence, discardedEvents: state.discardedEvents }
  const at = Math.max(0, ...deleted.map(({ deletion }) => deletion.event.createdAt))
  const roles = roleStatements(directory, mapping.rolesOf(deleted, ended), counts, at)
  return thenReevaluate([...statements, ...roles], directory, mapping.concernedBy(deleted, ended), answer)
}

/** Deletes what is in many groups: its memberships end in steps, all in one transaction. */
function deleteInSteps<D extends Deletion>(
  { database, directory }: DeletionParts,
  deletion: D,
  statement: DeletionStatement<D>,
): Promise<DeletionOutcome> {
  const { id, version, event } = deletion
  const stored = { text: oneRow(statement.table, 'r', 'id', '$2', 'r.version'), values: [directory.id, id] }
  return database.longTransaction(async (run) => {
    const locking = [lockDirectory(directory), windowsRead(directory.id), stored]
    const mapped = mappingReads(directory, [deletion], statement)
    const [locked, windows, [found] = [], ...read] = await run([...locking, ...mapped, ...statement.reads([deletion])])
    const [mappedRows = [], counts] = read.splice(0, mapped.length)
    const state = decodeLocked(locked)
    if (state === undefined) return 'directory-changed'
    if (found === undefined || integer(found, 'version') !== version) return 'version-mismatch'
    await endMembershipsOf(run, directory.id, id, event.createdAt)
    const [[row] = []] = await run([statement.statementOf([deletion])])
    const made = removalsAfter(directory, [deletion], statement, { row: row ?? {}, state, windows, read })
    const changed = { deleted: made.deleted, state, ended: mappedRows, counts }
    let last = afterDeletions(directory, statement, made.statements, changed, (events) => events)
    while ('next' in last) last = last.next(await run(last.statements))
    await run(last.statements)
    return outcomesOf([deletion], made.deleted, last.answer)[0] ?? 'version-mismatch'
  })
}

/** Deletes users; of those in many groups only the first, and only if it is the first of all. */
export async function removeUsers(
  database: Database,
  directory: WrittenDirectory,
  inputs: readonly UserDeletion[],
  limit: LimitLargeChanges,
): Promise<readonly (DeletionOutcome | undefined)[]> {
  const outcomes = await commit(database, deleteUsers(directory, inputs))
  if (outcomes === 'directory-changed') return inputs.map(() => outcomes)
  const [first] = inputs
  if (first === undefined || outcomes[0] !== undefined) return outcomes
  return [await limit(directory, () => deleteUserInSteps(database, directory, first)), ...outcomes.slice(1)]
}

/** Deletes a user in many groups: its memberships end in steps, all in one transaction. */
function deleteUserInSteps(
  { longTransaction }: Database,
  directory: WrittenDirectory,
  deletion: UserDeletion,
): Promise<DeletionOutcome> {
  const { user, event } = deletion
  return longTransaction(async (run) => {
    const stored = { text: oneRow('users', 'u', 'id', '$2', 'u.version'), values: [directory.id, user.id] }
    const [locked, [found] = []] = await run([lockDirectory(directory), stored])
    if (decodeLocked(locked) === undefined) return 'directory-changed'
    if (found === undefined || integer(found, 'version') !== user.version) return 'version-mismatch'
    await endMembershipsOf(run, directory.id, user.id, event.createdAt)
    const outcomes = await commitKnown(databaseWithin(run), deleteUsers(directory, [deletion]))
    return outcomes === 'directory-changed' ? outcomes : (outcomes[0] ?? 'version-mismatch')
  })
}

/** Ends all memberships of a user or group, in steps. Returns their number. */
async function endMembershipsOf(run: RunAll, directoryId: string, memberId: string, at: number): Promise<number> {
  let ended = 0
  for (let last = -1; last !== 0; ended += last) {
    const [[row] = []] = await run([{ text: endSome, values: [directoryId, memberId, at] }])
    last = integer(row ?? {}, 'ended')
  }
  await run([countMemberships(directoryId, -ended)])
  return ended
}

/** The inputs without those whose key an earlier one has. */
function firstOfEach<T>(inputs: readonly T[], keyOf: (input: T) => string): T[] {
  const firsts = new Map<string, T>()
  for (const input of inputs) {
    const key = keyOf(input)
    if (!firsts.has(key)) firsts.set(key, input)
  }
  return [...firsts.values()]
}

/** The rows of the statement that deletes, and of the reads before it. */
interface Ran {
  readonly row: Row
  readonly state: CountedState
  readonly windows: Row[] | undefined
  readonly read: readonly Row[][]
}

/** The deletions that were made, and the statements that count their removals. */
function removalsAfter<D extends Deletion>(
  directory: MappedRevision,
  deletions: readonly D[],
  { removalsOf }: DeletionStatement<D>,
  { row, state, windows, read }: Ran,
) {
  const deleted = deletedBy(row, deletions, state)
  const at = Math.max(0, ...deleted.map(({ deletion }) => deletion.event.createdAt))
  const facts = { directoryId: directory.id, limit: directory.removalLimit ?? null, state, windows }
  const first = deleted.length > 0 && !state.hasChanged ? [checkHealth(directory.id)] : []
  return { deleted, statements: [...removalStatements(facts, removalsOf(deleted, state, at, read)), ...first] }
}

/** @param tried the deletions of the statement */
function deletedBy<D>(row: Row, tried: readonly D[], { lastSequence }: CountedState): Deleted<D>[] {
  const counted = integers(row, 'counted')
  return integers(row, 'gone').flatMap((n, index) => {
    const deletion = tried[n - 1]
    if (deletion === undefined) return []
    return [{ deletion, sequence: lastSequence + index + 1, counted: counted[index] ?? 0 }]
  })
}

/** @param evaluated the events about users who were evaluated */
function outcomesOf<D extends Deletion>(
  inputs: readonly D[],
  deleted: readonly Deleted<D>[],
  evaluated: readonly StoredEvent[],
): DeletionOutcome[] {
  const sequences = new Map(deleted.map(({ deletion, sequence }) => [deletion, sequence]))
  return inputs.map((input) => {
    const sequence = sequences.get(input)
    if (sequence === undefined) return 'version-mismatch'
    const own = evaluated.filter(({ requestId }) => requestId === input.event.requestId)
    return { events: [{ ...input.event, sequence }, ...own] }
  })
}
