import type { TraceStore } from '../diagnostics/trace/trace-store.ts'
import type { GoogleStore, SyncDue, SyncRunBegun, SyncRunRequest } from '../google/google-store.ts'
import { auditStatements, withAuditHead, writeAudited } from './audit-chain.ts'
import { checkHealth } from './health-checks.ts'
import type { HeldDeletions } from './held-deletions.ts'
import { holdsSome } from './held-deletions.ts'
import { noticeStatements } from './operator-notices.ts'
import type { Row } from './row.ts'
import { boolean, integer, text } from './row.ts'
import type { Conclusion, SqlDatabase, Statement } from './sql-database.ts'
import { withoutNul } from './sql-database.ts'
import type { RunFacts } from './sync-run.ts'
import {
  decideBegin,
  decideResume,
  decodeSyncRun,
  syncProgressColumns,
  syncProgressValues,
  syncRunColumns,
  syncRunValues,
} from './sync-run.ts'

type Beginnings = Pick<GoogleStore, 'beginSyncRun' | 'resumeHeldRun' | 'dropHeldRun'>
type Recording = Pick<GoogleStore, 'renewSyncRuns' | 'recordSyncRun' | 'finishSyncRun'>
type Reads = Pick<
  GoogleStore,
  'getSyncRun' | 'listSyncRuns' | 'heldRun' | 'directoriesToSync' | 'directoriesDueToSync'
> &
  Pick<TraceStore, 'directoryOfRun'>

/** The part of a store that keeps sync runs. */
type SyncRunStore = Beginnings & Recording & Reads

/** The number of runs of a directory that are kept, not counting a held one. */
const keptRuns = 200

/** The maximum number of runs beyond `keptRuns` that are removed in one statement. */
const runsPerPruning = 20

/** The error of a run that no process finished. */
export const stoppedError = 'The process that ran it stopped before its end.'

const columns = syncRunColumns.map((name) => `r.${name}`).join(', ')
/** A subselect is one index lookup per run, whatever the planner knows of the tables. */
const hasDirectory = '(select d.deleted from directories d where d.id = r.directory_id) = 0'

/** Taken first by every request for a run: of two concurrent ones, the second sees the run of the first. */
const lock = 'select revision from directory_state where directory_id = $1 and revision >= 0 for update'
const last = 'select started_at from sync_runs where directory_id = $1 order by started_at desc, id desc limit 1'
const byId = `select ${columns} from sync_runs r where r.directory_id = $1 and r.id = $2 and ${hasDirectory}`
const list = `
  select ${columns} from sync_runs r where r.directory_id = $1 and (r.started_at, r.id) < ($2, $3) and ${hasDirectory}
  order by r.started_at desc, r.id desc limit $4`
const directoryOf = "select directory_id from sync_runs where id = $1 and id >= '' limit 1"
const held = `select id from sync_runs where directory_id = $1 and state = 'held'`
const toSync = `
  select id from directories where directory_type = 'extdir' and deactivated = 0 and deleted = 0 and id > $1
  order by id limit $2`
const dueToSync = `
  select id, synced_at from directories
  where can_sync = 1 and deactivated = 0 and deleted = 0 and synced_at <= $1 and (synced_at, id) > ($2, $3)
  order by synced_at, id limit $4`

const fail = `
  update sync_runs set state = 'failed', error = $2, finished_at = $3 where directory_id = $1 and state = 'running'`
const supersede = `
  update sync_runs set state = 'superseded' where directory_id = $1 and id = $2 and state = 'held' returning id`
const advanceRevision = 'update directory_state set revision = revision + 1 where directory_id = $1'
/** Runs after a statement on the directory's state, which every transaction locks before the row of the directory. */
const setSynced = 'update directories set synced_at = $2 where id = $1'
const prune = `
  with old as materialized (
    select r.id from sync_runs r where r.directory_id = $1 and not ${holdsSome}
    order by r.started_at desc, r.id desc limit ${runsPerPruning} offset ${keptRuns})
  delete from sync_runs
  where directory_id = $1 and state not in ('running', 'held') and id in (select id from old)`

