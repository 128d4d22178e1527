import type { DatabaseSync } from 'node:sqlite'
import type { SyncRun, SyncRunRequest } from '../../google/store.ts'
import type { HeldDeletions } from '../held-deletions.ts'
import type { RunsBefore, SyncRunRow, SyncRunStore } from '../sync-runs.ts'
import {
  decideBegin,
  decideResume,
  keptRuns,
  runsPerPruning,
  stoppedError,
  syncProgressColumns,
  syncProgressValues,
  syncRunColumns,
  syncRunOf,
  syncRunValues,
} from '../sync-runs.ts'
import type { AppendAudit } from './audit.ts'
import type { GroupCommit } from './group-commit.ts'

const columns = syncRunColumns.map((name) => `r.${name}`).join(', ')
const values = syncRunColumns.map(() => '?').join(', ')
/** All but the keys, which what the run holds refers to: a change of them, to the same, would look at all of that. */
const changing = [...syncRunColumns, 'lease_holder', 'lease_expires_at']
  .map((name, index) => `${name} = ?${index + 1}`)
  .slice(2)
  .join(', ')
const progress = `(${syncProgressColumns.join(', ')}) = (${syncProgressColumns.map(() => '?').join(', ')})`
const isThere = 'exists (select 1 from directories d where d.id = r.directory_id and d.deleted = 0)'
const isHeldBy = `r.directory_id = ? and r.id = ? and r.lease_holder = ? and r.state = 'running' and ${isThere}`

