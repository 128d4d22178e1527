import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { Resync, ResyncPage, ResyncRequest } from '../../delivery/resync/resync.ts'
import type { ResyncStepLimits } from '../../delivery/resync/resync-store.ts'
import type { AuditWrite } from '../../directory/audit.ts'
import { maxMembershipBytes } from '../../directory/membership-event.ts'
import { auditStatements, withAuditHead } from '../audit-chain.ts'
import { numberEvents } from '../events.ts'
import { groupColumns } from '../groups.ts'
import type { EngineResyncs, ResyncDecision, ResyncFacts } from '../resync.ts'
import {
  countPresent,
  decideResyncStart,
  decideResyncStep,
  decodeCounts,
  decodeResyncPage,
  decodeStored,
  membershipColumns,
  putResync,
  readResync,
} from '../resync.ts'
import type { Row } from '../row.ts'
import type { LastConclusion } from '../sql-database.ts'
import { userColumns } from '../users.ts'
import type { Database, Statement } from './database.ts'
import { decodeLocked, lockedColumns } from './directories.ts'
import { recordEvents } from './events.ts'
import { oneRow } from './sql.ts'

/** Locks the directory `$1` for the transaction; no row when it is deleted. */
export const lockPresent = `select ${lockedColumns} from directory_state where directory_id = $1 and revision >= 0 for update`

/** Returns rows until their size exceeds `$5` bytes; the first in any case, and the one that exceeds it, too. */
export const resourcePage = (table: 'users' | 'groups', alias: 'u' | 'g', columns: string): string => `
  select ${columns} from (
    select *, sum(octet_length(raw)) over (order by sequence) - octet_length(raw) as bytes_before
    from (
      select * from ${table} where directory_id = $1 and sequence >= 0 and sequence > $2 and sequence < $3 order by sequence limit $4
    ) r
  ) ${alias}
  where ${alias}.bytes_before <= $5 order by ${alias}.sequence`

const userPage = resourcePage('users', 'u', userColumns)
const groupPage = resourcePage('groups', 'g', groupColumns)

const memberPage = `
  with m as materialized (
    select group_id, member_id, sequence from members
    where directory_id = $1 and (group_id, member_id) > ($2, $3) order by group_id, member_id limit $4
  ),
  page as (
    select ${membershipColumns},
      sum(least(octet_length(coalesce(u.raw, '')) + octet_length(coalesce(g.raw, '')), ${maxMembershipBytes}))
        over (order by m.group_id, m.member_id rows between unbounded preceding and 1 preceding) as bytes_before
    from m
    left join lateral (${oneRow('groups', 'g', 'id', 'm.group_id')}) g on true
    left join lateral (${oneRow('users', 'u', 'id', 'm.member_id')}) u on true
  )
  select * from page where coalesce(bytes_before, 0) <= $5 order by group_id, member_id`

/** Queues work with the other writes of its directory. */
export function createQueued(enqueue: KeyedQueue['enqueue']) {
  return <T>(directoryId: string, work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      enqueue(directoryId, () => work().then(resolve, reject))
    })
}

/** Writes of resyncs on PostgreSQL: a step is one transaction, queued with the other writes of its directory. */
export function postgresResyncs(database: Database, { enqueue }: KeyedQueue): EngineResyncs {
  const queued = createQueued(enqueue)

  return {
    beginResync: (request, audit) => queued(request.directoryId, () => begin(database, request, audit)),
    async stepResync(before, limits, now) {
      const { directoryId, phase } = before
      if (phase === 'completed') return 'conflict'
      return queued(directoryId, () => step(database, before, { phase, limits, now }))
    },
  }
}

function begin(database: Database, request: ResyncRequest, audit: AuditWrite | undefined) {
  const { directoryId, startedAt } = request
  const first = [...factReads(directoryId), countPresent(directoryId)]
  return database.transaction(withAuditHead(first, audit), (rows) => {
    const decision = decideResyncStart(request, factsIn(rows), decodeCounts(rows[2]))
    return conclude(decision, startedAt, () => auditStatements(rows, audit))
  })
}

interface StepInput {
  readonly phase: ResyncPage['phase']
  readonly limits: ResyncStepLimits
  readonly now: number
}

function step(database: Database, before: Resync, { phase, limits, now }: StepInput) {
  const first = [...factReads(before.directoryId), pageRead(before, phase, limits)]
  return database.transaction(first, (rows) =>
    conclude(decideResyncStep(before, factsIn(rows), decodeResyncPage(phase, rows[2] ?? []), now), now),
  )
}

function factReads(directoryId: string): Statement[] {
  return [{ text: lockPresent, values: [directoryId] }, readResync(directoryId)]
}

function factsIn([locked, stored]: readonly Row[][]): ResyncFacts {
  return { directory: decodeLocked(locked), stored: decodeStored(stored) }
}

function pageRead(
  { directoryId, position, startedSequence }: Resync,
  phase: ResyncPage['phase'],
  { rows, bytes }: ResyncStepLimits,
): Statement {
  if (phase === 'members') {
    return { text: memberPage, values: [directoryId, position.groupId, position.memberId, rows, bytes] }
  }
  const text = phase === 'users' ? userPage : groupPage
  return { text, values: [directoryId, position.sequence, startedSequence, rows, bytes] }
}

/** Writes the step of a decision, if there is one, and what follows from it. */
export function conclude<T>(
  { result, step }: ResyncDecision<T>,
  at: number,
  following: () => Statement[] = () => [],
): LastConclusion<T> {
  if (step === undefined) return { statements: [], answer: result }
  const { resync, events, lastSequence } = step
  const { requestId, traceContext } = resync
  const numbered = numberEvents(events, lastSequence, { requestId, traceContext, at })
  const statements = [...recordEvents(resync.directoryId, numbered, lastSequence), putResync(resync), ...following()]
  return { statements, answer: result }
}
