import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { Resync, ResyncCounts, ResyncRequest } from '../../delivery/resync/resync.ts'
import type { ResyncPage } from '../../delivery/resync/step.ts'
import { nextResyncStep, startResync } from '../../delivery/resync/step.ts'
import type { ResyncStepLimits, ResyncStore } from '../../delivery/resync/store.ts'
import type { AuditWrite } from '../../directory/audit.ts'
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
import type { Row } from '../row.ts'
import { auditStatements, withAuditHead } from './audit.ts'
import type { Conclusion, Database, Statement } from './database.ts'
import { lockedSequence } from './directory-lock.ts'
import { recordEvents } from './group-writes.ts'
import type { Reader } from './reader.ts'

const names = resyncColumnNames.join(', ')
const columns = resyncColumnNames.map((name) => `r.${name}`).join(', ')

const lock = 'select last_sequence from directory_state where directory_id = $1 and revision >= 0 for update'

const stored = `
  select ${columns} from resyncs r join directories d on d.id = r.directory_id
  where r.directory_id = $1 and d.deleted = 0`

const running = `
  select r.directory_id as id from resyncs r join directories d on d.id = r.directory_id
  where r.completed_at is null and r.directory_id > $1 and d.deleted = 0 order by r.directory_id limit $2`

const put = `
  insert into resyncs (${names}) values (${resyncColumnNames.map((_, index) => `$${index + 1}`).join(', ')})
  on conflict (directory_id) do update set ${resyncColumnNames
    .slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`

const present = `
  select
    (select coalesce(sum(resources), 0) from list_counts where directory_id = $1 and list_name = 'users')::int8 as users,
    (select coalesce(sum(resources), 0) from list_counts where directory_id = $1 and list_name = 'groups')::int8 as groups,
    (select coalesce(sum(resources), 0) from (
      select resources from list_counts
      where directory_id = $1 and list_name not in ('users', 'groups') limit ${maxCountedLists}) l)::int8 as members`

/** Resyncs on PostgreSQL: a step takes its turn among the writes of its directory, and is one transaction. */
export function postgresResyncs(database: Database, reader: Reader, { enqueue }: KeyedQueue): ResyncStore {
  const { rows, row } = reader

  function inLane<T>(directoryId: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      enqueue(directoryId, () => work().then(resolve, reject))
    })
  }

  return {
    async getResync(directoryId) {
      const found = await row({ text: stored, values: [directoryId] })
      return found && resyncOf(found as unknown as ResyncRow)
    },
    beginResync: (request, audit) => inLane(request.directoryId, () => begin(database, request, audit)),
    stepResync: (before, limits, now) => inLane(before.directoryId, () => step(database, before, limits, now)),
    async listRunningResyncs(after, limit) {
      return (await rows({ text: running, values: [after, limit] })).map(({ id }) => String(id))
    },
  }
}

/** What a transaction on a directory's resync reads first. */
function firstReads(directoryId: string): Statement[] {
  return [lock, stored].map((text) => ({ text, values: [directoryId] }))
}

function begin(
  database: Database,
  request: ResyncRequest,
  audit: AuditWrite | undefined,
): Promise<Resync | 'directory-not-found'> {
  const { directoryId, startedAt } = request
  const first = [...firstReads(directoryId), { text: present, values: [directoryId] }]
  return database.transaction(withAuditHead(first, audit), (answers): Conclusion<Resync | 'directory-not-found'> => {
    const [locked, found, counts] = answers
    const last = lockedSequence(locked)
    if (last === undefined) return { statements: [], answer: 'directory-not-found' }
    const before = resyncIn(found)
    if (before !== undefined && before.completedAt === undefined) return { statements: [], answer: before }
    const { resync, events } = startResync(request, countsIn(counts), last + 1)
    const { statements, answer } = committed(resync, events, last, startedAt)
    return { statements: [...statements, ...auditStatements(answers, audit)], answer }
  })
}

