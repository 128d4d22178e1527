import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { DeliveryObserver } from '../delivery/observer.ts'
import { STATUS_CODES } from '../node-http.ts'
import type { ServiceObserver } from '../service-parts.ts'
import { version } from '../version.ts'
import type { WatchedDatabase } from './database-metrics.ts'
import { watchDatabase } from './database-metrics.ts'

/** The Prometheus metrics of a service. */
export interface Metrics {
  readonly contentType: string
  /** Returns all metrics as UTF-8. All who ask while they are being collected share the same bytes. */
  collect(): Promise<Buffer>
  readonly observer: ServiceObserver
  /** Counts a response; `route` is the pattern of the URL. */
  answered(method: string, route: string, status: number, seconds: number): void
  /** Adds the figures of the database. */
  watchDatabase(database: WatchedDatabase): void
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'rollcall_http_request_seconds',
    help: 'Duration of requests, by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets,
    registers: [registry],
  })
  new Gauge({
    name: 'rollcall_build_info',
    help: 'Always 1; the version of Rollcall is a label.',
    labelNames: ['version'] as const,
    registers: [registry],
  }).set({ version }, 1)
  let collected: Promise<Buffer> | undefined
  const collectNow = async () => Buffer.from(await registry.metrics())
  return {
    contentType: registry.contentType,
    collect() {
      collected ??= collectNow().finally(() => {
        collected = undefined
      })
      return collected
    },
    observer: {
      ...observeDelivery([registry]),
      ...observeSync([registry]),
      ...observeMappings([registry]),
      ...observeRequestLog([registry]),
    },
    answered: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    watchDatabase: (database) => watchDatabase(registry, database),
  }
}

function observeDelivery(registers: Registry[]): DeliveryObserver {
  const deliveries = new Histogram({
    name: 'rollcall_delivery_seconds',
    help: 'Response time of endpoints, for the deliveries that they accepted.',
    buckets,
    registers,
  })
  const age = new Histogram({
    name: 'rollcall_delivery_age_seconds',
    help: 'Time from the commit of an event to its delivery.',
    buckets: [...buckets, 60, 300, 3600, 86_400],
    registers,
  })
  const failures = new Counter({
    name: 'rollcall_delivery_failures_total',
    help: 'Failed deliveries, by the status of the response.',
    labelNames: ['reason'] as const,
    registers,
  })
  const dead = new Counter({
    name: 'rollcall_events_dead_total',
    help: 'Dead events: set aside because their endpoint rejected them permanently.',
    registers,
  })
  const deprovisioning = new Histogram({
    name: 'rollcall_deprovisioning_seconds',
    help: "Time from the identity provider's request until the consumer was notified that a user lost access.",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 21_600, 86_400],
    registers,
  })
  const takeovers = new Counter({
    name: 'rollcall_lease_takeovers_total',
    help: 'Streams that this process took over because another one had crashed, or had lost the database.',
    registers,
  })
  return {
    leaseTakenOver: () => takeovers.inc(),
    deprovisioned(durations) {
      for (const ms of durations) deprovisioning.observe(ms / 1000)
    },
    delivered(latencyMs, ageMs) {
      deliveries.observe(latencyMs / 1000)
      age.observe(ageMs / 1000)
    },
    failed: (reason) => failures.inc({ reason: knownReason(reason) }),
    died: (count) => dead.inc(count),
  }
}

/**
 * Limits the label values, which endpoints could choose: `no-answer`, a standard status, or one value for all others.
 */
function knownReason(reason: string): string {
  return reason === 'no-answer' || reason in STATUS_CODES ? reason : 'other'
}

function observeSync(registers: Registry[]): Pick<ServiceObserver, 'membersSkipped' | 'syncRunEnded'> {
  const skipped = new Counter({
    name: 'rollcall_members_skipped_total',
    help: 'Members named by requests that are not in the directory.',
    registers,
  })
  const syncRuns = new Counter({
    name: 'rollcall_sync_runs_total',
    help: 'Ended sync runs of Google Workspace directories, by state.',
    labelNames: ['state'] as const,
    registers,
  })
  return {
    membersSkipped: (count) => skipped.inc(count),
    syncRunEnded: (state) => syncRuns.inc({ state }),
  }
}

function observeMappings(registers: Registry[]): Pick<ServiceObserver, 'usersEvaluated'> {
  const evaluations = new Counter({
    name: 'rollcall_mapping_users_evaluated_total',
    help: 'Users whose roles and attributes were evaluated by runs of mappings.',
    registers,
  })
  const changes = new Counter({
    name: 'rollcall_mapping_users_changed_total',
    help: 'Users whose roles or attributes were changed by runs of mappings.',
    registers,
  })
  return {
    usersEvaluated(evaluated, changed) {
      evaluations.inc(evaluated)
      changes.inc(changed)
    },
  }
}

function observeRequestLog(registers: Registry[]): Pick<ServiceObserver, 'requestsDropped'> {
  const dropped = new Counter({
    name: 'rollcall_request_log_dropped_total',
    help: 'SCIM requests missing from the request log, because it could not be written in time.',
    registers,
  })
  return { requestsDropped: (count) => dropped.inc(count) }
}
