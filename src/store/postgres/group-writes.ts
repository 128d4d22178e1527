import type { Group } from '../../directory/group.ts'
import { fold } from '../../scim/fold.ts'
import type { Statement } from './database.ts'
import { recordEvents } from './events.ts'
import type { GroupWork, Membership } from './group-work.ts'

const insertGroups = `
  insert into groups (directory_id, id, version, updated_at, name, name_folded, external_id, raw, created_at, sequence)
  select $1, * from unnest((select $2::text[]), (select $3::int8[]), (select $4::int8[]), (select $5::text[]), (select $6::text[]), (select $7::text[]), (select $8::text[]),
    (select $9::int8[]), (select $10::int8[]))`

const updateGroups = `
  update groups g set version = c.version, updated_at = c.updated_at, name = c.name, name_folded = c.name_folded,
    external_id = c.external_id, raw = c.raw
  from unnest((select $2::text[]), (select $3::int8[]), (select $4::int8[]), (select $5::text[]), (select $6::text[]), (select $7::text[]), (select $8::text[]))
    as c (id, version, updated_at, name, name_folded, external_id, raw)
  where g.directory_id = $1 and g.id = c.id and g.id = any((select $2::text[])::text[])`

const deleteMembers = `
  delete from members m using unnest((select $2::text[]), (select $3::text[])) as d (group_id, member_id)
  where m.directory_id = $1 and m.group_id = d.group_id and m.member_id = d.member_id`

const insertMembers = `
  insert into members (directory_id, group_id, member_id, member_type, sequence)
  select $1, * from unnest((select $2::text[]), (select $3::text[]), (select $4::text[]), (select $5::int8[]))`

/** The statements that write what a batch comes to; none when nothing changed. */
export function groupWrites(directoryId: string, work: GroupWork, lastSequence: number): Statement[] {
  const { created, changed, joined, left, counts, events } = work
  const write = (text: string, columns: readonly (readonly unknown[])[]): Statement[] =>
    columns[0]?.length === 0 ? [] : [{ text, values: [directoryId, ...columns] }]
  const fresh = groupsOf(work, created.keys())
  return [
    ...write(insertGroups, [...groupArrays(fresh), fresh.map(({ createdAt }) => createdAt), [...created.values()]]),
    ...write(updateGroups, groupArrays(groupsOf(work, changed))),
    ...write(deleteMembers, memberArrays(left).slice(0, 2)),
    ...write(insertMembers, memberArrays(joined)),
    ...counts.statements(directoryId),
    ...recordEvents(directoryId, events, lastSequence),
  ]
}

function groupsOf({ groups }: GroupWork, ids: Iterable<string>): Group[] {
  return [...ids].flatMap((id) => groups.get(id) ?? [])
}

function groupArrays(groups: readonly Group[]): unknown[][] {
  return [
    groups.map(({ id }) => id),
    groups.map(({ version }) => version),
    groups.map(({ updatedAt }) => updatedAt),
    groups.map(({ name }) => name),
    groups.map(({ name }) => fold(name)),
    groups.map(({ externalId }) => externalId ?? null),
    groups.map(({ raw }) => raw),
  ]
}

function memberArrays(memberships: ReadonlyMap<string, Membership>): unknown[][] {
  const all = [...memberships.values()]
  return [
    all.map(({ groupId }) => groupId),
    all.map(({ memberId }) => memberId),
    all.map(({ memberType }) => memberType),
    all.map(({ sequence }) => sequence),
  ]
}
