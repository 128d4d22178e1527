import type { Adoptions } from './adoption/adoptions.ts'
import type { ProcessReport } from './delivery/batch-runs.ts'
import type { DeliveryControl } from './delivery/control.ts'
import type { Feed } from './delivery/feed/feed.ts'
import type { HoldControl } from './delivery/hold/control.ts'
import type { LoggedDeliveries } from './delivery/log/listing.ts'
import type { DeliveryObserver } from './delivery/observer.ts'
import type { ResyncControl } from './delivery/resync/control.ts'
import type { DeliveryOfSeveral } from './delivery/several.ts'
import type { Deprovisionings } from './diagnostics/deprovisioning/deprovisionings.ts'
import type { Explain } from './diagnostics/explain/explain.ts'
import type { Activity } from './diagnostics/health/activity.ts'
import type { DirectoryHealth } from './diagnostics/health/health.ts'
import type { Overview } from './diagnostics/overview/overview.ts'
import type { Exchange } from './diagnostics/requests/exchange.ts'
import type { LoggedRequests } from './diagnostics/requests/listing.ts'
import type { RefusedRequests } from './diagnostics/requests/refused.ts'
import type { Totals } from './diagnostics/totals.ts'
import type { Timelines } from './diagnostics/trace/timelines.ts'
import type { Traces } from './diagnostics/trace/trace.ts'
import type { AccountLinks } from './directory/account-links.ts'
import type { Directories } from './directory/directories.ts'
import type { Directory } from './directory/directory.ts'
import type { DirectoryView } from './directory/directory-view.ts'
import type { Authorization } from './google/authorization/consent.ts'
import type { OnRunEnd } from './google/sync/runner.ts'
import type { SyncRuns } from './google/sync/runs.ts'
import type { Mappings } from './mapping/mappings.ts'
import type { Previews } from './mapping/previews.ts'
import type { SeenAttributes } from './mapping/seen-attributes.ts'
import type { UserRoles } from './mapping/user-roles.ts'
import type { OAuthClients } from './oauth/clients.ts'
import type { TokenEndpoint } from './oauth/token-endpoint.ts'
import type { Privacy } from './privacy/privacy.ts'
import type { Receipts } from './privacy/receipts.ts'
import type { Reads } from './reads/reads.ts'
import type { DirectoryAccess } from './service-provider/access.ts'
import type { ServiceProvider } from './service-provider/request.ts'
import type { Portal } from './setup/portal.ts'
import type { SetupLinks } from './setup/setup-links.ts'

/** The time that is stored and compared: that of the database, which all processes share. */
export interface ServiceClock {
  /** Unix milliseconds. */
  now(): number
  /** How far the clock of the process is ahead of that of the database, in milliseconds; negative if it is behind. */
  skewMs(): number
  /** What is wrong with the clock of the process, and how to fix it; undefined while it is right. */
  problem(): string | undefined
}

/** Receives the incidents that metrics count. */
export interface ServiceObserver extends DeliveryObserver {
  /** A request named members that do not exist in its directory. */
  membersSkipped(count: number): void
  /** A run of a pulled directory has ended in this process. */
  readonly syncRunEnded: OnRunEnd
  /** A step of a run has evaluated users with a mapping; for some of them something changed. */
  usersEvaluated(evaluated: number, changed: number): void
  /** Requests are missing from the request log because they could not be written in time. */
  requestsDropped(count: number): void
}

/** The parts of the service that both the HTTP routes and the library call. */
export interface ServiceParts {
  readonly clock: ServiceClock
  readonly directories: Directories
  readonly access: DirectoryAccess
  readonly oauthClients: OAuthClients
  readonly tokenEndpoint: TokenEndpoint
  readonly mappings: Mappings & Previews & SeenAttributes & UserRoles
  readonly reads: Reads
  readonly accountLinks: AccountLinks
  readonly adoptions: Adoptions
  readonly totals: Totals
  readonly feed: Feed
  readonly deliveryLog: LoggedDeliveries
  readonly resyncs: ResyncControl
  readonly holds: HoldControl
  readonly delivery: DeliveryControl
  readonly deliveryOfSeveral: DeliveryOfSeveral
  readonly authorization: Authorization
  readonly syncRuns: SyncRuns
  readonly serviceProvider: ServiceProvider
  readonly activity: Activity
  readonly health: DirectoryHealth
  readonly overview: Overview
  readonly deprovisionings: Deprovisionings
  readonly setupLinks: SetupLinks
  readonly portal: Portal
  readonly requestLog: LoggedRequests
  readonly refusedRequests: RefusedRequests
  readonly explain: Explain
  readonly traces: Traces
  readonly timelines: Timelines
  readonly privacy: Pick<Privacy, 'export' | 'erase' | 'repeat' | 'erasures'>
  readonly receipts: Receipts
  /** Adds a SCIM request to the request log; undefined when that is off. */
  readonly recordRequest: ((exchange: Exchange) => void) | undefined
  directoryView(directory: Directory): DirectoryView
  /** Sends the events that are due; undefined while a previous call is still running. */
  processEvents(): Promise<ProcessReport | undefined>
  /** Resumes delivery after a change of the directory's endpoint; `fields` are those of the request. */
  retryDelivery(directoryId: string, fields: object): Promise<void>
}
