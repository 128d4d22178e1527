import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { WatchedDatabase } from '../../../src/http/database-metrics.ts'
import { createMetrics } from '../../../src/http/metrics.ts'

/** A database whose undelivered events are counted by a function; everything else is there at once. */
function databaseWith(countStreams: WatchedDatabase['store']['countStreams']): WatchedDatabase {
  return {
    store: {
      countStreams,
      ping: async () => {},
      countConnections: () => [{ pool: 'delivery', inUse: 2, waiting: 1 }],
      lastBackupAt: () => undefined,
      countHolds: async () => ({ directories: 0, removals: 0 }),
      countMappingRuns: async () => 0,
    },
    deprovisionings: { countOverdue: async () => 0 },
    clock: { now: Date.now, skewMs: () => 3_600_000, problem: () => undefined },
  }
}

/** The streams of a scrape, all with seven events. */
const sevenEvents = [{ state: 'queued', events: 7, streams: 2, oldestAt: undefined }] as const

test('a scrape counts the undelivered events once', async () => {
  const { collect, watchDatabase } = createMetrics()
  let counted = 0
  watchDatabase(
    databaseWith(async () => {
      counted += 1
      return [...sevenEvents]
    }),
  )
  const metrics = `${await collect()}`
  assert.equal(counted, 1)
  assert.match(metrics, /^rollcall_events_undelivered{state="queued"} 7$/m)
  assert.match(metrics, /^rollcall_streams_behind{state="queued"} 2$/m)
  await collect()
  assert.equal(counted, 2)
})

test('scrapes at the same time share what is counted', async () => {
  const { collect, watchDatabase } = createMetrics()
  let counted = 0
  watchDatabase(
    databaseWith(async () => {
      counted += 1
      return [...sevenEvents]
    }),
  )
  const [first, ...others] = await Promise.all(Array.from({ length: 50 }, collect))
  assert.deepEqual(new Set(others), new Set([first]))
  assert.equal(counted, 1)
})

test('a scrape shows the connections of each pool and the difference of the clocks', async () => {
  const { collect, watchDatabase } = createMetrics()
  watchDatabase(databaseWith(async () => []))
  const metrics = `${await collect()}`
  assert.match(metrics, /^rollcall_database_up 1$/m)
  assert.match(metrics, /^rollcall_database_connections_in_use{pool="delivery"} 2$/m)
  assert.match(metrics, /^rollcall_database_connections_waiting{pool="delivery"} 1$/m)
  assert.match(metrics, /^rollcall_clock_skew_seconds 3600$/m)
  assert.doesNotMatch(metrics, /^rollcall_backup_age_seconds /m)
})

test('a figure that the database returns too late is left out of a scrape and shown by the next one', async () => {
  const { collect, watchDatabase } = createMetrics()
  const counts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  watchDatabase(
    databaseWith(async () => {
      const slow = counts[asked]
      asked += 1
      await slow?.promise
      return [...sevenEvents]
    }),
  )
  assert.doesNotMatch(`${await collect()}`, /^rollcall_events_undelivered{/m)
  counts[0]?.resolve()
  await setImmediate()
  assert.match(`${await collect()}`, /^rollcall_events_undelivered{state="queued"} 7$/m)
  assert.equal(asked, 2)
  counts[1]?.resolve()
})

test('figures that the database refuses are left out', async () => {
  const { collect, watchDatabase } = createMetrics()
  let isAvailable = true
  watchDatabase(
    databaseWith(async () => {
      if (!isAvailable) throw new Error('no connection')
      return [...sevenEvents]
    }),
  )
  assert.match(`${await collect()}`, /^rollcall_events_undelivered{/m)
  isAvailable = false
  const metrics = `${await collect()}`
  assert.doesNotMatch(metrics, /^rollcall_events_undelivered{/m)
  assert.match(metrics, /^rollcall_held_directories 0$/m)
  assert.match(metrics, /^process_resident_memory_bytes \d+$/m)
})
