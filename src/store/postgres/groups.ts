import type { Group } from '../../directory/group.ts'
import { fold } from '../../scim/fold.ts'
import type { MemberChanges } from '../../scim/patch/members.ts'
import type { GroupChange } from '../group-changes.ts'
import type { Statement } from './database.ts'
import { namedMember } from './members.ts'
import { ofDirectory, rowBy } from './sql.ts'

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
