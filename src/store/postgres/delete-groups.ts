import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Group } from '../../directory/group.ts'
import type { UnnumberedEvent } from '../numbered-events.ts'
import type { Database } from './database.ts'
import type { DeletionOutcome } from './deletion.ts'
import { answerDeletions } from './deletion.ts'
import { lockDirectory } from './directory-lock.ts'
import { eventColumns, eventTypes, eventValues } from './event-rows.ts'
import { countOut } from './list-counts.ts'
import { arrayParameters, columnsOf } from './parameters.ts'

/** A group to delete and the event that tells of it. */
export interface GroupDeletion {
  readonly group: Pick<Group, 'id' | 'version'>
  readonly event: UnnumberedEvent
}

/** Runs under the lock, so that it misses no member that another process added before. */
const text = `
  with wanted as materialized (
    select i.*, s.last_sequence
    from directory_state s cross join unnest((select $3::text[]), (select $4::int8[]), ${arrayParameters(5, eventTypes)}) with ordinality
      as i (id, version, ${eventColumns}, n)
    where s.directory_id = $1 and s.revision = $2
  ),
  gone as (
    delete from groups g using wanted w
    where g.directory_id = $1 and g.id = w.id and g.id = any((select $3::text[])::text[]) and g.version = w.version
    returning w.n, w.id, w.event_at, g.sequence
  ),
  numbered as materialized (
    select w.*, w.last_sequence + row_number() over (order by w.n) as place from wanted w join gone g on g.n = w.n
  ),
  gone_members as (
    delete from members m using gone g where m.directory_id = $1 and m.group_id = g.id
  ),
  left_groups as (
    delete from members m using gone g
    where m.directory_id = $1 and m.member_id = g.id
      and m.group_id not in (select id from gone)
    returning m.group_id, m.sequence, g.event_at
  ),
  touched as (
    update groups g set version = g.version + l.members, updated_at = l.at
    from (select group_id, count(*) as members, max(event_at) as at from left_groups group by group_id) l
    where g.directory_id = $1 and g.id = l.group_id
  ),
  forgotten as (
    delete from list_counts c using gone g where c.directory_id = $1 and c.list_name = g.id
  ),
  ${countOut('groups')},
  new_events as (
    insert into events (directory_id, sequence, id, event_type, created_at, request_id, data, changes)
    select $1, place, ${eventColumns} from numbered
  ),
  advanced as (
    update directory_state s set last_sequence = s.last_sequence + (select count(*) from gone)
    where s.directory_id = $1 and exists (select from gone)
  )
  select s.last_sequence, (select array_agg(n::int4 order by n) from gone) as gone
  from directory_state s where s.directory_id = $1 and s.revision = $2`

/** Deletes groups with their events; their members leave silently, and they leave the groups that they are in. */
export async function deleteGroups(
  database: Database,
  directory: DirectoryRevision,
  inputs: readonly GroupDeletion[],
): Promise<DeletionOutcome[]> {
  const values = [
    directory.id,
    directory.revision,
    inputs.map(({ group }) => group.id),
    inputs.map(({ group }) => group.version),
    ...columnsOf(
      eventTypes.length,
      inputs.map(({ event }) => eventValues(event)),
    ),
  ]
  const [, rows] = await database.atomically([lockDirectory(directory), { text, values }])
  return answerDeletions(inputs, rows)
}
