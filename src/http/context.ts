import type { ApiKeys } from '../admin/keys/configured-keys.ts'
import type { Service } from '../service.ts'
import type { Metrics } from './metrics.ts'

/** What the routes work with. */
export interface HttpContext {
  readonly service: Service
  readonly apiKeys: ApiKeys
  readonly metrics: Metrics
  /** The largest SCIM request body, in bytes. */
  readonly scimBodyLimit: number
}
