import type { SyncRun, SyncRunBegun, SyncRunRequest } from '../../google/store.ts'
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
import { auditStatements, withAuditHead } from './audit.ts'
import { now } from './clock.ts'
import type { Conclusion, Database, Row, Statement } from './database.ts'
import { holdsSome } from './held-deletions.ts'
import { withoutNul } from './parameters.ts'
import type { Reader } from './read.ts'

const names = `${syncRunColumns.join(', ')}, lease_holder, lease_expires_at`
const columns = syncRunColumns.map((name) => `r.${name}`).join(', ')
/** One look into the index for each run, whatever the planner knows of the tables. */
const isThere = '(select d.deleted from directories d where d.id = r.directory_id) = 0'

/** What `leasedValues` has, as parameters from `$1` on. */
const leased = `${syncRunColumns.map((_, index) => `$${index + 1}`).join(', ')}, $${syncRunColumns.length + 1},
  ${now} + $${syncRunColumns.length + 2}::int8`

const leasedValues = (run: SyncRun, { holder, ttlMs }: SyncRunRequest) => [...syncRunValues(run), holder, ttlMs]

/** Whoever begins a run takes this lock first: of two at once the second sees the run of the first. */
const lock = 'select revision from directory_state where directory_id = $1 and revision >= 0 for update'

/** Its row is locked, so that its process does not renew it while it is taken over. */
const running = `
  select ${columns}, r.lease_expires_at <= ${now} as is_silent from sync_runs r
  where r.directory_id = $1 and r.state = 'running' for update`

const last = 'select started_at from sync_runs where directory_id = $1 order by started_at desc, id desc limit 1'

const one = `select ${columns} from sync_runs r where r.directory_id = $1 and r.id = $2 and ${isThere}`

const list = `
  select ${columns} from sync_runs r where r.directory_id = $1 and (r.started_at, r.id) < ($2, $3) and ${isThere}
  order by r.started_at desc, r.id desc limit $4`

const fail = `
  update sync_runs set state = 'failed', error = $2, finished_at = $3 where directory_id = $1 and state = 'running'`

const insert = `insert into sync_runs (${names}) values (${leased})`

/** The first two parameters are the keys. */
const resume = `update sync_runs set (${names}) = (${leased}) where directory_id = $1 and id = $2`

const advanceRevision = 'update directory_state set revision = revision + 1 where directory_id = $1'

const prune = `
  delete from sync_runs where directory_id = $1 and state not in ('running', 'held') and id = any(array(
    select r.id from sync_runs r where r.directory_id = $1 and not ${holdsSome}
    order by r.started_at desc, r.id desc limit ${runsPerPruning} offset ${keptRuns}))`

const renew = `
  update sync_runs r set lease_expires_at = ${now} + $2::int8
  where r.lease_holder = $1 and r.state = 'running' and ${isThere} returning r.id`

const progress = syncProgressColumns
  .map((name, index) => `${name} = $${index + 4}${name === 'phase' ? '' : '::int8'}`)
  .join(', ')
const isHeldBy = `r.directory_id = $1 and r.id = $2 and r.lease_holder = $3 and r.state = 'running' and ${isThere}`
const record = `update sync_runs r set ${progress} where ${isHeldBy} returning r.id`

/** The parameters behind those of the progress. */
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

const held = `select id from sync_runs where directory_id = $1 and state = 'held' limit 1`
const toSync = `
  select id from directories where directory_type = 'extdir' and deactivated = 0 and deleted = 0 and id > $1
  order by id limit $2`

