import type { Recorded } from '../delivery/event-store.ts'
import type { FeedStore } from '../delivery/feed/feed-store.ts'
import type {
  DeprovisioningStore,
  DurationCount,
  OpenDeprovisioning,
} from '../diagnostics/deprovisioning/deprovisioning-store.ts'
import type { Row } from './row.ts'
import { integer, text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'

export const dayMs = 24 * 3_600_000

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

/** The number of the bucket of a duration, from 1, as `width_bucket` of PostgreSQL. */
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

/** The columns of `decodeOpenDeprovisioning`. */
export const openDeprovisioningColumns = 'sequence, user_id, subject, received_at'

export function decodeOpenDeprovisioning(row: Row): OpenDeprovisioning {
  return {
    userId: text(row, 'user_id'),
    subject: text(row, 'subject'),
    receivedAt: integer(row, 'received_at'),
    sequence: integer(row, 'sequence'),
  }
}

const open = `
  select ${openDeprovisioningColumns} from deprovisionings where directory_id = $1 order by sequence limit $2`
const times = `
  select bucket, cast(sum(deprovisionings) as bigint) as count from deprovision_times
  where directory_id = $1 and day >= $2 group by bucket order by bucket`
const count = 'select count(*) as n from (select 1 from deprovisionings where received_at <= $1 limit $2) d'

/** The operations that write deprovisionings, in statements that fit the engine. */
export type EngineDeprovisionings = Pick<DeprovisioningStore, 'takeOverdue' | 'pruneDeprovisionings'> &
  Pick<FeedStore, 'endDeprovisionings'>

/** Reads of open deprovisionings, and of how long the others took. */
export function createDeprovisioningReads({
  query,
}: SqlDatabase): Omit<DeprovisioningStore, keyof EngineDeprovisionings> {
  return {
    openDeprovisionings: async (directoryId, limit) =>
      (await query({ text: open, values: [directoryId, limit] })).map(decodeOpenDeprovisioning),
    deprovisionTimes: async (directoryId, since) =>
      (await query({ text: times, values: [directoryId, Math.floor(since / dayMs)] })).map(decodeDurationCount),
    async countOpenDeprovisionings(until, limit) {
      const [found = {}] = await query({ text: count, values: [until, limit] })
      return integer(found, 'n')
    },
  }
}

/** Decodes a row of `bucket` and `count`. */
function decodeDurationCount(row: Row): DurationCount {
  return { ms: middleOf(integer(row, 'bucket')), count: integer(row, 'count') }
}
