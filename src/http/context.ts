import type { KeyRotation } from '../admin/admin-store.ts'
import type { Management } from '../admin/management.ts'
import type { ServiceParts } from '../service-parts.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Metrics } from './metrics.ts'

/** The logged requests: all, those with a status of 400 or above, none, or these and a share of the others. */
export type AccessLog = 'all' | 'errors' | 'none' | number

/** The parts of the service that the routes call. */
export interface HttpService extends ServiceParts {
  readonly store: KeyRotation & { ping(): Promise<void> }
  /** Reports that the database did not answer; undefined: nobody logs that. */
  readonly reportOutage?: ((error: unknown) => void) | undefined
  /** Undefined unless an SDK of OpenTelemetry is loaded. */
  readonly tracing?: Tracing | undefined
  /** The public address of the service, without a trailing slash. */
  readonly externalUrl: () => string
}

/** The parts and settings that the routes use. */
export interface HttpContext {
  readonly service: HttpService
  readonly management: Management
  readonly metrics: Metrics
  /** Whether the service is about to stop, so that no new requests should be sent to it; undefined: never. */
  readonly isDraining?: (() => boolean) | undefined
  /** Whether the metrics have a port of their own, so that `/metrics` is not a route. */
  readonly hasMetricsPort?: boolean | undefined
  /** The requests that are logged: see `ACCESS_LOG`; undefined: all. */
  readonly accessLog?: AccessLog | undefined
  /** The maximum size of a SCIM request body, in bytes. */
  readonly scimBodyLimit: number
  /** The maximum number of SCIM requests per second and directory; 0 or undefined means unlimited. */
  readonly scimRateLimit?: number | undefined
  /**
   * The proxies whose `X-Forwarded-For` is trusted: their number, or their addresses and networks, separated by commas;
   * undefined: none.
   */
  readonly trustProxy?: number | string | undefined
  /** Whether products of Ory Polis are answered as Polis does; undefined: no. */
  readonly polisCompat?: boolean | undefined
  /** The origins whose pages may call the APIs; undefined: none. */
  readonly corsOrigins?: readonly string[] | undefined
}
