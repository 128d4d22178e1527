import type { Management } from '../admin/management.ts'
import type { KeyRotation } from '../admin/store.ts'
import type { ProcessReport } from '../delivery/batch-runs.ts'
import type { DeliveryControl } from '../delivery/control.ts'
import type { Feed } from '../delivery/feed/feed.ts'
import type { LoggedDeliveries } from '../delivery/log/listing.ts'
import type { ResyncControl } from '../delivery/resync/control.ts'
import type { DirectoryAccess } from '../directory/access.ts'
import type { Directories } from '../directory/directories.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryView } from '../directory/directory-view.ts'
import type { Reads } from '../directory/reads.ts'
import type { Authorization } from '../google/authorization/consent.ts'
import type { SyncRuns } from '../google/sync/runs.ts'
import type { ServiceProvider } from '../service-provider/request.ts'
import type { Metrics } from './metrics.ts'

/** The parts of the service that the routes call. */
export interface HttpService {
  readonly store: KeyRotation & { ping(): Promise<void> }
  /** The address that others reach the service at, without a trailing slash. */
  readonly externalUrl: () => string
  readonly directories: Directories
  readonly access: DirectoryAccess
  readonly reads: Reads
  readonly feed: Feed
  readonly deliveryLog: LoggedDeliveries
  readonly resyncs: ResyncControl
  readonly authorization: Authorization
  readonly syncRuns: SyncRuns
  readonly delivery: DeliveryControl
  readonly serviceProvider: ServiceProvider
  directoryView(directory: Directory): DirectoryView
  /** Sends the events that are due; undefined while a previous call is still running. */
  processEvents(): Promise<ProcessReport | undefined>
  /** Resumes delivery after a change of the directory's endpoint; `fields` are those of the request. */
  retryDelivery(directoryId: string, fields: object): Promise<void>
}

/** What the routes need. */
export interface HttpContext {
  readonly service: HttpService
  readonly management: Management
  readonly metrics: Metrics
  /** The largest SCIM request body, in bytes. */
  readonly scimBodyLimit: number
  /** SCIM requests per second and directory; 0 or undefined means unlimited. */
  readonly scimRateLimit?: number | undefined
  /**
   * The proxies whose `X-Forwarded-For` is trusted: how many there are, or their addresses and networks, separated by
   * commas; undefined: none.
   */
  readonly trustProxy?: number | string | undefined
  /** The origins whose pages may call the APIs; undefined: none. */
  readonly corsOrigins?: readonly string[] | undefined
}
