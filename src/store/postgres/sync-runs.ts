import type { SyncRunBegun, SyncRunRequest } from '../../google/store.ts'
import type { Row } from '../row.ts'
import { boolean, integer, text } from '../row.ts'
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
import { auditStatements, createAuditedWrite, withAuditHead } from './audit.ts'
import type { Conclusion, Database, Statement } from './database.ts'
import { holdsSome } from './held-deletions.ts'
import { createNoticedWrite } from './operator-notices.ts'
import type { Reader } from './reader.ts'
import { withoutNul } from './reader.ts'
import { now } from './sql.ts'

type Beginnings = Pick<SyncRunStore, 'beginSyncRun' | 'resumeHeldRun' | 'dropHeldRun'>
type Recording = Pick<SyncRunStore, 'renewSyncRuns' | 'recordSyncRun' | 'finishSyncRun'>
type Reads = Pick<
  SyncRunStore,
  'getSyncRun' | 'listSyncRuns' | 'heldRun' | 'directoriesToSync' | 'directoriesDueToSync'
>

const names = `${syncRunColumns.join(', ')}, lease_holder, lease_expires_at`
const columns = syncRunColumns.map((name) => `r.${name}`).join(', ')
/** A subselect is one index lookup per run, whatever the planner knows of the tables. */
const hasDirectory = '(select d.deleted from directories d where d.id = r.directory_id) = 0'

/** The values of `names`, as parameters from `$1` on; the lease's is how long it lasts. */
const leased = `${syncRunColumns.map((_, index) => `$${index + 1}`).join(', ')}, $${syncRunColumns.length + 1},
  ${now} + $${syncRunColumns.length + 2}::int8`

/** Taken first by every request for a run: of two concurrent ones, the second sees the run of the first. */
const lock = 'select revision from directory_state where directory_id = $1 and revision >= 0 for update'

/** Locks the run, so that its process cannot renew the lease while it is taken over. */
const running = `
  select ${columns}, (r.lease_expires_at <= ${now})::int4 as is_expired from sync_runs r
  where r.directory_id = $1 and r.state = 'running' for update`

const last = 'select started_at from sync_runs where directory_id = $1 order by started_at desc, id desc limit 1'
const byId = `select ${columns} from sync_runs r where r.directory_id = $1 and r.id = $2 and ${hasDirectory}`
const list = `
  select ${columns} from sync_runs r where r.directory_id = $1 and (r.started_at, r.id) < ($2, $3) and ${hasDirectory}
  order by r.started_at desc, r.id desc limit $4`
const held = `select id from sync_runs where directory_id = $1 and state = 'held' limit 1`
const toSync = `
  select id from directories where directory_type = 'extdir' and deactivated = 0 and deleted = 0 and id > $1
  order by id limit $2`
const dueToSync = `
  select id, synced_at from directories
  where can_sync = 1 and deactivated = 0 and deleted = 0 and synced_at <= $1 and (synced_at, id) > ($2, $3)
  order by synced_at, id limit $4`

const fail = `
  update sync_runs set state = 'failed', error = $2, finished_at = $3 where directory_id = $1 and state = 'running'`
const insert = `insert into sync_runs (${names}) values (${leased})`
/** The first two parameters are the key. */
const resume = `update sync_runs set (${names}) = (${leased}) where directory_id = $1 and id = $2`
const drop = `
  update sync_runs set state = 'superseded' where directory_id = $1 and id = $2 and state = 'held' returning id`
const advanceRevision = 'update directory_state set revision = revision + 1 where directory_id = $1'
/** After the directory's state, which every statement locks before its record. */
const setSynced = 'update directories set synced_at = $2 where id = $1'
const prune = `
  delete from sync_runs where directory_id = $1 and state not in ('running', 'held') and id = any(array(
    select r.id from sync_runs r where r.directory_id = $1 and not ${holdsSome}
    order by r.started_at desc, r.id desc limit ${runsPerPruning} offset ${keptRuns}))`