/** Sync runs on SQLite. One process has the file: what runs when it is opened has been stopped. */
export function sqliteSyncRuns(
  db: DatabaseSync,
  { write }: GroupCommit,
  { releaseEnded, appendAudit }: Pick<HeldDeletions, 'releaseEnded'> & { readonly appendAudit: AppendAudit },
  clock: () => number = Date.now,
): SyncRunStore {
  const state = db.prepare('select 1 from directory_state where directory_id = ? and revision >= 0')
  const advanceRevision = db.prepare('update directory_state set revision = revision + 1 where directory_id = ?')
  const present = db.prepare(`
    select ${columns}, r.lease_expires_at from sync_runs r where r.directory_id = ? and r.state = 'running'`)
  const last = db.prepare(`
    select started_at from sync_runs where directory_id = ? order by started_at desc, id desc limit 1`)
  const one = db.prepare(`select ${columns} from sync_runs r where r.directory_id = ? and r.id = ? and ${isThere}`)
  const list = db.prepare(`
    select ${columns} from sync_runs r
    where r.directory_id = ? and (r.started_at, r.id) < (?, ?) and ${isThere}
    order by r.started_at desc, r.id desc limit ?`)
  const insert = db.prepare(`
    insert into sync_runs (${syncRunColumns.join(', ')}, lease_holder, lease_expires_at) values (${values}, ?, ?)`)
  const resume = db.prepare(`
    update sync_runs set ${changing} where directory_id = ?1 and id = ?2`)
  const fail = db.prepare(`
    update sync_runs set state = 'failed', error = ?, finished_at = ? where directory_id = ? and state = 'running'`)
  const prune = db.prepare(`
    delete from sync_runs where directory_id = ?1 and state not in ('running', 'held') and id in (
      select r.id from sync_runs r where r.directory_id = ?1
        and not exists (select 1 from held_deletions h where h.directory_id = r.directory_id and h.run_id = r.id)
      order by r.started_at desc, r.id desc limit ${runsPerPruning} offset ${keptRuns})`)
  const renew = db.prepare(`
    update sync_runs as r set lease_expires_at = ? where r.lease_holder = ? and r.state = 'running' and ${isThere}
    returning id`)
  const record = db.prepare(`update sync_runs as r set ${progress} where ${isHeldBy}`)
  const finish = db.prepare(`
    update sync_runs as r set ${progress}, state = ?, finished_at = ?, error = ? where ${isHeldBy}`)
  const supersede = db.prepare(`
    update sync_runs indexed by sync_runs_held set state = 'superseded'
    where directory_id = ? and state = 'held' and id <> ?`)
  const held = db.prepare(
    `select id from sync_runs indexed by sync_runs_held where directory_id = ? and state = 'held' limit 1`,
  )
  const toSync = db.prepare(`
    select id from directories indexed by directories_pulled
    where directory_type = 'extdir' and deactivated = 0 and deleted = 0 and id > ? order by id limit ?`)

  db.prepare(`update sync_runs set state = 'failed', error = ?, finished_at = ? where state = 'running'`).run(
    stoppedError,
    clock(),
  )

  const runOf = (row: unknown): SyncRun => syncRunOf(row as SyncRunRow)

  function runningOf(directoryId: string): RunsBefore['running'] {
    const row = present.get(directoryId)
    return row && { run: runOf(row), isSilent: Number(row['lease_expires_at']) <= clock() }
  }

  function lastStartedAt(directoryId: string): number | undefined {
    const row = last.get(directoryId)
    return row && Number(row['started_at'])
  }

  function found(directoryId: string, id: string): SyncRun | undefined {
    const row = one.get(directoryId, id)
    return row && runOf(row)
  }

  /** Gives the directory to a run: whoever had it before writes no more. */
  function take(request: SyncRunRequest, put: (leased: (string | number | null)[]) => void, run: SyncRun): void {
    const { directoryId, startedAt, holder, ttlMs } = request
    fail.run(stoppedError, startedAt, directoryId)
    put([...syncRunValues(run), holder, clock() + ttlMs])
    advanceRevision.run(directoryId)
  }

  return {
    async beginSyncRun(request, audit) {
      const { directoryId } = request
      await releaseEnded(directoryId)
      return write(() => {
        if (state.get(directoryId) === undefined) return { outcome: 'directory-not-found' }
        const before = { running: runningOf(directoryId), lastStartedAt: lastStartedAt(directoryId) }
        const begun = decideBegin(request, before)
        if (begun.outcome !== 'begun') return begun
        take(request, (leased) => insert.run(...leased), begun.run)
        prune.run(directoryId)
        appendAudit(audit)
        return begun
      })
    },
    async resumeHeldRun(request, audit) {
      const { directoryId, id } = request
      return write(() => {
        if (state.get(directoryId) === undefined) return { outcome: 'directory-not-found' }
        const begun = decideResume(runningOf(directoryId), found(directoryId, id))
        if (begun.outcome !== 'begun') return begun
        take(request, (leased) => resume.run(...leased), begun.run)
        appendAudit(audit)
        return begun
      })
    },
    renewSyncRuns: (holder, ttlMs) => write(() => renew.all(clock() + ttlMs, holder).map((row) => String(row['id']))),
    recordSyncRun: ({ directoryId, id }, holder, made) =>
      write(() => {
        const { changes } = record.run(...syncProgressValues(made), directoryId, id, holder)
        return changes === 1 ? 'recorded' : 'lost'
      }),
    async finishSyncRun({ directoryId, id }, holder, made, end) {
      const ended = [end.state, end.finishedAt, end.error ?? null]
      const outcome = await write(() => {
        const { changes } = finish.run(...syncProgressValues(made), ...ended, directoryId, id, holder)
        if (changes === 0) return 'lost'
        if (end.state !== 'failed') supersede.run(directoryId, id)
        return 'finished'
      })
      // The run has ended whatever becomes of this; the next one does what is left of it.
      if (outcome === 'finished') await releaseEnded(directoryId).catch(() => {})
      return outcome
    },
    getSyncRun: async (directoryId, id) => found(directoryId, id),
    listSyncRuns: async (directoryId, after, limit) =>
      list.all(directoryId, after?.startedAt ?? Number.MAX_SAFE_INTEGER, after?.id ?? '', limit).map(runOf),
    async heldRun(directoryId) {
      const row = held.get(directoryId)
      return row && String(row['id'])
    },
    directoriesToSync: async (after, limit) => toSync.all(after, limit).map((row) => String(row['id'])),
  }
}
