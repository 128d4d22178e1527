import type { ProcessReport } from '../delivery/batch-runs.ts'
import type { DeliveryControl } from '../delivery/control.ts'
import type { Feed } from '../delivery/feed/feed.ts'
import type { LoggedDeliveries } from '../delivery/log/listing.ts'
import type { ResyncControl } from '../delivery/resync/control.ts'
import type { DirectoryAccess } from '../directory/access.ts'
import { systemCaller } from '../directory/audit.ts'
import type { Directories } from '../directory/directories.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryView } from '../directory/directory-view.ts'
import type { Reads } from '../directory/reads.ts'
import type { Authorization } from '../google/authorization/consent.ts'
import type { SyncRuns } from '../google/sync/runs.ts'
import type { ServiceProvider } from '../service-provider/request.ts'

/** The parts of the service that the library calls. */
export interface LibraryParts {
  readonly directories: Directories
  readonly access: DirectoryAccess
  readonly reads: Reads
  readonly feed: Feed
  readonly deliveryLog: LoggedDeliveries
  readonly resyncs: ResyncControl
  readonly delivery: DeliveryControl
  readonly authorization: Authorization
  readonly syncRuns: SyncRuns
  readonly serviceProvider: ServiceProvider
  directoryView(directory: Directory): DirectoryView
  /** Undefined while another call processes events. */
  processEvents(): Promise<ProcessReport | undefined>
  retryDelivery(directoryId: string, fields: object): Promise<void>
  close(): Promise<void>
}

/** The caller that the audit trail names for changes made through the library. */
export const caller = systemCaller('library')

/** Which directories a call may see, and which part of a list it reads, in the API's field names. */
export interface ListQuery {
  readonly tenant?: string
  readonly product?: string
  readonly directoryId?: string
  readonly pageOffset?: number
  readonly pageLimit?: number
  readonly pageToken?: string
}

export type ScopeQuery = Pick<ListQuery, 'tenant' | 'product' | 'directoryId'>
export type OneDirectory = Required<Pick<ListQuery, 'directoryId'>>
/** One object within a scope. */
export type OneQuery = ScopeQuery & { readonly id: string }
