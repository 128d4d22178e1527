import type { DirectoryRevision } from '../../directory/directory.ts'
import type { DirectoryChanged, MembersCommitted } from '../../directory/directory-store.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { Group } from '../../directory/group.ts'
import { fold } from '../../scim/fold.ts'
import type { MemberChanges } from '../../scim/patch/members.ts'
import type { GroupChange } from '../group-changes.ts'
import type { MappedRevision } from '../mapped-users.ts'
import { membershipRemovals } from '../removals.ts'
import type { Conclusion, Database, Statement } from './database.ts'
import { decodeLocked, lockDirectory } from './directories.ts'
import { recordEvents } from './events.ts'
import type { GroupBatch, Membership } from './group-batch.ts'
import { applyChange, createGroupBatch, groupsOf, membershipsGained } from './group-batch.ts'
import { thenReevaluate } from './mapped-users.ts'
import { decodeFacts, factStatements, namedMember, removedMembershipsRead } from './members.ts'
import { removalStatements, windowRead } from './removals.ts'
import { changeGroupTerms } from './search-terms.ts'
import { ofDirectory, rowBy } from './sql.ts'

export type GroupOutcome<R extends string> = MembersCommitted | R | DirectoryChanged

/**
 * Applies changes of groups that are `independent`, each to the result of the ones before, in one transaction: one round trip
 * locks the directory and reads, one writes the result of all.
 */
export function changeGroups<R extends string>(
  database: Database,
  directory: MappedRevision,
  changes: readonly GroupChange<R>[],
): Promise<GroupOutcome<R>[]> {
  const isUnique = directory.uniqueGroupNames === true
  // New groups lose no members, and none of them comes back.
  const isCounted = changes.some(({ kind }) => kind !== 'create')
  const counted = isCounted ? [windowRead(directory.id), removedMembershipsRead(directory, changes)] : []
  return database.transaction(
    [lockDirectory(directory), ...counted, ...factStatements(directory, changes)],
    ([lock, ...rows]): Conclusion<GroupOutcome<R>[]> => {
      const [windows = [], removed = []] = rows.splice(0, counted.length)
      const state = decodeLocked(lock)
      if (state === undefined) return { statements: [], answer: changes.map(() => 'directory-changed') }
      const batch = createGroupBatch({
        facts: decodeFacts(rows),
        state,
        removed,
        isUnique,
        compiled: directory.compiled,
      })
      const answer = changes.map((change) => applyChange(batch, change))
      const removalFacts = { directoryId: directory.id, limit: directory.removalLimit ?? null, state, windows }
      const at = Math.max(0, ...changes.map(({ cause }) => cause.at))
      const removals = membershipRemovals(batch.removals, [...batch.ended.values()], at)
      const statements = [...batchStatements(directory, batch), ...removalStatements(removalFacts, removals)]
      return afterBatch(directory, batch, statements, (events) => withEvents(answer, changes, events))
    },
  )
}

/** Ends the transaction of a batch; in a directory with a mapping, the users whom it concerns are evaluated before. */
function afterBatch<T>(
  { id: directoryId, compiled }: MappedRevision,
  { state, events, concerned }: GroupBatch,
  statements: readonly Statement[],
  answer: (events: readonly StoredEvent[]) => T,
): Conclusion<T> {
  if (compiled === undefined) return { statements, answer: answer([]) }
  const { discardedEvents } = state
  const lastSequence = state.lastSequence + events.length
  return thenReevaluate(statements, { directoryId, compiled, lastSequence, discardedEvents }, concerned, answer)
}

/** Adds the events about users who were evaluated to the outcomes of the changes that caused them. */
function withEvents<R extends string>(
  outcomes: readonly GroupOutcome<R>[],
  changes: readonly GroupChange<R>[],
  events: readonly StoredEvent[],
): GroupOutcome<R>[] {
  return outcomes.map((outcome, index) => {
    if (typeof outcome === 'string') return outcome
    const own = events.filter(({ requestId }) => requestId === changes[index]?.cause.requestId)
    return own.length === 0 ? outcome : { ...outcome, events: [...outcome.events, ...own] }
  })
}

/**
 * The changes, from the first on, that can use what is read before all of them: a change that replaces a list of members
 * needs its group for itself.
 */
export function independent<R extends string>(changes: readonly GroupChange<R>[]): readonly GroupChange<R>[] {
  const kinds = new Map<string, MemberChanges['kind']>()
  const end = changes.findIndex(({ groupId, members }) => {
    const before = kinds.get(groupId)
    kinds.set(groupId, members.kind)
    return before !== undefined && (before === 'replace' || members.kind === 'replace')
  })
  return end < 0 ? changes : changes.slice(0, end)
}

