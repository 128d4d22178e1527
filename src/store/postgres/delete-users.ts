import type { DirectoryRevision } from '../../directory/directory.ts'
import type { IndexedUser } from '../../directory/user.ts'
import type { UnnumberedEvent } from '../numbered-events.ts'
import type { Database } from './database.ts'
import type { DeletionOutcome } from './deletion.ts'
import { answerDeletions } from './deletion.ts'
import { lockDirectory } from './directory-lock.ts'
import { eventColumns, eventTypes, eventValues } from './event-rows.ts'
import { countOut } from './list-counts.ts'
import { arrayParameters, columnsOf } from './parameters.ts'
import { emailArrays } from './user-rows.ts'

/** A user to delete and the event that tells of it. */
export interface UserDeletion {
  readonly user: IndexedUser
  readonly event: UnnumberedEvent
}

/** Runs under the lock, so that it misses nothing that other processes committed before. */
const text = `
  with wanted as materialized (
    select i.*, s.last_sequence
    from directory_state s cross join unnest((select $3::text[]), (select $4::int8[]), ${arrayParameters(5, eventTypes)}) with ordinality
      as i (id, version, ${eventColumns}, n)
    where s.directory_id = $1 and s.revision = $2
  ),
  gone as (
    delete from users u using wanted w
    where u.directory_id = $1 and u.id = w.id and u.id = any((select $3::text[])::text[]) and u.version = w.version
    returning w.n, w.id, w.event_at, u.sequence
  ),
  numbered as materialized (
    select w.*, w.last_sequence + row_number() over (order by w.n) as place from wanted w join gone g on g.n = w.n
  ),
  gone_emails as (
    delete from user_emails e using unnest((select $11::text[]), (select $12::text[])) as a (user_id, email) join gone g on g.id = a.user_id
    where e.directory_id = $1 and e.email = a.email and e.user_id = a.user_id
  ),
  left_groups as (
    delete from members m using gone g
    where m.directory_id = $1 and m.member_id = g.id
    returning m.group_id, m.sequence, g.event_at
  ),
  touched as (
    update groups g set version = g.version + l.members, updated_at = l.at
    from (select group_id, count(*) as members, max(event_at) as at from left_groups group by group_id) l
    where g.directory_id = $1 and g.id = l.group_id
  ),
  ${countOut('users')},
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

/** Deletes users with their events; they leave their groups. */
export async function deleteUsers(
  database: Database,
  directory: DirectoryRevision,
  inputs: readonly UserDeletion[],
): Promise<DeletionOutcome[]> {
  const values = [
    directory.id,
    directory.revision,
    inputs.map(({ user }) => user.id),
    inputs.map(({ user }) => user.version),
    ...columnsOf(
      eventTypes.length,
      inputs.map(({ event }) => eventValues(event)),
    ),
    ...emailArrays(inputs.map(({ user }) => user)),
  ]
  const [, rows] = await database.atomically([lockDirectory(directory), { text, values }])
  return answerDeletions(inputs, rows)
}
