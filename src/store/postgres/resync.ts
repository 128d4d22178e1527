import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { Resync, ResyncCounts, ResyncPage, ResyncRequest } from '../../delivery/resync/resync.ts'
import type { ResyncStepLimits, ResyncStore } from '../../delivery/resync/resync-store.ts'
import type { AuditWrite } from '../../directory/audit.ts'
import { maxMembershipBytes } from '../../directory/membership-event.ts'
import { auditStatements, withAuditHead } from '../audit-chain.ts'
import { numberEvents } from '../events.ts'
import { groupColumns } from '../groups.ts'
import type { ResyncDecision, ResyncFacts } from '../resync.ts'
import {
  decideResyncStart,
  decideResyncStep,
  decodeResync,
  decodeResyncPage,
  maxCountedLists,
  membershipColumns,
  resyncColumnNames,
  resyncValues,
} from '../resync.ts'
import type { Row } from '../row.ts'
import { integer } from '../row.ts'
import { decodeDuePage } from '../streams.ts'
import { userColumns } from '../users.ts'
import type { Conclusion, Database, Statement } from './database.ts'
import { decodeLocked, lockedColumns } from './directories.ts'
import { recordEvents } from './events.ts'
import type { Reader } from './reader.ts'

const names = resyncColumnNames.join(', ')
const columns = resyncColumnNames.map((name) => `r.${name}`).join(', ')

const lock = `select ${lockedColumns} from directory_state where directory_id = $1 and revision >= 0 for update`

const byDirectory = `
  select ${columns} from resyncs r join directories d on d.id = r.directory_id
  where r.directory_id = $1 and d.deleted = 0`

const running = `
  select r.directory_id as id, d.tenant from resyncs r join directories d on d.id = r.directory_id
  where r.completed_at is null and r.directory_id > $1 and d.deleted = 0 order by r.directory_id limit $2`

const put = `
  insert into resyncs (${names}) values (${resyncColumnNames.map((_, index) => `$${index + 1}`).join(', ')})
  on conflict (directory_id) do update set ${resyncColumnNames
    .slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`

/** Counts the content of a directory, for `decodeCounts`. */
export const countPresent = `
  select
    (select coalesce(sum(resources), 0) from list_counts where directory_id = $1 and list_name = 'users')::int8 as users,
    (select coalesce(sum(resources), 0) from list_counts where directory_id = $1 and list_name = 'groups')::int8 as groups,
    (select coalesce(sum(resources), 0) from (
      select resources from list_counts
      where directory_id = $1 and list_name not in ('users', 'groups') limit ${maxCountedLists}) l)::int8 as members`

/** Returns rows until their size exceeds `$5` bytes; the first in any case, and the one that exceeds it, too. */
const resourcePage = (table: 'users' | 'groups', alias: 'u' | 'g', columns: string): string => `
  select ${columns} from (
    select *, sum(octet_length(raw)) over (order by sequence) - octet_length(raw) as bytes_before
    from (
      select * from ${table} where directory_id = $1 and sequence > $2 and sequence < $3 order by sequence limit $4
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
    left join groups g on g.directory_id = $1 and g.id = m.group_id
    left join users u on u.directory_id = $1 and u.id = m.member_id
  )
  select * from page where coalesce(bytes_before, 0) <= $5 order by group_id, member_id`

/** Queues work with the other writes of its directory. */
export function createQueued(enqueue: KeyedQueue['enqueue']) {
  return <T>(directoryId: string, work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      enqueue(directoryId, () => work().then(resolve, reject))
    })
}

/** Resyncs on PostgreSQL: a step is one transaction, queued with the other writes of its directory. */
export function postgresResyncs(database: Database, { rows, row }: Reader, { enqueue }: KeyedQueue): ResyncStore {
  const queued = createQueued(enqueue)

  return {
    async getResync(directoryId) {
      const found = await row({ text: byDirectory, values: [directoryId] })
      return found && decodeResync(found)
    },
    beginResync: (request, audit) => queued(request.directoryId, () => begin(database, request, audit)),
    async stepResync(before, limits, now) {
      const { directoryId, phase } = before
      if (phase === 'completed') return 'conflict'
      return queued(directoryId, () => step(database, before, { phase, limits, now }))
    },
    async listRunningResyncs(after, limit) {
      return decodeDuePage(await rows({ text: running, values: [after, limit] }), limit)
    },
  }
}

function begin(database: Database, request: ResyncRequest, audit: AuditWrite | undefined) {
  const { directoryId, startedAt } = request
  const first = [...factReads(directoryId), { text: countPresent, values: [directoryId] }]
  return database.transaction(withAuditHead(first, audit), (rows) => {
    const decision = decideResyncStart(request, factsIn(rows), decodeCounts(rows[2]?.[0] ?? {}))
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
  return [lock, byDirectory].map((text) => ({ text, values: [directoryId] }))
}

function factsIn([locked, stored = []]: readonly Row[][]): ResyncFacts {
  const [row] = stored
  return { directory: decodeLocked(locked), stored: row && decodeResync(row) }
}

export function decodeCounts(row: Row): ResyncCounts {
  return { users: integer(row, 'users'), groups: integer(row, 'groups'), members: integer(row, 'members') }
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
): Conclusion<T> {
  if (step === undefined) return { statements: [], answer: result }
  const { resync, events, lastSequence } = step
  const { requestId, traceContext } = resync
  const numbered = numberEvents(events, lastSequence, { requestId, traceContext, at })
  const statements = [
    ...recordEvents(resync.directoryId, numbered, lastSequence),
    { text: put, values: resyncValues(resync) },
    ...following(),
  ]
  return { statements, answer: result }
}
