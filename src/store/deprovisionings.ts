import type { DeliveredAt, Recorded } from '../delivery/event-store.ts'
import type { FeedStore } from '../delivery/feed/feed-store.ts'
import type {
  DeprovisioningStore,
  DurationCount,
  OpenDeprovisioning,
} from '../diagnostics/deprovisioning/deprovisioning-store.ts'
import { checkHealth } from './health-checks.ts'
import { fields, recordOf } from './record.ts'
import { removeOldRows } from './remove-rows.ts'
import type { Row } from './row.ts'
import { integer, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'

const dayMs = 24 * 3_600_000

/** The most deprovisionings that one write ends for a reader of the feed; the next request ends more. */
export const endedPerWrite = 500

/** Deprovisionings that take longer are counted as if they had taken this long. */
const longestMs = 31 * dayMs

/** The longest duration of a bucket, relative to the shortest. */
const step = 1.05

/**
 * The beginnings of the buckets of durations, in milliseconds: up to 20 ms one bucket per millisecond, then each 5 % above the
 * one before. A percentile is therefore accurate to 2.5 %.
 */
export const bucketStarts: readonly number[] = startsUpTo(longestMs)

function startsUpTo(end: number): number[] {
  const starts = [0]
  for (let start = 1; start < end; start = Math.max(start + 1, Math.round(start * step))) starts.push(start)
  return starts
}

/** The number of the bucket of a duration, from 1. */
export function bucketOf(ms: number): number {
  const next = bucketStarts.findIndex((start) => start > ms)
  return next < 0 ? bucketStarts.length : Math.max(1, next)
}

/** The duration in the middle of a bucket, in whole milliseconds. */
export function middleOf(bucket: number): number {
  const start = bucketStarts[bucket - 1] ?? 0
  const end = bucketStarts[bucket] ?? start + 1
  return Math.round((start + end - 1) / 2)
}

/** The result of a record that ended deprovisionings of these durations. */
export function recorded(deprovisionMs: readonly number[]): Recorded {
  return deprovisionMs.length === 0 ? 'recorded' : { deprovisionMs }
}

const opened = recordOf<OpenDeprovisioning>({
  sequence: fields.integer,
  userId: fields.text,
  subject: fields.text,
  receivedAt: fields.integer,
})

const open = `
  select ${opened.columns} from deprovisionings where directory_id = $1 order by sequence limit $2`
const times = `
  select bucket, cast(sum(deprovisionings) as bigint) as count from deprovision_times
  where directory_id = $1 and day >= $2 group by bucket order by bucket`
const count = 'select count(*) as n from (select 1 from deprovisionings where received_at <= $1 limit $2) d'

const overdue = `
  select directory_id, sequence from deprovisionings where reported = 0 and received_at <= $1 order by received_at limit $2`
const report = `
  update deprovisionings set reported = 1 where directory_id = $1 and sequence = $2 and reported <> 1
  returning directory_id, ${opened.columns}`
const firstOpen = `
  select sequence, received_at from deprovisionings where directory_id = $1 and sequence <= $2
  order by sequence limit ${endedPerWrite} for update`

const oldOpen = { table: 'deprovisionings', key: ['sequence'], isOld: 'received_at < $1', order: 'received_at' }
const oldTimes = {
  ...{ table: 'deprovision_times', key: ['day', 'bucket'], order: 'day' },
  isOld: 'day < $1 and deprovisionings >= 0',
}

/** Open deprovisionings, and how long the others took. */
export function createDeprovisioningStore(
  database: SqlDatabase,
): DeprovisioningStore & Pick<FeedStore, 'endDeprovisionings'> {
  const { query, atomically, transaction } = database
  return {
    openDeprovisionings: async (directoryId, limit) =>
      (await query({ text: open, values: [directoryId, limit] })).map(opened.decode),
    deprovisionTimes: async (directoryId, since) =>
      (await query({ text: times, values: [directoryId, Math.floor(since / dayMs)] })).map(decodeDurationCount),
    async countOpenDeprovisionings(until, limit) {
      const [found = {}] = await query({ text: count, values: [until, limit] })
      return integer(found, 'n')
    },
    async takeOverdue(until, limit) {
      const found = await query({ text: overdue, values: [until, limit] })
      // Without any there is no write, which would be a commit.
      if (found.length === 0) return []
      const reports = found.map((row) => ({ text: report, values: [row['directory_id'], row['sequence']] }))
      const ids = [...new Set(found.map((row) => text(row, 'directory_id')))].toSorted()
      const reported = (await atomically([...reports, ...ids.map(checkHealth)])).slice(0, found.length).flat()
      return reported.map((row) => ({ ...opened.decode(row), directoryId: text(row, 'directory_id') }))
    },
    async pruneDeprovisionings(before, limit) {
      const removed = await removeOldRows(database, oldOpen, before, limit)
      return removed + (await removeOldRows(database, oldTimes, Math.floor(before / dayMs), limit - removed))
    },
    endDeprovisionings: (directoryId, last, at) =>
      transaction([{ text: firstOpen, values: [directoryId, last] }], ([found = []]) => {
        const { statements, durations } = endDeprovisionings(directoryId, found, () => at)
        return { statements, answer: durations }
      }),
  }
}

const openBetween = `
  select sequence, received_at from deprovisionings where directory_id = $1 and sequence >= $2 and sequence <= $3
  order by sequence for update`

/** The statement that reads and locks the deprovisionings that delivered events may report, for `endDeprovisionings`. */
export function openAmong(directoryId: string, delivered: readonly DeliveredAt[]): Statement {
  const sequences = delivered.map(({ sequence }) => sequence)
  return { text: openBetween, values: [directoryId, Math.min(...sequences), Math.max(...sequences)] }
}

const remove = 'delete from deprovisionings where directory_id = $1 and sequence = $2'
const countTime = `
  insert into deprovision_times (directory_id, day, bucket, deprovisionings) values ($1, $2, $3, $4)
  on conflict (directory_id, day, bucket) do update
  set deprovisionings = deprovision_times.deprovisionings + excluded.deprovisionings`

/**
 * Decides what ends deprovisionings that are locked.
 *
 * @param endOf when the event of a sequence was delivered; undefined when it was not
 */
export function endDeprovisionings(
  directoryId: string,
  found: readonly Row[],
  endOf: (sequence: number) => number | undefined,
): { readonly statements: Statement[]; readonly durations: number[] } {
  const statements: Statement[] = []
  const durations: number[] = []
  const counts = new Map<string, { readonly day: number; readonly bucket: number; readonly count: number }>()
  for (const row of found) {
    const sequence = integer(row, 'sequence')
    const at = endOf(sequence)
    if (at === undefined) continue
    const ms = Math.max(0, at - integer(row, 'received_at'))
    const [day, bucket] = [Math.floor(at / dayMs), bucketOf(ms)]
    const key = `${day} ${bucket}`
    durations.push(ms)
    statements.push({ text: remove, values: [directoryId, sequence] })
    counts.set(key, { day, bucket, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  // In one order, so that two transactions do not wait for each other.
  const inOrder = [...counts.values()].toSorted((a, b) => a.day - b.day || a.bucket - b.bucket)
  const counting = inOrder.map((one) => ({ text: countTime, values: [directoryId, one.day, one.bucket, one.count] }))
  return { statements: [...statements, ...counting], durations }
}

/** Decodes a row of `bucket` and `count`. */
function decodeDurationCount(row: Row): DurationCount {
  return { ms: middleOf(integer(row, 'bucket')), count: integer(row, 'count') }
}
