import type { DatabaseSync } from 'node:sqlite'
import type { SyncRunRequest } from '../../google/store.ts'
import { integer, text } from '../row.ts'
import type { RunFacts, SyncRunStore } from '../sync-runs.ts'
import {
  decideBegin,
  decideResume,
  decodeSyncDue,
  decodeSyncRun,
  keptRuns,
  runsPerPruning,
  stoppedError,
  syncProgressColumns,
  syncProgressValues,
  syncRunColumns,
  syncRunValues,
} from '../sync-runs.ts'
import type { AppendAudit } from './audit.ts'
import type { GroupCommit } from './group-commit.ts'
import { createNoticeWrite } from './operator-notices.ts'

type Beginnings = Pick<SyncRunStore, 'beginSyncRun' | 'resumeHeldRun' | 'dropHeldRun'>
type Recording = Pick<SyncRunStore, 'renewSyncRuns' | 'recordSyncRun' | 'finishSyncRun'>
type Reads = Pick<
  SyncRunStore,
  'getSyncRun' | 'listSyncRuns' | 'heldRun' | 'directoriesToSync' | 'directoriesDueToSync'
>

const columns = syncRunColumns.map((name) => `r.${name}`).join(', ')
const values = syncRunColumns.map(() => '?').join(', ')
/** All columns but the key: setting a key that held deletions refer to, even to the same value, would check all of them. */
const assignments = [...syncRunColumns, 'lease_holder', 'lease_expires_at']
  .map((name, index) => `${name} = ?${index + 1}`)
  .slice(2)
  .join(', ')
const progress = `(${syncProgressColumns.join(', ')}) = (${syncProgressColumns.map(() => '?').join(', ')})`
const hasDirectory = 'exists (select 1 from directories d where d.id = r.directory_id and d.deleted = 0)'
const isHeldBy = `r.directory_id = ? and r.id = ? and r.lease_holder = ? and r.state = 'running' and ${hasDirectory}`
const runById = `select ${columns} from sync_runs r where r.directory_id = ? and r.id = ? and ${hasDirectory}`

/** Sync runs on SQLite. Only one process opens the file: a run that is unfinished when it is opened has stopped. */
export function sqliteSyncRuns(
  db: DatabaseSync,
  { write }: GroupCommit,
  appendAudit: AppendAudit,
  clock: () => number = Date.now,
): SyncRunStore {
  db.prepare(`update sync_runs set state = 'failed', error = ?, finished_at = ? where state = 'running'`).run(
    stoppedError,
    clock(),
  )
  return { ...beginnings(db, write, appendAudit, clock), ...recording(db, write, clock), ...reads(db) }
}

const pruning = `
  delete from sync_runs where directory_id = ?1 and state not in ('running', 'held') and id in (
    select r.id from sync_runs r where r.directory_id = ?1
      and not exists (select 1 from held_deletions h where h.directory_id = r.directory_id and h.run_id = r.id)
    order by r.started_at desc, r.id desc limit ${runsPerPruning} offset ${keptRuns})`

function beginnings(
  db: DatabaseSync,
  write: GroupCommit['write'],
  appendAudit: AppendAudit,
  clock: () => number,
): Beginnings {
  const readFacts = createFacts(db, clock)
  const last = db.prepare(`
    select started_at from sync_runs where directory_id = ? order by started_at desc, id desc limit 1`)
  const byId = db.prepare(runById)
  const insert = db.prepare(`
    insert into sync_runs (${syncRunColumns.join(', ')}, lease_holder, lease_expires_at) values (${values}, ?, ?)`)
  const resume = db.prepare(`update sync_runs set ${assignments} where directory_id = ?1 and id = ?2`)
  const fail = db.prepare(`
    update sync_runs set state = 'failed', error = ?, finished_at = ? where directory_id = ? and state = 'running'`)
  const advanceRevision = db.prepare('update directory_state set revision = revision + 1 where directory_id = ?')
  const setSynced = db.prepare('update directories set synced_at = ? where id = ?')
  const prune = db.prepare(pruning)
  const drop = db.prepare(`
    update sync_runs set state = 'superseded' where directory_id = ? and id = ? and state = 'held'`)

  /** Ends the run that had the directory: the new revision keeps its process from writing. */
  function endPrevious({ directoryId, startedAt }: SyncRunRequest): void {
    fail.run(stoppedError, startedAt, directoryId)
    advanceRevision.run(directoryId)
  }

  return {
    beginSyncRun: (request, audit) =>
      write(() => {
        const { directoryId, holder, ttlMs } = request
        const row = last.get(directoryId)
        const begun = decideBegin(request, readFacts(directoryId), row && integer(row, 'started_at'))
        if (begun.outcome !== 'begun') return begun
        endPrevious(request)
        insert.run(...syncRunValues(begun.run), holder, clock() + ttlMs)
        setSynced.run(begun.run.startedAt, directoryId)
        prune.run(directoryId)
        appendAudit(audit)
        return begun
      }),
    dropHeldRun: (directoryId, runId, audit) =>
      write(() => {
        const isDropped = drop.run(directoryId, runId).changes === 1
        if (isDropped) appendAudit(audit)
        return isDropped
      }),
    resumeHeldRun: (request, audit) =>
      write(() => {
        const { directoryId, id, holder, ttlMs } = request
        const row = byId.get(directoryId, id)
        const begun = decideResume(readFacts(directoryId), row && decodeSyncRun(row))
        if (begun.outcome !== 'begun') return begun
        endPrevious(request)
        resume.run(...syncRunValues(begun.run), holder, clock() + ttlMs)
        appendAudit(audit)
        return begun
      }),
  }
}

