import type { Management } from '../admin/management.ts'
import type { Service } from '../app/service.ts'
import type { Metrics } from './metrics.ts'

/** What the routes work with. */
export interface HttpContext {
  readonly service: Service
  readonly management: Management
  readonly metrics: Metrics
  /** The largest SCIM request body, in bytes. */
  readonly scimBodyLimit: number
  /** SCIM requests per second and directory; no limit when left out, or 0. */
  readonly scimRateLimit?: number | undefined
  /** Whose `X-Forwarded-For` counts: so many proxies, or those at addresses with commas between; left out: nobody's. */
  readonly trustProxy?: number | string | undefined
  /** The origins whose pages may call; none when left out. */
  readonly corsOrigins?: readonly string[] | undefined
}