/** Sync runs on PostgreSQL. */
export function postgresSyncRuns(
  { query, transaction }: Database,
  { rows, row }: Reader,
  { releaseEnded }: Pick<HeldDeletions, 'releaseEnded'>,
): SyncRunStore {
  return {
    async beginSyncRun(request, audit) {
      const { directoryId } = request
      await releaseEnded(directoryId)
      return transaction(withAuditHead(firstReads(last, directoryId), audit), (answers) => {
        const [locked, present, [newest] = [] as Row[]] = answers
        if (locked?.length !== 1) return refused({ outcome: 'directory-not-found' })
        const lastStartedAt = newest && Number(newest['started_at'])
        const begun = decideBegin(request, { running: runningIn(present), lastStartedAt })
        if (begun.outcome !== 'begun') return refused(begun)
        return taken(request, insert, begun, auditStatements(answers, audit))
      })
    },
    async resumeHeldRun(request, audit) {
      const { directoryId, id } = request
      return transaction(withAuditHead(firstReads(one, directoryId, id), audit), (answers) => {
        const [locked, present, [asked] = [] as Row[]] = answers
        if (locked?.length !== 1) return refused({ outcome: 'directory-not-found' })
        const begun = decideResume(runningIn(present), asked && runOf(asked))
        if (begun.outcome !== 'begun') return refused(begun)
        return taken(request, resume, begun, auditStatements(answers, audit))
      })
    },
    async renewSyncRuns(holder, ttlMs) {
      const renewed = await query({ text: renew, values: [holder, ttlMs] })
      return renewed.map(({ id }) => String(id))
    },
    async recordSyncRun({ directoryId, id }, holder, made) {
      const values = [directoryId, id, holder, ...syncProgressValues(made)]
      return (await query({ text: record, values })).length === 1 ? 'recorded' : 'lost'
    },
    async finishSyncRun({ directoryId, id }, holder, made, { state, finishedAt, error }) {
      const ended = [state, finishedAt, error === undefined ? null : withoutNul(error)]
      const values = [directoryId, id, holder, ...syncProgressValues(made), ...ended]
      if ((await query({ text: finish, values })).length === 0) return 'lost'
      // The run has ended whatever becomes of this; the next one does what is left of it.
      await releaseEnded(directoryId).catch(() => {})
      return 'finished'
    },
    async getSyncRun(directoryId, id) {
      const found = await row({ text: one, values: [directoryId, id] })
      return found && runOf(found)
    },
    async listSyncRuns(directoryId, after, limit) {
      const { startedAt, id } = after ?? { startedAt: Number.MAX_SAFE_INTEGER, id: '' }
      return (await rows({ text: list, values: [directoryId, startedAt, id, limit] })).map(runOf)
    },
    async heldRun(directoryId) {
      const found = await row({ text: held, values: [directoryId] })
      return found && String(found['id'])
    },
    async directoriesToSync(after, limit) {
      return (await rows({ text: toSync, values: [after, limit] })).map(({ id }) => String(id))
    },
  }
}

const runOf = (found: Row): SyncRun => syncRunOf(found as unknown as SyncRunRow)

/** What a transaction that begins a run reads first: the lock, the run that has the directory, and one thing more. */
function firstReads(more: string, directoryId: string, ...values: readonly string[]): Statement[] {
  return [
    { text: lock, values: [directoryId] },
    { text: running, values: [directoryId] },
    { text: more, values: [directoryId, ...values] },
  ]
}

function runningIn([found]: readonly Row[] = []): RunsBefore['running'] {
  return found && { run: runOf(found), isSilent: found['is_silent'] === true }
}

function refused(answer: SyncRunBegun): Conclusion<SyncRunBegun> {
  return { statements: [], answer }
}

/** Gives the directory to a run: whoever had it before writes no more. */
function taken(
  request: SyncRunRequest,
  put: string,
  begun: Extract<SyncRunBegun, { outcome: 'begun' }>,
  entry: readonly Statement[],
): Conclusion<SyncRunBegun> {
  const { directoryId, startedAt } = request
  const statements = [
    { text: fail, values: [directoryId, stoppedError, startedAt] },
    { text: put, values: leasedValues(begun.run, request) },
    { text: advanceRevision, values: [directoryId] },
    { text: prune, values: [directoryId] },
    ...entry,
  ]
  return { statements, answer: begun }
}