const insertGroups = `
  insert into groups (directory_id, id, version, updated_at, name, name_folded, external_id, raw, created_at, sequence)
  select $1, * from unnest((select $2::text[]), (select $3::int8[]), (select $4::int8[]), (select $5::text[]), (select $6::text[]), (select $7::text[]), (select $8::text[]),
    (select $9::int8[]), (select $10::int8[]))`

/** Updates the groups that `named` names, once it has found where they are. */
const updateNamed = (named: string, set: string) => `
  with written as materialized (
    select c.*, g.row_position from ${named} ${rowBy('groups', 'g', 'id', 'c.id', 'g.ctid as row_position')}
  )
  update groups g set ${set} from written c
  where g.ctid = c.row_position and ${ofDirectory('g')} and g.ctid = any(array(select row_position from written))`

const updateGroups = updateNamed(
  `unnest((select $2::text[]), (select $3::int8[]), (select $4::int8[]), (select $5::text[]), (select $6::text[]), (select $7::text[]), (select $8::text[]))
    as c (id, version, updated_at, name, name_folded, external_id, raw)`,
  `version = c.version, updated_at = c.updated_at, name = c.name, name_folded = c.name_folded,
    external_id = c.external_id, raw = c.raw`,
)

/** Writes only the version, as members are not part of a group's row: a large `raw` is not written again. */
const updateVersions = updateNamed(
  'unnest((select $2::text[]), (select $3::int8[]), (select $4::int8[])) as c (id, version, updated_at)',
  'version = c.version, updated_at = c.updated_at',
)

/** The rows are found one by one, then deleted where they are. */
export const deleteMembers = `
  delete from members d where ${ofDirectory('d')} and d.ctid = any(array(
    select m.ctid from unnest((select $2::text[]), (select $3::text[])) as n (group_id, member_id)
    cross join lateral (${namedMember('m.ctid')}) m
  ))`

export const insertMembers = `
  insert into members (directory_id, group_id, member_id, member_type, sequence)
  select $1, * from unnest((select $2::text[]), (select $3::text[]), (select $4::text[]), (select $5::int8[]))`

/** The statements that write a batch; none when nothing changed. */
function batchStatements(directory: DirectoryRevision, batch: GroupBatch): Statement[] {
  const { id: directoryId } = directory
  const whole = groupsOf(batch, new Set([...batch.created.keys(), ...batch.replaced]))
  const write = (text: string, columns: readonly (readonly unknown[])[]): Statement[] =>
    columns[0]?.length === 0 ? [] : [{ text, values: [directoryId, ...columns] }]
  const created = groupsOf(batch, batch.created.keys())
  const createdColumns = [created.map(({ createdAt }) => createdAt), [...batch.created.values()]]
  return [
    ...write(insertGroups, [...groupColumns(created), ...createdColumns]),
    ...write(updateGroups, groupColumns(groupsOf(batch, batch.replaced))),
    ...write(updateVersions, versionColumns(groupsOf(batch, batch.changed))),
    ...write(deleteMembers, memberColumns(batch.left).slice(0, 2)),
    ...write(insertMembers, memberColumns(batch.joined)),
    ...changeGroupTerms(
      directory,
      whole.map((after) => ({ before: batch.before.get(after.id), after })),
    ),
    ...batch.counts.statements(directoryId),
    ...recordEvents(directoryId, batch.events, batch.state.lastSequence, membershipsGained(batch)),
  ]
}

/** The statements that write one group; `sequence` is its position when it is created. */
export function groupStatements(
  directoryId: string,
  kind: GroupChange<never>['kind'],
  group: Group,
  sequence: number,
): Statement[] {
  if (kind === 'members') return [{ text: updateVersions, values: [directoryId, ...versionColumns([group])] }]
  const columns = groupColumns([group])
  if (kind === 'replace') return [{ text: updateGroups, values: [directoryId, ...columns] }]
  return [{ text: insertGroups, values: [directoryId, ...columns, [group.createdAt], [sequence]] }]
}

function versionColumns(groups: readonly Group[]): unknown[][] {
  return [groups.map(({ id }) => id), groups.map(({ version }) => version), groups.map(({ updatedAt }) => updatedAt)]
}

function groupColumns(groups: readonly Group[]): unknown[][] {
  return [
    ...versionColumns(groups),
    groups.map(({ name }) => name),
    groups.map(({ name }) => fold(name)),
    groups.map(({ externalId }) => externalId ?? null),
    groups.map(({ raw }) => raw),
  ]
}

function memberColumns(memberships: ReadonlyMap<string, Membership>): unknown[][] {
  const all = [...memberships.values()]
  return [
    all.map(({ groupId }) => groupId),
    all.map(({ memberId }) => memberId),
    all.map(({ memberType }) => memberType),
    all.map(({ sequence }) => sequence),
  ]
}