const progress = syncProgressColumns.map((name, index) => `${name} = $${index + 4}`).join(', ')
const isHeldBy = `r.directory_id = $1 and r.id = $2 and r.lease_holder = $3 and r.state = 'running' and ${hasDirectory}`
const record = `update sync_runs as r set ${progress} where ${isHeldBy} returning id`
/** The number of the first parameter after those of the progress. */
const end = syncProgressColumns.length + 4
const finish = `
  update sync_runs as r set ${progress}, state = $${end}, finished_at = $${end + 1}, error = $${end + 2}
  where ${isHeldBy} returning id`

/** Sync runs. What ended runs of a directory hold is released before a run begins and after one ends. */
export function createSyncRunStore(database: SqlDatabase, releaseEnded: HeldDeletions['releaseEnded']): SyncRunStore {
  return { ...beginnings(database, releaseEnded), ...recording(database, releaseEnded), ...reads(database) }
}

function beginnings(database: SqlDatabase, releaseEnded: HeldDeletions['releaseEnded']): Beginnings {
  const { transaction, dialect } = database
  const { insert, resume, running } = beginningStatements(dialect.now)
  const factReads = (directoryId: string): Statement[] =>
    [lock, running].map((text) => ({ text, values: [directoryId] }))
  return {
    async beginSyncRun(request, audit) {
      const { directoryId, startedAt } = request
      await releaseEnded(directoryId)
      const first = [...factReads(directoryId), { text: last, values: [directoryId] }]
      return transaction(withAuditHead(first, audit), (rows) => {
        const [newest] = rows[2] ?? []
        const begun = decideBegin(request, factsIn(rows), newest && integer(newest, 'started_at'))
        const settling = [
          { text: setSynced, values: [directoryId, startedAt] },
          { text: prune, values: [directoryId] },
        ]
        return conclude(request, begun, insert, () => [...settling, ...auditStatements(rows, audit)])
      })
    },
    resumeHeldRun(request, audit) {
      const { directoryId, id } = request
      const first = [...factReads(directoryId), { text: byId, values: [directoryId, id] }]
      return transaction(withAuditHead(first, audit), (rows) => {
        const [requested] = rows[2] ?? []
        const begun = decideResume(factsIn(rows), requested && decodeSyncRun(requested))
        return conclude(request, begun, resume, () => auditStatements(rows, audit))
      })
    },
    async dropHeldRun(directoryId, runId, audit) {
      const dropped = await writeAudited(database, { text: supersede, values: [directoryId, runId] }, audit, [
        checkHealth(directoryId),
      ])
      if (dropped.length === 0) return false
      await releaseEnded(directoryId).catch(() => {})
      return true
    },
  }
}

/** The statements with the clock of the database. */
function beginningStatements(now: string) {
  const names = [...syncRunColumns, 'lease_holder', 'lease_expires_at']
  const values = names.map((name, index) => `${name === 'lease_expires_at' ? `${now} + ` : ''}$${index + 1}`)
  /** The columns without the key: setting one that held deletions refer to, even to the same value, would check all of them. */
  const assignments = names.map((name, index) => `${name} = ${values[index]}`).slice(2)
  return {
    insert: `insert into sync_runs (${names.join(', ')}) values (${values.join(', ')})`,
    resume: `update sync_runs set ${assignments.join(', ')} where directory_id = $1 and id = $2`,
    /** Locks the run, so that its process cannot renew the lease while it is taken over. */
    running: `
      select ${columns}, cast(r.lease_expires_at <= ${now} as integer) as is_expired from sync_runs r
      where r.directory_id = $1 and r.state = 'running' for update`,
  }
}

function factsIn([locked = [], unfinished = []]: readonly Row[][]): RunFacts {
  const [row] = unfinished
  return {
    hasDirectory: locked.length === 1,
    running: row && { run: decodeSyncRun(row), isExpired: boolean(row, 'is_expired') },
  }
}

