import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { DeliveryObserver } from '../delivery/observer.ts'
import type { EventStore, StreamCounts } from '../delivery/store.ts'
import type { OnRunEnd } from '../google/sync/runner.ts'

/** Called by the service for what is counted. */
export interface MetricsObserver extends DeliveryObserver {
  /** A request named members that are not in its directory. */
  membersSkipped(count: number): void
  /** A sync run of a pulled directory has ended in this process. */
  readonly syncRunEnded: OnRunEnd
}

/** What the service counts, for Prometheus. */
export interface Metrics {
  readonly registry: Registry
  readonly observer: MetricsObserver
  /** Counts an answered request; `route` is its pattern, not its path. */
  answered(method: string, route: string, status: number, seconds: number): void
  /** Shows how the deliveries to endpoints are: what waits, by state, and how long the oldest has waited. */
  watchStreams(store: Pick<EventStore, 'countStreams'>): void
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Makes the metrics of one service. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'rollcall_http_request_seconds',
    help: 'How long requests took, by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets,
    registers,
  })
  const deliveries = new Histogram({
    name: 'rollcall_delivery_seconds',
    help: 'How long endpoints took to answer the deliveries that they accepted.',
    buckets,
    registers,
  })
  const age = new Histogram({
    name: 'rollcall_delivery_age_seconds',
    help: 'How long after its commit an event was delivered.',
    buckets: [...buckets, 60, 300, 3600, 86_400],
    registers,
  })
  const failures = new Counter({
    name: 'rollcall_delivery_failures_total',
    help: 'Deliveries that were not accepted, by the status of the answer.',
    labelNames: ['reason'] as const,
    registers,
  })

  const dead = new Counter({
    name: 'rollcall_events_dead_total',
    help: 'Events that their endpoint refused for good, and that were set aside.',
    registers,
  })
  const skipped = new Counter({
    name: 'rollcall_members_skipped_total',
    help: 'Members that requests named and that nobody in their directory is.',
    registers,
  })
  const syncRuns = new Counter({
    name: 'rollcall_sync_runs_total',
    help: 'Runs of pulled directories that have ended, by how.',
    labelNames: ['state'] as const,
    registers,
  })

  return {
    registry,
    observer: {
      delivered(latencyMs, ageMs) {
        deliveries.observe(latencyMs / 1000)
        age.observe(ageMs / 1000)
      },
      failed: (reason) => failures.inc({ reason }),
      died: (count) => dead.inc(count),
      membersSkipped: (count) => skipped.inc(count),
      syncRunEnded: (state) => syncRuns.inc({ state }),
    },
    answered: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    watchStreams: (store) => watchStreams(registry, store),
  }
}

const states = ['queued', 'failing', 'paused'] as const

function watchStreams(registry: Registry, store: Pick<EventStore, 'countStreams'>): void {
  const gauge = (name: string, help: string, read: (counts: StreamCounts | undefined, now: number) => number) => {
    new Gauge({
      name,
      help,
      labelNames: ['state'] as const,
      registers: [registry],
      async collect() {
        const now = Date.now()
        const counts = await store.countStreams('endpoint', now)
        for (const state of states)
          this.set(
            { state },
            read(
              counts.find((one) => one.state === state),
              now,
            ),
          )
      },
    })
  }
  gauge(
    'rollcall_events_undelivered',
    'Events that wait for the endpoint of their directory: queued, failing (waiting for the next attempt) or paused.',
    (counts) => counts?.events ?? 0,
  )
  gauge(
    'rollcall_streams_behind',
    'Directories whose endpoint has not taken every event.',
    (counts) => counts?.streams ?? 0,
  )
  gauge('rollcall_oldest_undelivered_seconds', 'How old the oldest undelivered event is.', (counts, now) =>
    counts?.oldestAt === undefined ? 0 : Math.max(0, now - counts.oldestAt) / 1000,
  )
}
