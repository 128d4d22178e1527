import type { FastifyInstance } from 'fastify'
import type { Management } from '../admin/management.ts'
import type { Caller } from '../directory/audit.ts'
import type { ServiceParts } from '../service-parts.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Metrics } from './metrics.ts'

/** The logged requests: all, those with a status of 400 or above, none, or these and a share of the others. */
export type AccessLog = 'all' | 'errors' | 'none' | number

/** The parts of the service that the routes call. */
export interface HttpService extends ServiceParts {
  readonly store: { ping(): Promise<void> }
  /** Encrypts every secret with the current key, and replaces the keys that sign tokens and receipts. */
  readonly rotateKeys: (caller: Caller) => Promise<{ readonly resealed: number }>
  /** Reports that the database did not answer; undefined: nobody logs that. */
  readonly reportOutage?: ((error: unknown) => void) | undefined
  /** Undefined unless an SDK of OpenTelemetry is loaded. */
  readonly tracing?: Tracing | undefined
  /** The public address of the service, without a trailing slash. */
  readonly externalUrl: () => string
}

/** A setting as admins see it. */
export interface SettingView {
  readonly name: string
  /** Of a secret, only `(set)`; null when it is unset. */
  readonly value: string | null
  readonly is_default: boolean
  readonly meaning: string
}

/** Makes the directory-sync API answer as another service does. */
export interface Compatibility {
  /** Translates the requests, answers and errors of the routes that are added afterwards; called before callers are authorized. */
  translate(app: FastifyInstance, context: HttpContext): void
  /** Adds the routes of the directory-sync API that only the other service has. */
  addDirectorySyncRoutes(app: FastifyInstance, context: HttpContext): void
  /** Adds its other routes. */
  addOtherRoutes(app: FastifyInstance, context: HttpContext): Promise<void>
}

/** The parts and settings that the routes use. */
export interface HttpContext {
  readonly service: HttpService
  readonly management: Management
  readonly metrics: Metrics
  /** Returns whether the service is about to stop, so that no new requests should be sent to it; undefined: never. */
  readonly isDraining?: (() => boolean) | undefined
  /** Every setting, as it is in effect in this process. */
  readonly settings: readonly SettingView[]
  /** Whether the metrics have a port of their own, so that `/metrics` is not a route. */
  readonly hasMetricsPort?: boolean | undefined
  /** The requests that are logged: see `ACCESS_LOG`; undefined: all. */
  readonly accessLog?: AccessLog | undefined
  /** How long a connection without a request stays open: see `KEEP_ALIVE_SECONDS`; undefined: as by default. */
  readonly keepAliveSeconds?: number | undefined
  /** The maximum size of a SCIM request body, in bytes. */
  readonly scimBodyLimit: number
  /** The maximum number of SCIM requests per second, tenant and product; 0 or undefined means unlimited. */
  readonly scimRateLimit?: number | undefined
  /**
   * The proxies whose `X-Forwarded-For` is trusted: their number, or their addresses and networks, separated by commas;
   * undefined: none.
   */
  readonly trustProxy?: number | string | undefined
  /** Answers the products of another service as that does; undefined: there are none. */
  readonly compatibility?: Compatibility | undefined
  /** The origins whose pages may call the APIs; undefined: none. */
  readonly corsOrigins?: readonly string[] | undefined
}
