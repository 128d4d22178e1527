import type { Management } from '../admin/management.ts'
import type { Service } from '../service.ts'
import type { Metrics } from './metrics.ts'

/** What the routes work with. */
export interface HttpContext {
  readonly service: Service
  readonly management: Management
  readonly metrics: Metrics
  /** The largest SCIM request body, in bytes. */
  readonly scimBodyLimit: number
}
