import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Committed, DirectoryChanged } from '../../directory/store.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { Row } from '../row.ts'
import type { Database } from './database.ts'
import { lockDirectory } from './directory-lock.ts'
import { eventColumns, eventTypes, eventValues } from './events.ts'
import { countOut } from './list-counts.ts'
import { arrayParameters, columnsOf } from './sql.ts'

export type DeletionOutcome = Committed | 'version-mismatch' | DirectoryChanged

/** What to delete, at which version, and the event that tells of it. */
export interface Deletion {
  readonly id: string
  readonly version: number
  readonly event: UnnumberedEvent
}

/** How the deletion of one kind of resource differs. */
export interface DeletedKind {
  readonly table: 'users' | 'groups'
  /** Which of the memberships of what is gone end with a new version of their group; over the aliases `m` and `gone`. */
  readonly leaving: string
  /** What else goes with it: common table expressions that read `gone`. Their parameters begin at `$11`. */
  readonly alsoGone: string
}

/** The parameters that every deletion has; the next one is `$11`. */
const sharedParameters = `unnest((select $3::text[]), (select $4::int8[]), ${arrayParameters(5, eventTypes)})`

/**
 * The statement that deletes resources, ends their memberships and records the events. It runs under the lock of the
 * directory, so that it misses nothing that other processes committed before.
 */
export function deletionText({ table, leaving, alsoGone }: DeletedKind): string {
  return `
  with wanted as materialized (
    select i.*, s.last_sequence
    from directory_state s cross join ${sharedParameters} with ordinality as i (id, version, ${eventColumns}, n)
    where s.directory_id = $1 and s.revision = $2
  ),
  gone as (
    delete from ${table} r using wanted w
    where r.directory_id = $1 and r.id = w.id and r.id = any((select $3::text[])::text[]) and r.version = w.version
    returning w.n, w.id, w.event_at, r.sequence
  ),
  numbered as materialized (
    select w.*, w.last_sequence + row_number() over (order by w.n) as place from wanted w join gone g on g.n = w.n
  ),
  ${alsoGone},
  left_groups as (
    delete from members m using gone g
    where m.directory_id = $1 and m.member_id = g.id${leaving}
    returning m.group_id, m.sequence, g.event_at
  ),
  touched as (
    update groups g set version = g.version + l.members, updated_at = l.at
    from (select group_id, count(*) as members, max(event_at) as at from left_groups group by group_id) l
    where g.directory_id = $1 and g.id = l.group_id
  ),
  ${countOut(table)},
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
}

/** Runs a deletion's statement under the lock of the directory. @param more the values from `$11` on */
export async function runDeletions(
  database: Database,
  directory: DirectoryRevision,
  text: string,
  deletions: readonly Deletion[],
  more: readonly unknown[] = [],
): Promise<DeletionOutcome[]> {
  const values = [
    directory.id,
    directory.revision,
    deletions.map(({ id }) => id),
    deletions.map(({ version }) => version),
    ...columnsOf(
      eventTypes.length,
      deletions.map(({ event }) => eventValues(event)),
    ),
    ...more,
  ]
  const [, rows] = await database.atomically([lockDirectory(directory), { text, values }])
  return answerDeletions(deletions, rows)
}

/** Answers deletions from what their statement returns: the last sequence number before it, and which were done. */
function answerDeletions(inputs: readonly Deletion[], rows: readonly Row[] | undefined): DeletionOutcome[] {
  const [row] = rows ?? []
  if (row === undefined) return inputs.map(() => 'directory-changed')
  const { last_sequence, gone } = row as { last_sequence: number; gone: number[] | null }
  return inputs.map(({ event }, index) => {
    const place = gone?.indexOf(index + 1) ?? -1
    return place < 0 ? 'version-mismatch' : { events: [{ ...event, sequence: last_sequence + place + 1 }] }
  })
}