function step(database: Database, before: Resync, limits: ResyncStepLimits, now: number): Promise<Resync | 'conflict'> {
  const first = [...firstReads(before.directoryId), resyncPage(before, limits)]
  return database.transaction(first, ([locked, found, page = []]): Conclusion<Resync | 'conflict'> => {
    const [last, at] = [lockedSequence(locked), resyncIn(found)]
    const isThere = at !== undefined && at.syncId === before.syncId && at.step === before.step
    if (last === undefined || !isThere || at.phase === 'completed') return { statements: [], answer: 'conflict' }
    const { resync, events } = nextResyncStep(at, resyncPageOf(at.phase, page), now)
    return committed(resync, events, last, now)
  })
}

function resyncIn(found: readonly Row[] | undefined): Resync | undefined {
  const [only] = found ?? []
  return only && resyncOf(only as unknown as ResyncRow)
}

function countsIn(found: readonly Row[] | undefined): ResyncCounts {
  const [only] = (found ?? []) as unknown as ResyncCounts[]
  return { users: only?.users ?? 0, groups: only?.groups ?? 0, members: only?.members ?? 0 }
}

function committed(resync: Resync, drafts: readonly EventDraft[], last: number, at: number): Conclusion<Resync> {
  const events = numberEvents(drafts, last, { requestId: resync.requestId, at })
  const statements = [
    ...recordEvents(resync.directoryId, events, last),
    { text: put, values: [...resyncValues(resync)] },
  ]
  return { statements, answer: resync }
}

/** Rows until they pass so many bytes (`$5`); the first in any case. */
const made = (table: 'users' | 'groups', alias: 'u' | 'g', columns: string): string => `
  select ${columns} from (
    select *, sum(octet_length(raw)) over (order by sequence) - octet_length(raw) as bytes_before
    from (
      select * from ${table} where directory_id = $1 and sequence > $2 and sequence < $3 order by sequence limit $4
    ) r
  ) ${alias}
  where ${alias}.bytes_before <= $5 order by ${alias}.sequence`

const users = made('users', 'u', userColumns)
const groups = made('groups', 'g', groupColumns)

const members = `
  with m as materialized (
    select group_id, member_id, sequence from members
    where directory_id = $1 and (group_id, member_id) > ($2, $3) order by group_id, member_id limit $4
  ),
  page as (
    select ${membershipColumns},
      sum(octet_length(coalesce(u.raw, '')) + octet_length(coalesce(g.raw, '')))
        over (order by m.group_id, m.member_id rows between unbounded preceding and 1 preceding) as bytes_before
    from m
    left join groups g on g.directory_id = $1 and g.id = m.group_id
    left join users u on u.directory_id = $1 and u.id = m.member_id
  )
  select * from page where coalesce(bytes_before, 0) <= $5 order by group_id, member_id`

/** The statement that reads what comes next of a resync. */
export function resyncPage({ directoryId, phase, position, startedSequence }: Resync, limits: ResyncStepLimits) {
  const { rows, bytes } = limits
  if (phase === 'members') {
    return { text: members, values: [directoryId, position.groupId, position.memberId, rows, bytes] }
  }
  const text = phase === 'users' ? users : groups
  return { text, values: [directoryId, position.sequence, startedSequence, rows, bytes] } satisfies Statement
}

/** The page of its rows. */
export function resyncPageOf(phase: ResyncPage['phase'], rows: readonly Row[]): ResyncPage {
  switch (phase) {
    case 'users':
      return {
        phase,
        rows: (rows as unknown as UserRow[]).map((row) => ({ sequence: row.sequence, item: userOf(row) })),
      }
    case 'groups':
      return {
        phase,
        rows: (rows as unknown as GroupRow[]).map((row) => ({ sequence: row.sequence, item: groupOf(row) })),
      }
    case 'members':
      return { phase, rows: (rows as unknown as MembershipColumns[]).map(membershipOf) }
  }
}
