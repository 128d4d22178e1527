import type { DatabaseSync } from 'node:sqlite'
import type { Resync, ResyncCounts } from '../../delivery/resync/resync.ts'
import { resyncBegun, resyncStepped } from '../../delivery/resync/step.ts'
import type { ResyncStore } from '../../delivery/resync/store.ts'
import type { EventDraft } from '../../directory/event.ts'
import { numberEvents } from '../numbered-events.ts'
import type { ResyncRow } from '../resync-row.ts'
import { maxCountedLists, resyncColumnNames, resyncOf, resyncValues } from '../resync-row.ts'
import type { AppendAudit } from './audit.ts'
import { eventStatements } from './events.ts'
import type { GroupCommit } from './group-commit.ts'
import type { ListCounts } from './list-counts.ts'
import type { NumberedDirectory } from './place.ts'
import { createResyncPages } from './resync-pages.ts'

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
        const { resync, events } = resyncBegun(request, countsOf(directory.id), directory.last + 1)
        appendAudit(audit)
        return commit(directory, resync, events, request.startedAt)
      }),
    stepResync: (before, limits, now) =>
      write(() => {
        const directory = stateOf(before.directoryId)
        const present = stored(before.directoryId)
        if (directory === undefined || present?.syncId !== before.syncId) return 'moved'
        if (present.step !== before.step || present.phase === 'completed') return 'moved'
        const page = readPage(present.directoryId, present, present.phase, limits)
        const { resync, events } = resyncStepped(present, page, now)
        return commit(directory, resync, events, now)
      }),
    async listRunningResyncs(after, limit) {
      return running.all(after, limit).map((row) => String(row['id']))
    },
  }
}
