import type { DeliveredAt } from '../../delivery/event-store.ts'
import type { OverdueDeprovisioning } from '../../diagnostics/deprovisioning/deprovisioning-store.ts'
import type { EngineDeprovisionings } from '../deprovisionings.ts'
import {
  bucketStarts,
  dayMs,
  decodeOpenDeprovisioning,
  endedPerWrite,
  openDeprovisioningColumns,
} from '../deprovisionings.ts'
import { checkHealth } from '../health-checks.ts'
import { integers, text } from '../row.ts'
import type { Database } from './database.ts'
import type { ColumnType } from './parameters.ts'
import type { Reader } from './reader.ts'
import { arrayParameters, columnsOf, deleteFound, ofDirectory, rowBy } from './sql.ts'

const deliveredTypes = ['int8', 'int8'] as const satisfies readonly ColumnType[]

/** Counts durations `ms` at times `at` of rows, by day and bucket. */
const countTimes = (rows: string) => `
    insert into deprovision_times (directory_id, day, bucket, deprovisionings)
    select $1, t.at / ${dayMs}, width_bucket(t.ms, '{${bucketStarts.join()}}'::int8[]), count(*) from ${rows} t group by 2, 3
    on conflict (directory_id, day, bucket) do update
    set deprovisionings = deprovision_times.deprovisionings + excluded.deprovisionings`

/**
 * Parts of a statement on the directory `$1` which end the deprovisionings that delivered events report, if `recorded` has a
 * row. The parameters of `endValues` begin at `first`. The rows of `ended` have the durations as `ms`.
 */
export function endsAfter(recorded: string, first: number): string {
  return `
  open as materialized (
    select d.row_position, i.at from ${recorded} r
    cross join unnest(${arrayParameters(first, deliveredTypes)}) as i (sequence, at)
    ${rowBy('deprovisionings', 'd', 'sequence', 'i.sequence', 'd.ctid as row_position')}
  ),
  ended as (
    delete from deprovisionings d using open o
    where d.ctid = o.row_position and ${ofDirectory('d')} and d.ctid = any(array(select row_position from open))
    returning greatest(0, o.at - d.received_at) as ms, o.at
  ),
  counted as (${countTimes('ended')}
  )`
}

/** The durations of `ended` as one column, `ended`. */
export const endedDurations = '(select array_agg(least(ms, 2147483647)::int4) from ended) as ended'

/** The values of `endsAfter`. */
export function endValues(delivered: readonly DeliveredAt[]): Buffer[] {
  return columnsOf(
    deliveredTypes,
    delivered.map(({ sequence, at }) => [sequence, at]),
  )
}

const endThrough = `
  with through as materialized (
    select ctid as row_position from deprovisionings where directory_id = $1 and sequence <= $2 order by sequence
    limit ${endedPerWrite}
  ),
  ended as (
    delete from deprovisionings d where ${ofDirectory('d')} and d.ctid = any(array(select row_position from through))
    returning greatest(0, $3::int8 - d.received_at) as ms, $3::int8 as at
  ),
  counted as (${countTimes('ended')}
  )
  select ${endedDurations}`

const overdue = `
  select directory_id, array_agg(sequence::text) as sequences from (
    select directory_id, sequence from deprovisionings where reported = 0 and received_at <= $1
    order by received_at limit $2) d
  group by directory_id`

const report = `
  update deprovisionings set reported = 1
  where directory_id = $1 and sequence = any((select $2::int8[])::int8[]) and reported <> 1
  returning directory_id, ${openDeprovisioningColumns}`

const pruneOpen = `
  with gone as (
    ${deleteFound(
      'deprovisionings',
      'select directory_id, ctid as row_position from deprovisionings where received_at < $1 order by received_at limit $2',
    )}
  )
  select count(*) as n from gone`

const pruneTimes = `
  with gone as (
    ${deleteFound(
      'deprovision_times',
      `select directory_id, ctid as row_position from deprovision_times
       where day < $1 and deprovisionings >= 0 order by day limit $2`,
    )}
  )
  select count(*) as n from gone`

/** Writes of deprovisionings on PostgreSQL. */
export function postgresDeprovisionings(
  { atomically }: Database,
  { rows, row, number }: Reader,
): EngineDeprovisionings {
  return {
    async takeOverdue(until, limit) {
      const taken: OverdueDeprovisioning[] = []
      for (const found of await rows({ text: overdue, values: [until, limit] })) {
        const id = text(found, 'directory_id')
        const [reported = []] = await atomically([{ text: report, values: [id, found['sequences']] }, checkHealth(id)])
        taken.push(
          ...reported.map((one) => ({ ...decodeOpenDeprovisioning(one), directoryId: text(one, 'directory_id') })),
        )
      }
      return taken.sort((a, b) => a.receivedAt - b.receivedAt)
    },
    async pruneDeprovisionings(before, limit) {
      const removed = await number({ text: pruneOpen, values: [before, limit] })
      const day = Math.floor(before / dayMs)
      return removed + (await number({ text: pruneTimes, values: [day, limit - removed] }))
    },
    async endDeprovisionings(directoryId, last, at) {
      return integers((await row({ text: endThrough, values: [directoryId, last, at] })) ?? {}, 'ended')
    },
  }
}