function createFacts(db: DatabaseSync, clock: () => number): (directoryId: string) => RunFacts {
  const state = db.prepare('select 1 from directory_state where directory_id = ? and revision >= 0')
  const running = db.prepare(`
    select ${columns}, r.lease_expires_at from sync_runs r where r.directory_id = ? and r.state = 'running'`)
  return (directoryId) => {
    const row = running.get(directoryId)
    return {
      hasDirectory: state.get(directoryId) !== undefined,
      running: row && { run: decodeSyncRun(row), isExpired: integer(row, 'lease_expires_at') <= clock() },
    }
  }
}

function recording(db: DatabaseSync, write: GroupCommit['write'], clock: () => number): Recording {
  const renew = db.prepare(`
    update sync_runs as r set lease_expires_at = ? where r.lease_holder = ? and r.state = 'running' and ${hasDirectory}
    returning id`)
  const writeNotice = createNoticeWrite(db)
  const record = db.prepare(`update sync_runs as r set ${progress} where ${isHeldBy}`)
  const finish = db.prepare(`
    update sync_runs as r set ${progress}, state = ?, finished_at = ?, error = ? where ${isHeldBy}`)
  const supersede = db.prepare(`
    update sync_runs indexed by sync_runs_held set state = 'superseded'
    where directory_id = ? and state = 'held' and id <> ?`)

  return {
    renewSyncRuns: (holder, ttlMs) => write(() => renew.all(clock() + ttlMs, holder).map((row) => text(row, 'id'))),
    recordSyncRun: ({ directoryId, id }, holder, made) =>
      write(() => {
        const { changes } = record.run(...syncProgressValues(made), directoryId, id, holder)
        return changes === 1 ? 'recorded' : 'lost'
      }),
    finishSyncRun: ({ directoryId, id }, holder, made, { state, finishedAt, error }, notice) =>
      write(() => {
        const ended = [state, finishedAt, error ?? null]
        const { changes } = finish.run(...syncProgressValues(made), ...ended, directoryId, id, holder)
        if (changes === 0) return 'lost'
        if (state !== 'failed') supersede.run(directoryId, id)
        writeNotice(notice)
        return 'finished'
      }),
  }
}

function reads(db: DatabaseSync): Reads {
  const byId = db.prepare(runById)
  const list = db.prepare(`
    select ${columns} from sync_runs r
    where r.directory_id = ? and (r.started_at, r.id) < (?, ?) and ${hasDirectory}
    order by r.started_at desc, r.id desc limit ?`)
  const held = db.prepare(
    `select id from sync_runs indexed by sync_runs_held where directory_id = ? and state = 'held' limit 1`,
  )
  const toSync = db.prepare(`
    select id from directories indexed by directories_pulled
    where directory_type = 'extdir' and deactivated = 0 and deleted = 0 and id > ? order by id limit ?`)
  const dueToSync = db.prepare(`
    select id, synced_at from directories indexed by directories_to_sync
    where can_sync = 1 and deactivated = 0 and deleted = 0 and synced_at <= ? and (synced_at, id) > (?, ?)
    order by synced_at, id limit ?`)

  return {
    async getSyncRun(directoryId, id) {
      const row = byId.get(directoryId, id)
      return row && decodeSyncRun(row)
    },
    listSyncRuns: async (directoryId, after, limit) =>
      list.all(directoryId, after?.startedAt ?? Number.MAX_SAFE_INTEGER, after?.id ?? '', limit).map(decodeSyncRun),
    async heldRun(directoryId) {
      const row = held.get(directoryId)
      return row && text(row, 'id')
    },
    directoriesToSync: async (after, limit) => toSync.all(after, limit).map((row) => text(row, 'id')),
    directoriesDueToSync: async (until, after, limit) =>
      dueToSync.all(until, after?.syncedAt ?? -1, after?.id ?? '', limit).map(decodeSyncDue),
  }
}
