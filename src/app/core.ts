import { schedule } from '../concurrency/schedule.ts'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import { createTimeSlices } from '../concurrency/time-slices.ts'
import type { EgressPolicy } from '../delivery/endpoint/egress-policy.ts'
import { createEgressPolicy } from '../delivery/endpoint/egress-policy.ts'
import { newEndpointSecret } from '../delivery/endpoint/signature.ts'
import { createEndpointUrlCheck } from '../delivery/endpoint/url-check.ts'
import type { DeliveryLogger } from '../delivery/observer.ts'
import type { RunningNotices } from '../diagnostics/notices/notices.ts'
import { createOperatorNotices } from '../diagnostics/notices/notices.ts'
import type { DirectoryAccess } from '../directory/access.ts'
import { createDirectoryAccess } from '../directory/access.ts'
import type { Audited } from '../directory/audit.ts'
import type { Directories } from '../directory/directories.ts'
import { createDirectories } from '../directory/directories.ts'
import { newId } from '../directory/new-id.ts'
import type { RemovalLimit } from '../directory/removal-limit.ts'
import type { SyncLog } from '../google/sync/runner.ts'
import type { Store } from '../store/store.ts'
import { version } from '../version.ts'
import type { Settings } from './settings.ts'
import { removalLimitOf } from './settings.ts'

/** Where messages for the operator go; a pino logger fits. */
export type ServiceLog = DeliveryLogger & SyncLog

/** What every family of parts is built on. */
export interface Core {
  readonly store: Store
  readonly directories: Directories
  readonly access: DirectoryAccess
  /** Writes an entry of the audit trail with a change. */
  readonly audited: Audited
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly newId: () => string
  readonly log: ServiceLog
  /** Which addresses events may be sent to. */
  readonly egress: EgressPolicy
  /** Says why events must not be sent to the host of a URL; undefined when they may. */
  readonly checkEndpointUrl: (url: string) => Promise<string | undefined>
  /** Of directories without one of their own. */
  readonly removalLimit: RemovalLimit
  /** Notifies the operator. */
  readonly notices: RunningNotices
  /** For work that would otherwise delay other requests. */
  readonly slices: TimeSlices
}

export interface CoreOptions {
  readonly settings: Settings
  /** The address of the service; known once it listens. */
  readonly externalUrl: () => string
  readonly log: ServiceLog
}

export function createCore(store: Store, audited: Audited, { settings, externalUrl, log }: CoreOptions): Core {
  const clock = Date.now
  const access = createDirectoryAccess(store, clock)
  const maxPerScope = settings.MAX_DIRECTORIES_PER_TENANT
  const egress = createEgressPolicy({ allowPrivate: settings.DSYNC_WEBHOOK_ALLOW_PRIVATE, externalUrl })
  const checkEndpointUrl = createEndpointUrlCheck({ egress })
  const removalLimit = removalLimitOf(settings)
  const parts = {
    ...{ store, access, audited, clock, newId, newEndpointSecret, maxPerScope, checkEndpointUrl, removalLimit },
  }
  const notices = createOperatorNotices({
    ...{ store, egress, version, newId, clock, schedule, log },
    url: settings.OPERATOR_WEBHOOK_URL,
    secret: settings.OPERATOR_WEBHOOK_SECRET,
    timeoutMs: settings.DSYNC_WEBHOOK_TIMEOUT,
  })
  const directories = createDirectories(parts)
  const slices = createTimeSlices()
  return {
    ...{ store, directories, access, audited, clock, newId, log, egress },
    ...{ checkEndpointUrl, removalLimit, notices, slices },
  }
}