/** Writes a run that begins. The one that had the directory ends: the new revision keeps its process from writing. */
function conclude(
  { directoryId, startedAt, holder, ttlMs }: SyncRunRequest,
  begun: SyncRunBegun,
  put: string,
  following: () => readonly Statement[],
): Conclusion<SyncRunBegun> {
  if (begun.outcome !== 'begun') return { statements: [], answer: begun }
  const statements = [
    { text: fail, values: [directoryId, stoppedError, startedAt] },
    { text: put, values: [...syncRunValues(begun.run), holder, ttlMs] },
    { text: advanceRevision, values: [directoryId] },
    ...following(),
    checkHealth(directoryId),
  ]
  return { statements, answer: begun }
}

function recording(
  { atomically, transaction, dialect }: SqlDatabase,
  releaseEnded: HeldDeletions['releaseEnded'],
): Recording {
  const renew = `
    update sync_runs as r set lease_expires_at = ${dialect.now} + $2
    where r.lease_holder = $1 and r.state = 'running' and ${hasDirectory} returning id`
  return {
    async renewSyncRuns(holder, ttlMs) {
      const [renewed = []] = await atomically([{ text: renew, values: [holder, ttlMs] }])
      return renewed.map((row) => text(row, 'id'))
    },
    async recordSyncRun({ directoryId, id }, holder, made) {
      const values = [directoryId, id, holder, ...syncProgressValues(made)]
      const [recorded = []] = await atomically([{ text: record, values }])
      return recorded.length === 1 ? 'recorded' : 'lost'
    },
    async finishSyncRun({ directoryId, id }, holder, made, { state, finishedAt, error }, notice) {
      const ended = [state, finishedAt, error === undefined ? null : withoutNul(error)]
      const first = [
        { text: finish, values: [directoryId, id, holder, ...syncProgressValues(made), ...ended] },
        { text: held, values: [directoryId] },
      ]
      const isFinished = await transaction(first, ([finished = [], waiting = []]) => {
        if (finished.length === 0) return { statements: [], answer: false }
        const earlier = state === 'failed' ? [] : waiting.filter((row) => row['id'] !== id)
        const superseding = earlier.map((row) => ({ text: supersede, values: [directoryId, row['id']] }))
        return { statements: [...superseding, ...noticeStatements(notice), checkHealth(directoryId)], answer: true }
      })
      if (!isFinished) return 'lost'
      // A failure does not change the outcome: the next run releases the rest.
      await releaseEnded(directoryId).catch(() => {})
      return 'finished'
    },
  }
}

function reads({ query }: SqlDatabase): Reads {
  return {
    async getSyncRun(directoryId, id) {
      const [found] = await query({ text: byId, values: [directoryId, id] })
      return found && decodeSyncRun(found)
    },
    async listSyncRuns(directoryId, after, limit) {
      const { startedAt, id } = after ?? { startedAt: Number.MAX_SAFE_INTEGER, id: '' }
      return (await query({ text: list, values: [directoryId, startedAt, id, limit] })).map(decodeSyncRun)
    },
    async heldRun(directoryId) {
      const [found] = await query({ text: held, values: [directoryId] })
      return found && text(found, 'id')
    },
    async directoryOfRun(id) {
      const [found] = await query({ text: directoryOf, values: [id] })
      return found && text(found, 'directory_id')
    },
    async directoriesToSync(after, limit) {
      return (await query({ text: toSync, values: [after, limit] })).map((found) => text(found, 'id'))
    },
    async directoriesDueToSync(until, after, limit) {
      const values = [until, after?.syncedAt ?? -1, after?.id ?? '', limit]
      return (await query({ text: dueToSync, values })).map(decodeSyncDue)
    },
  }
}

/** Decodes a row of `id, synced_at`. */
function decodeSyncDue(row: Row): SyncDue {
  return { id: text(row, 'id'), syncedAt: integer(row, 'synced_at') }
}
