import type { TokenHashingOptions } from '../admin/accounts/token-hashing.ts'
import type { OnEvent } from '../delivery/callback-sender.ts'
import type { FeedOptions } from '../delivery/feed/feed.ts'
import type { DeliveryLogger } from '../delivery/observer.ts'
import { silentObserver } from '../delivery/observer.ts'
import type { SyncLog } from '../google/sync/runner.ts'
import type { ServiceObserver } from '../service-parts.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Settings } from './settings.ts'

/** Receives messages for the operator; a pino logger fits. */
export type ServiceLog = DeliveryLogger & SyncLog

/** Ignores all incidents: for a service without metrics. */
export const unobserved: ServiceObserver = {
  ...silentObserver,
  membersSkipped: () => {},
  syncRunEnded: () => {},
  usersEvaluated: () => {},
  requestsDropped: () => {},
}

export interface ServiceOptions {
  readonly settings: Settings
  /**
   * The public address of the service, without a trailing slash. It is a function because the port may be chosen later.
   */
  readonly externalUrl: () => string
  readonly log: ServiceLog
  readonly observer: ServiceObserver
  /** Receives every event of every directory in order. An event is repeated until this does not throw. */
  readonly onEvent?: OnEvent | undefined
  /** Overrides the timing of feed streams. */
  readonly feed?: Pick<FeedOptions, 'timing'> | undefined
  /** Options for hashing admin tokens, where the defaults are too slow. */
  readonly hashing?: TokenHashingOptions | undefined
  readonly tracing?: Tracing | undefined
}
