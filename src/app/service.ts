import type { TokenHashingOptions } from '../admin/accounts/token-hashing.ts'
import type { Management } from '../admin/management.ts'
import { openManagement } from '../admin/management.ts'
import { schedule } from '../concurrency/schedule.ts'
import { directoryView } from '../directory/directory-view.ts'
import { newId } from '../directory/new-id.ts'
import { createReads } from '../directory/reads.ts'
import { newSecret } from '../directory/secret.ts'
import { errorResponseOf } from '../error-response.ts'
import type { GoogleDirectories } from '../google/google-directories.ts'
import { createGoogleDirectories } from '../google/google-directories.ts'
import type { OnRunEnd } from '../google/sync/runner.ts'
import { createTurns } from '../provisioning/turns.ts'
import type { ServiceParts } from '../service-parts.ts'
import type { ServiceProvider } from '../service-provider/request.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { openTracing } from '../tracing/tracing.ts'
import { version } from '../version.ts'
import type { Core, ServiceLog } from './core.ts'
import { createCore } from './core.ts'
import type { DeliveryOptions } from './delivery.ts'
import { createDelivery } from './delivery.ts'
import { createDiagnostics } from './diagnostics.ts'
import { createHealth } from './health.ts'
import type { Settings } from './settings.ts'
import { removalLimitOf } from './settings.ts'
import { openSetup } from './setup.ts'
import { tracedStore } from './traced-store.ts'

/** Called when something happens that metrics count. */
export type ServiceObserver = DeliveryOptions['observer'] & {
  /** A request named members that do not exist in its directory. */
  membersSkipped(count: number): void
  /** A run of a pulled directory has ended in this process. */
  readonly syncRunEnded: OnRunEnd
  /** Requests are missing from the request log. */
  requestsDropped(count: number): void
}

export interface ServiceOptions extends Omit<DeliveryOptions, 'secret' | 'pulledHolds' | 'onFeedRead'> {
  readonly settings: Settings
  /** The public address of the service without a trailing slash; called when needed, as the port may be chosen later. */
  readonly externalUrl: () => string
  readonly log: ServiceLog
  readonly observer: ServiceObserver
  /** How admin tokens are hashed, where the defaults are too slow. */
  readonly hashing?: TokenHashingOptions | undefined
}

/** Every part of Rollcall except HTTP; the library and the HTTP routes call these. */
export interface Service extends ServiceParts {
  readonly store: Store
  readonly externalUrl: () => string
  readonly management: Management
  readonly tracing: Tracing | undefined
  /** Starts deliveries, scheduled syncs and the removal of old data. */
  start(): void
  /** Finishes the deliveries in flight, then closes the store. */
  close(): Promise<void>
}

/**
 * Opens the database and creates every part over it.
 *
 * @throws Error with a message for the operator when the database cannot be opened
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { settings, log } = options
  const store = await openStore({
    databaseUrl: settings.DATABASE_URL,
    encryptionKey: settings.ENCRYPTION_KEY,
    poolSize: settings.DATABASE_POOL_SIZE,
    directUrl: settings.DATABASE_DIRECT_URL,
    onBackgroundError: (error) => log.error({ err: error }, 'background work failed'),
    removalLimit: removalLimitOf(settings),
  })
  try {
    const tracing = await openTracing(version)
    return await createService(tracing === undefined ? store : tracedStore(store, tracing), { ...options, tracing })
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Creates every part over an open store. Nothing runs in the background before `start`. */
export async function createService(store: Store, options: ServiceOptions): Promise<Service> {
  const { externalUrl } = options
  const management = await openAdministration(store, options)
  const core = createCore(store, management.audit.audited, options)
  const authorizationKey = await store.getOrCreateSecret('authorization-state', newSecret())
  const { activity, health, deprovisionings, ...healthParts } = createHealth(core, options)
  const deliveryOptions = {
    ...options,
    ...{ secret: authorizationKey, onFeedRead: activity.feedRead, pulledHolds: () => google.holds },
  }
  const { onCommit, flushAttempts, ...delivery } = createDelivery(core, deliveryOptions)
  const writing: Writing = { turns: createTurns(), onCommit }
  const diagnostics = createDiagnostics(core, { ...options, activity, flushAttempts })
  const google: GoogleDirectories = createGoogle(core, options, { ...writing, authorizationKey })
  return {
    ...{ store, externalUrl, management, tracing: options.tracing, directories: core.directories, access: core.access },
    reads: createReads(store, externalUrl),
    ...delivery,
    ...diagnostics.parts,
    serviceProvider: createServiceProvider(core, options, writing),
    authorization: google.authorization,
    syncRuns: google.syncRuns,
    ...{ activity, health, deprovisionings },
    ...(await openSetup(core, options, { ...google, ...diagnostics.parts, health })),
    directoryView: (directory) =>
      directoryView(directory, externalUrl(), core.removalLimit, google.authorization.shownLink(directory)),
    start() {
      core.notices.start()
      delivery.start()
      healthParts.start()
      google.start()
      management.start()
      diagnostics.start()
    },
    async close() {
      await management.close()
      delivery.feed.close()
      await google.close()
      await delivery.close()
      await healthParts.close()
      await core.notices.close()
      await diagnostics.close()
      await store.close()
    },
  }
}

function openAdministration(store: Store, { settings, log, hashing }: ServiceOptions): Promise<Management> {
  return openManagement({
    ...{ store, newId, clock: Date.now, schedule, log, hashing },
    rootToken: settings.ADMIN_ROOT_TOKEN,
    apiKeys: settings.API_KEYS,
    auditRetentionDays: settings.AUDIT_RETENTION_DAYS,
  })
}

/** What every change of a directory's users and groups shares, whether pushed or pulled. */
type Writing = Pick<ServiceProvider['provisioning'], 'turns'> & Pick<ServiceProvider, 'onCommit'>

/** Handles SCIM requests. */
function createServiceProvider(
  { store, access, clock, slices }: Core,
  { externalUrl, log, observer }: ServiceOptions,
  { turns, onCommit }: Writing,
): ServiceProvider {
  return {
    ...{ access, provisioning: { store, turns }, newId, clock, slices, externalUrl, onCommit },
    onSkippedMembers({ count, ...where }) {
      observer.membersSkipped(count)
      log.warn({ ...where, count }, 'members were skipped: the directory has no resources with these ids')
    },
    onOperationError: (error, requestId) =>
      log.error({ requestId, err: error }, 'an operation of a bulk request failed'),
  }
}

/** Syncs directories from Google Workspace. */
function createGoogle(
  core: Core,
  { settings, externalUrl, observer }: ServiceOptions,
  parts: Writing & { readonly authorizationKey: string },
) {
  return createGoogleDirectories({
    ...core,
    ...parts,
    ...{ externalUrl, schedule },
    options: {
      clientId: settings.DSYNC_EXTDIR_CLIENT_ID,
      clientSecret: settings.DSYNC_EXTDIR_CLIENT_SECRET,
      authUrl: settings.DSYNC_EXTDIR_AUTH_URL,
      tokenUrl: settings.DSYNC_EXTDIR_TOKEN_URL,
      apiUrl: settings.DSYNC_EXTDIR_API_URL,
      maxDeletePercent: settings.DSYNC_EXTDIR_MAX_DELETE_PERCENT,
      intervalMs: settings.DSYNC_EXTDIR_CRON_INTERVAL * 1000,
    },
    messageOf: (error) => errorResponseOf(error)?.message,
    onRunEnd: observer.syncRunEnded,
  })
}
