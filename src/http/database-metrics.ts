import { setTimeout as pause } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { Gauge } from 'prom-client'
import type { EventStore, StreamCounts } from '../delivery/event-store.ts'
import type { HoldStore } from '../delivery/hold/hold-store.ts'
import type { Deprovisionings } from '../diagnostics/deprovisioning/deprovisionings.ts'
import type { MappingStore } from '../mapping/mapping-store.ts'
import type { ServiceClock } from '../service-parts.ts'
import type { Store } from '../store/store.ts'

/** The parts that know the figures of the database. */
export interface WatchedDatabase {
  readonly store: Pick<Store, 'ping' | 'countConnections' | 'lastBackupAt'> &
    Pick<EventStore, 'countStreams'> &
    Pick<HoldStore, 'countHolds'> &
    Pick<MappingStore, 'countMappingRuns'>
  readonly deprovisionings: Pick<Deprovisionings, 'countOverdue'>
  readonly clock: ServiceClock
}

/**
 * Adds the figures of the database to a registry. A scrape waits for the database for a moment only: figures that it does not
 * return in time are left out.
 */
export function watchDatabase(registry: Registry, { store, deprovisionings, clock }: WatchedDatabase): void {
  // First, because reading the others takes connections.
  watchConnections(registry, store)
  watchBackup(registry, store)
  addGauge(registry, {
    name: 'rollcall_clock_skew_seconds',
    help: 'How far the clock of this process is ahead of that of the database.',
    collect: () => [{ value: clock.skewMs() / 1000 }],
  })
  const isUp = atScrape(async () => {
    await store.ping()
    return 1
  })
  addGauge(registry, {
    name: 'rollcall_database_up',
    help: '1 while the database responds to this process, 0 otherwise.',
    collect: async () => [{ value: (await isUp()) ?? 0 }],
  })
  watchStreams(registry, store, clock)
  watchHolds(registry, store)
  const countRuns = atScrape(() => store.countMappingRuns())
  addGauge(registry, {
    name: 'rollcall_mapping_runs',
    help: 'Directories whose users are being evaluated with a new mapping.',
    collect: async () => ifKnown(await countRuns(), (value) => [{ value }]),
  })
  const countOverdue = atScrape(deprovisionings.countOverdue)
  addGauge(registry, {
    name: 'rollcall_deprovisioning_overdue',
    help: 'Users who lost access more than DEPROVISION_TARGET ago, without the consumer having been notified; counted up to 100,000.',
    collect: async () => ifKnown(await countOverdue(), (value) => [{ value }]),
  })
}

function watchConnections(registry: Registry, { countConnections }: Pick<Store, 'countConnections'>): void {
  addGauge(registry, {
    name: 'rollcall_database_connections_in_use',
    help: 'Connections to PostgreSQL that are in use, by pool.',
    labelNames: ['pool'],
    collect: () => countConnections().map(({ pool, inUse }) => ({ labels: { pool }, value: inUse })),
  })
  addGauge(registry, {
    name: 'rollcall_database_connections_waiting',
    help: 'Work that waits for a connection to PostgreSQL, by pool.',
    labelNames: ['pool'],
    collect: () => countConnections().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
  })
}

function watchBackup(registry: Registry, { lastBackupAt }: Pick<Store, 'lastBackupAt'>): void {
  addGauge(registry, {
    name: 'rollcall_backup_age_seconds',
    help: 'Time since the last rollcall backup; absent when there was none.',
    collect: () => ifKnown(lastBackupAt(), (at) => [{ value: Math.max(0, Date.now() - at) / 1000 }]),
  })
}

const states = ['queued', 'failing', 'paused'] as const

function watchStreams(registry: Registry, store: Pick<EventStore, 'countStreams'>, { now }: ServiceClock): void {
  const count = atScrape(() => store.countStreams('endpoint', now()))
  const addByState = (name: string, help: string, read: (counts: StreamCounts | undefined) => number) =>
    addGauge(registry, {
      ...{ name, help, labelNames: ['state'] },
      collect: async () =>
        ifKnown(await count(), (counts) =>
          states.map((state) => ({ labels: { state }, value: read(counts.find((one) => one.state === state)) })),
        ),
    })
  addByState(
    'rollcall_events_undelivered',
    'Undelivered events of directories with an endpoint: queued, failing (waiting for a retry) or paused.',
    (counts) => counts?.events ?? 0,
  )
  addByState('rollcall_streams_behind', 'Directories with undelivered events.', (counts) => counts?.streams ?? 0)
  addByState('rollcall_oldest_undelivered_seconds', 'Age of the oldest undelivered event.', (counts) =>
    counts?.oldestAt === undefined ? 0 : Math.max(0, now() - counts.oldestAt) / 1000,
  )
}

function watchHolds(registry: Registry, store: Pick<HoldStore, 'countHolds'>): void {
  const count = atScrape(() => store.countHolds())
  addGauge(registry, {
    name: 'rollcall_held_directories',
    help: 'Directories whose events are held, without those whose first users wait for their accounts.',
    collect: async () => ifKnown(await count(), ({ directories }) => [{ value: directories }]),
  })
  addGauge(registry, {
    name: 'rollcall_held_removals',
    help: 'Removals of users and memberships whose events are held.',
    collect: async () => ifKnown(await count(), ({ removals }) => [{ value: removals }]),
  })
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

interface GaugeParts {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly string[]
  /** Returns the samples of a scrape; none leaves the metric out. */
  readonly collect: () => readonly Sample[] | Promise<readonly Sample[]>
}

function addGauge(registry: Registry, { name, help, labelNames = [], collect }: GaugeParts): void {
  new Gauge({
    ...{ name, help, labelNames, registers: [registry] },
    async collect() {
      const samples = await collect()
      this.reset()
      // A gauge without labels is 0 after a reset.
      if (labelNames.length === 0) this.remove()
      for (const { labels = {}, value } of samples) this.set(labels, value)
    },
  })
}

function ifKnown<T>(value: T | undefined, samplesOf: (value: T) => readonly Sample[]): readonly Sample[] {
  return value === undefined ? [] : samplesOf(value)
}

/** Time that a scrape waits for the database, in milliseconds. */
const waitMs = 50

/** A read that takes longer is not expected to end. */
const hangsAfterMs = 1_000

/** The maximum age of a figure that one scrape asked for, and a later one shows. */
const maxAgeMs = 60_000

/**
 * Reads a figure for scrapes, which share a read in progress. A scrape waits for a moment; when the read takes longer, it shows
 * the result of the one before, unless that is old or the read hangs. Undefined when there is no such result, or a read failed.
 */
function atScrape<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let last: { readonly value: T; readonly at: number } | undefined
  let reading: { readonly since: number; readonly ended: Promise<void> } | undefined

  async function begin(): Promise<void> {
    try {
      const value = await read()
      last = { value, at: performance.now() }
    } catch {
      last = undefined
    }
  }

  return async () => {
    reading ??= {
      since: performance.now(),
      ended: begin().finally(() => {
        reading = undefined
      }),
    }
    await Promise.race([reading.ended, pause(waitMs, undefined, { ref: false })])
    const now = performance.now()
    const hangs = reading !== undefined && now - reading.since > hangsAfterMs
    return last === undefined || hangs || now - last.at > maxAgeMs ? undefined : last.value
  }
}