const renew = `
  update sync_runs r set lease_expires_at = ${now} + $2::int8
  where r.lease_holder = $1 and r.state = 'running' and ${hasDirectory} returning r.id`
const progress = syncProgressColumns
  .map((name, index) => `${name} = $${index + 4}${name === 'phase' ? '' : '::int8'}`)
  .join(', ')
const isHeldBy = `r.directory_id = $1 and r.id = $2 and r.lease_holder = $3 and r.state = 'running' and ${hasDirectory}`
const record = `update sync_runs r set ${progress} where ${isHeldBy} returning r.id`
/** The number of the first parameter after those of the progress. */
const end = syncProgressColumns.length + 4
const finish = `
  with finished as (
    update sync_runs r set ${progress}, state = $${end}::text, finished_at = $${end + 1}::int8, error = $${end + 2}::text
    where ${isHeldBy} returning r.id
  ),
  superseded as (
    update sync_runs set state = 'superseded'
    where directory_id = $1 and state = 'held' and id <> $2 and $${end}::text <> 'failed' and exists (select from finished)
  )
  select id from finished`

/** Sync runs on PostgreSQL. */
export function postgresSyncRuns(database: Database, reader: Reader): SyncRunStore {
  return { ...beginnings(database), ...recording(database), ...reads(reader) }
}

function beginnings(database: Database): Beginnings {
  const { transaction } = database
  const write = createAuditedWrite(database)
  return {
    async dropHeldRun(directoryId, runId, audit) {
      return (await write({ text: drop, values: [directoryId, runId] }, audit)).length === 1
    },
    beginSyncRun(request, audit) {
      const { directoryId } = request
      const first = [...factReads(directoryId), { text: last, values: [directoryId] }]
      return transaction(withAuditHead(first, audit), (rows) => {
        const [newest] = rows[2] ?? []
        const begun = decideBegin(request, factsIn(rows), newest && integer(newest, 'started_at'))
        const settling = [
          { text: setSynced, values: [directoryId, request.startedAt] },
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
  }
}

function factReads(directoryId: string): Statement[] {
  return [lock, running].map((text) => ({ text, values: [directoryId] }))
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
  ]
  return { statements, answer: begun }
}

function recording(database: Database): Recording {
  const { query } = database
  const run = createNoticedWrite(database)
  return {
    async renewSyncRuns(holder, ttlMs) {
      const renewed = await query({ text: renew, values: [holder, ttlMs] })
      return renewed.map((row) => text(row, 'id'))
    },
    async recordSyncRun({ directoryId, id }, holder, made) {
      const values = [directoryId, id, holder, ...syncProgressValues(made)]
      return (await query({ text: record, values })).length === 1 ? 'recorded' : 'lost'
    },
    async finishSyncRun({ directoryId, id }, holder, made, { state, finishedAt, error }, notice) {
      const ended = [state, finishedAt, error === undefined ? null : withoutNul(error)]
      const values = [directoryId, id, holder, ...syncProgressValues(made), ...ended]
      return (await run({ text: finish, values }, notice)).length > 0 ? 'finished' : 'lost'
    },
  }
}

function reads({ rows, row }: Reader): Reads {
  return {
    async getSyncRun(directoryId, id) {
      const found = await row({ text: byId, values: [directoryId, id] })
      return found && decodeSyncRun(found)
    },
    async listSyncRuns(directoryId, after, limit) {
      const { startedAt, id } = after ?? { startedAt: Number.MAX_SAFE_INTEGER, id: '' }
      return (await rows({ text: list, values: [directoryId, startedAt, id, limit] })).map(decodeSyncRun)
    },
    async heldRun(directoryId) {
      const found = await row({ text: held, values: [directoryId] })
      return found && text(found, 'id')
    },
    async directoriesToSync(after, limit) {
      return (await rows({ text: toSync, values: [after, limit] })).map((found) => text(found, 'id'))
    },
    async directoriesDueToSync(until, after, limit) {
      const values = [until, after?.syncedAt ?? -1, after?.id ?? '', limit]
      return (await rows({ text: dueToSync, values })).map(decodeSyncDue)
    },
  }
}
