import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Resync, ResyncCounts } from '../../delivery/resync/resync.ts'
import type { ResyncPage } from '../../delivery/resync/step.ts'
import { nextResyncStep, startResync } from '../../delivery/resync/step.ts'
import type { ResyncStepLimits, ResyncStore } from '../../delivery/resync/store.ts'
import type { EventDraft } from '../../directory/event.ts'
import { numberEvents } from '../events.ts'
import type { GroupRow, UserRow } from '../resource-rows.ts'
import { groupColumns, groupOf, userColumns, userOf } from '../resource-rows.ts'
import type { MembershipColumns, ResyncRow } from '../resync.ts'
import {
  maxCountedLists,
  membershipColumns,
  membershipOf,
  resyncColumnNames,
  resyncOf,
  resyncValues,
} from '../resync.ts'
import type { AppendAudit } from './audit.ts'
import { eventStatements } from './events.ts'
import type { GroupCommit } from './group-commit.ts'
import type { ListCounts } from './list-counts.ts'
import type { NumberedDirectory } from './row-key.ts'
import { rowKeysAfter } from './row-key.ts'

interface DirectoryState extends NumberedDirectory {
  /** The sequence number of its last event. */
  readonly last: number
}

/** Resyncs on SQLite: every step is one write of the group commit. */
export function sqliteResyncs(
  db: DatabaseSync,
  { write }: GroupCommit,
  { counts, appendAudit }: { readonly counts: ListCounts; readonly appendAudit: AppendAudit },
): ResyncStore {
  const names = resyncColumnNames.join(', ')
  const columns = resyncColumnNames.map((name) => `r.${name}`).join(', ')
  const { insertEvent } = eventStatements(db)
  const readPage = createResyncPages(db)
  const one = db.prepare(`
    select ${columns} from resyncs r join directories d on d.id = r.directory_id
    where r.directory_id = ? and d.deleted = 0`)
  const running = db.prepare(`
    select r.directory_id as id from resyncs r indexed by resyncs_running
    cross join directories d on d.id = r.directory_id
    where r.completed_at is null and r.directory_id > ? and d.deleted = 0 order by r.directory_id limit ?`)
  const put = db.prepare(
    `insert or replace into resyncs (${names}) values (${resyncColumnNames.map(() => '?').join(', ')})`,
  )
  const state = db.prepare(
    'select number, last_sequence as last from directory_state where directory_id = ? and revision >= 0',
  )
  const advance = db.prepare('update directory_state set last_sequence = ? where directory_id = ?')
  const members = db.prepare(`
    select coalesce(sum(resources), 0) as n from (
      select resources from list_counts
      where directory_id = ? and list_name not in ('users', 'groups') limit ${maxCountedLists})`)

  /** The directory as a step needs it; undefined when it is deleted. */
  function stateOf(id: string): DirectoryState | undefined {
    const row = state.get(id)
    return row === undefined ? undefined : { id, number: Number(row['number']), last: Number(row['last']) }
  }

  function stored(directoryId: string): Resync | undefined {
    const row = one.get(directoryId)
    return row === undefined ? undefined : resyncOf(row as unknown as ResyncRow)
  }

  function countsOf(id: string): ResyncCounts {
    const [users, groups] = [counts.total(id, 'users'), counts.total(id, 'groups')]
    return { users, groups, members: Number(members.get(id)?.['n']) }
  }

  function commit(directory: DirectoryState, resync: Resync, drafts: readonly EventDraft[], at: number): Resync {
    const { requestId } = resync
    for (const event of numberEvents(drafts, directory.last, { requestId, at })) insertEvent(directory, event)
    if (drafts.length > 0) advance.run(directory.last + drafts.length, directory.id)
    put.run(...resyncValues(resync))
    return resync
  }

  return {
    getResync: async (directoryId) => stored(directoryId),
    beginResync: (request, audit) =>
      write(() => {
        const directory = stateOf(request.directoryId)
        if (directory === undefined) return 'directory-not-found'
        const present = stored(directory.id)
        if (present !== undefined && present.completedAt === undefined) return present
        const { resync, events } = startResync(request, countsOf(directory.id), directory.last + 1)
        appendAudit(audit)
        return commit(directory, resync, events, request.startedAt)
      }),
    stepResync: (before, limits, now) =>
      write(() => {
        const directory = stateOf(before.directoryId)
        const present = stored(before.directoryId)
        if (directory === undefined || present?.syncId !== before.syncId) return 'conflict'
        if (present.step !== before.step || present.phase === 'completed') return 'conflict'
        const page = readPage(present.directoryId, present, present.phase, limits)
        const { resync, events } = nextResyncStep(present, page, now)
        return commit(directory, resync, events, now)
      }),
    async listRunningResyncs(after, limit) {
      return running.all(after, limit).map((row) => String(row['id']))
    },
  }
}

/** Reads what comes next of a resync. Each read is within the transaction of its step. */
export function createResyncPages(db: DatabaseSync) {
  const users = db.prepare(`
    select ${userColumns} from users u where ${rowKeysAfter('u.row_key', '?2')} and u.sequence < ?3
    order by u.row_key limit ?4`)
  const groups = db.prepare(`
    select ${groupColumns} from groups g where ${rowKeysAfter('g.row_key', '?2')} and g.sequence < ?3
    order by g.row_key limit ?4`)
  const members = db.prepare(`
    select ${membershipColumns} from members m
    left join groups g on g.directory_id = m.directory_id and g.id = m.group_id
    left join users u on u.directory_id = m.directory_id and u.id = m.member_id
    where m.directory_id = ?1 and (m.group_id, m.member_id) > (?2, ?3)
    order by m.group_id, m.member_id limit ?4`)

  return (
    directoryId: string,
    { position, startedSequence }: Resync,
    phase: ResyncPage['phase'],
    { rows: limit, bytes }: ResyncStepLimits,
  ): ResyncPage => {
    const made = [directoryId, position.sequence, startedSequence, limit] as const
    switch (phase) {
      case 'users': {
        const rows = some<UserRow>(users, made, bytes, ({ raw }) => raw.length)
        return { phase, rows: rows.map((row) => ({ sequence: row.sequence, item: userOf(row) })) }
      }
      case 'groups': {
        const rows = some<GroupRow>(groups, made, bytes, ({ raw }) => raw.length)
        return { phase, rows: rows.map((row) => ({ sequence: row.sequence, item: groupOf(row) })) }
      }
      case 'members': {
        const values = [directoryId, position.groupId, position.memberId, limit] as const
        return { phase, rows: some<MembershipColumns>(members, values, bytes, membershipBytes).map(membershipOf) }
      }
    }
  }
}

const membershipBytes = ({ user_raw, group_raw }: MembershipColumns): number =>
  (user_raw?.length ?? 0) + (group_raw?.length ?? 0)

/** Rows until they pass so many bytes, about; the first in any case. */
function some<R>(
  statement: StatementSync,
  values: readonly (string | number)[],
  maxBytes: number,
  bytesOf: (row: R) => number,
): R[] {
  const rows: R[] = []
  let bytes = 0
  for (const row of statement.iterate(...values) as Iterable<R>) {
    rows.push(row)
    bytes += bytesOf(row)
    if (bytes > maxBytes) break
  }
  return rows
}
