import type { Management } from '../admin/management.ts'
import { openManagement } from '../admin/management.ts'
import { createAdoptions } from '../adoption/adoptions.ts'
import { createAdoptionRunner } from '../adoption/runner.ts'
import { createKeyedMutex } from '../concurrency/keyed-mutex.ts'
import { schedule } from '../concurrency/schedule.ts'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { Send } from '../delivery/attempt.ts'
import { createCallbackSender } from '../delivery/callback-sender.ts'
import { createDeliveryControl } from '../delivery/control.ts'
import { createEndpointClient } from '../delivery/endpoint/client.ts'
import { limitingOrigins } from '../delivery/endpoint/origin-limit.ts'
import { createEndpointSender } from '../delivery/endpoint/sender.ts'
import { newEndpointSecret } from '../delivery/endpoint/signature.ts'
import { createEndpointUrlCheck } from '../delivery/endpoint/url-check.ts'
import { createAcknowledge } from '../delivery/feed/acknowledge.ts'
import { createFeed } from '../delivery/feed/feed.ts'
import { createHoldControl } from '../delivery/hold/control.ts'
import { createHoldWatch } from '../delivery/hold/watch.ts'
import { createAttemptsInFlight } from '../delivery/in-flight.ts'
import { createAttemptRecorder } from '../delivery/log/attempts.ts'
import { createLoggedDeliveries } from '../delivery/log/listing.ts'
import { createLogPruning } from '../delivery/log/pruning.ts'
import { createRecorder } from '../delivery/log/recorder.ts'
import { createResyncControl } from '../delivery/resync/control.ts'
import { createResyncRunner } from '../delivery/resync/runner.ts'
import { createRetention } from '../delivery/retention.ts'
import { createScheduler } from '../delivery/scheduler.ts'
import { createDeliveryOfSeveral } from '../delivery/several.ts'
import { createTargets } from '../delivery/targets.ts'
import { createDeprovisionings } from '../diagnostics/deprovisioning/deprovisionings.ts'
import { createDeprovisioningPruning } from '../diagnostics/deprovisioning/pruning.ts'
import { createOverdueWatch } from '../diagnostics/deprovisioning/watch.ts'
import { createExplain } from '../diagnostics/explain/explain.ts'
import { createActivity } from '../diagnostics/health/activity.ts'
import { createHealthChecks } from '../diagnostics/health/checks.ts'
import { createDirectoryHealth } from '../diagnostics/health/health.ts'
import { createRejectionWatch } from '../diagnostics/health/rejections.ts'
import { createExpiryWatch } from '../diagnostics/notices/expiring-credentials.ts'
import { createOperatorNotices } from '../diagnostics/notices/notices.ts'
import { createOverview } from '../diagnostics/overview/overview.ts'
import { createVolumeMover } from '../diagnostics/overview/volumes.ts'
import { createLoggedRequests } from '../diagnostics/requests/listing.ts'
import { createRequestPruning } from '../diagnostics/requests/pruning.ts'
import { createRequestRecorder } from '../diagnostics/requests/recorder.ts'
import { createRefusedRequests } from '../diagnostics/requests/refused.ts'
import { createTotals } from '../diagnostics/totals.ts'
import { responseWithoutPasswords } from '../diagnostics/trace/response-body.ts'
import { createTimelines } from '../diagnostics/trace/timelines.ts'
import { createTraces } from '../diagnostics/trace/trace.ts'
import { createAccountLinks } from '../directory/account-links.ts'
import type { Caller } from '../directory/audit.ts'
import { createDirectories } from '../directory/directories.ts'
import type { Directory } from '../directory/directory.ts'
import { directoryView } from '../directory/directory-view.ts'
import { directoryTypes } from '../directory/provider.ts'
import { createRecognize } from '../directory/returned-users.ts'
import { newSecret } from '../directory/secret.ts'
import { errorResponseOf } from '../error-response.ts'
import { createGoogleDirectories } from '../google/google-directories.ts'
import { createNewId } from '../ids/new-id.ts'
import { createMappedRoles } from '../mapping/mapped-roles.ts'
import { createAccessTokens } from '../oauth/access-token.ts'
import { createOAuthClients } from '../oauth/clients.ts'
import { createIssuerKeys } from '../oauth/issuer-keys.ts'
import { newSigningKeys } from '../oauth/signing-keys.ts'
import { createClientUse, createTokenEndpoint } from '../oauth/token-endpoint.ts'
import { createPrivacy } from '../privacy/privacy.ts'
import { newReceiptKeys } from '../privacy/receipt-keys.ts'
import { createReceipts } from '../privacy/receipts.ts'
import { createDeletedUserPruning } from '../provisioning/deleted-users.ts'
import { createReads } from '../reads/reads.ts'
import type { ServiceParts } from '../service-parts.ts'
import { createDirectoryAccess } from '../service-provider/access.ts'
import { createPortal } from '../setup/portal.ts'
import { createSetupLinks } from '../setup/setup-links.ts'
import type { Store } from '../store/store.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { version } from '../version.ts'
import { openDatabaseClock } from './database-clock.ts'
import { rotateKeys } from './rotate-keys.ts'
import type { ServiceOptions } from './service-options.ts'
import type { Settings } from './settings.ts'
import { egressOf, identityProviderOf, removalLimitOf, signatureHeadersOf } from './settings.ts'

/** Every part of Rollcall except HTTP; the library and the HTTP routes call these. */
export interface Service extends ServiceParts {
  readonly store: Store
  readonly externalUrl: () => string
  readonly management: Management
  readonly tracing: Tracing | undefined
  /** See `rotateKeys`. */
  readonly rotateKeys: (caller: Caller) => Promise<{ readonly resealed: number }>
  /** Reports an error of the database that no part has logged. */
  readonly reportOutage?: (error: unknown) => void
  /** Starts deliveries, scheduled syncs and the removal of old data. */
  start(): void
  /** Finishes the deliveries in flight, then closes the store. */
  close(): Promise<void>
}

/**
 * Creates every part over an open store, each after those that it uses. Nothing runs in the background before `start`.
 */
export async function createService(store: Store, slices: TimeSlices, options: ServiceOptions): Promise<Service> {
  const { settings, externalUrl, log, observer, onEvent, tracing } = options
  const databaseClock = await openDatabaseClock({ store, schedule, log })
  const clock = databaseClock.now
  const newId = createNewId(clock)
  const background = { store, clock, schedule, log }
  const hasOnEvent = onEvent !== undefined

  // Administration, and the audit trail that every change writes to.
  const management = await openManagement({
    ...{ store, newId, clock, schedule, log, hashing: options.hashing },
    rootToken: settings.ADMIN_ROOT_TOKEN,
    identityProvider: identityProviderOf(settings, externalUrl),
    apiKeys: settings.API_KEYS,
    auditRetentionDays: settings.AUDIT_RETENTION_DAYS,
  })
  const { audited } = management.audit

  // The allowed addresses for requests of this service, and notices to its operator.
  const egress = egressOf(settings, externalUrl)
  const checkEndpointUrl = createEndpointUrlCheck({ egress })
  const notices = createOperatorNotices({
    ...{ store, egress, version, newId, clock, schedule, log },
    url: settings.OPERATOR_WEBHOOK_URL,
    secret: settings.OPERATOR_WEBHOOK_SECRET,
    headers: settings.OPERATOR_WEBHOOK_HEADERS,
    timeoutMs: settings.DSYNC_WEBHOOK_TIMEOUT,
  })

  // Directories.
  const removalLimit = removalLimitOf(settings)
  const tokens = createAccessTokens({
    ...{ clock, lifetimeSeconds: settings.SCIM_ACCESS_TOKEN_TTL },
    readKeys: () => store.getOrCreateSecret('access-tokens', newSigningKeys()),
  })
  const access = createDirectoryAccess(store, clock, tokens)
  const directories = createDirectories({
    ...{ store, access, audited, clock, newId, newEndpointSecret, checkEndpointUrl, removalLimit },
    maxPerScope: settings.MAX_DIRECTORIES_PER_TENANT,
    // Delivery is made below, of directories.
    onCommit: (directory) => onCommit(directory),
  })

  // OAuth clients, with which identity providers sign in to directories.
  const clientSecretKey = await store.getOrCreateSecret('oauth-clients', newSecret())
  const issuerKeys = createIssuerKeys({ egress, clock })
  const oauthClients = createOAuthClients({
    ...{ store, access, audited, secretKey: clientSecretKey, checkUrl: checkEndpointUrl, newId, clock },
  })
  const clientUse = createClientUse({ store, clock, log })
  const tokenEndpoint = createTokenEndpoint({
    ...{ store, tokens, issuerKeys, secretKey: clientSecretKey, lastUse: clientUse, clock },
  })

  // Observations about each directory.
  const rejections = createRejectionWatch({ ...background, notices })
  const isNotified = settings.OPERATOR_WEBHOOK_URL !== undefined
  const activity = createActivity({ ...background, onRejected: isNotified ? rejections.noticed : undefined })
  const deprovisionTargetMs = settings.DEPROVISION_TARGET * 1_000
  const isSyncScheduled = settings.DSYNC_EXTDIR_CRON_INTERVAL > 0
  const healthFacts = { store, clock, hasOnEvent, isSyncScheduled, deprovisionTargetMs }
  const checks = createHealthChecks({ ...healthFacts, schedule, log })
  const health = createDirectoryHealth({ ...healthFacts, directories, activity, checks })
  const overview = createOverview({ ...healthFacts, activity, checks })
  const deprovisionings = createDeprovisionings({ store, directories, targetMs: deprovisionTargetMs, clock })

  // The delivery of committed events to endpoints, the callback, and readers of the feed.
  const recorder = createRecorder({ ...background, newId })
  const attempts = createAttemptRecorder({ ...background, redact: responseWithoutPasswords })
  const timeoutMs = settings.DSYNC_WEBHOOK_TIMEOUT
  const endpointClient = createEndpointClient({ timeoutMs, egress })
  const batch = batchMode(settings)
  const polis = settings.POLIS_COMPAT ? await import('../polis/compat/events.ts') : undefined
  const restricted = polis?.withoutDirectoryEvents ?? ((send: Send) => send)
  const sender = createEndpointSender({
    ...{ client: endpointClient, clock, version, recorder, tracing, isBatched: batch !== undefined },
    olderSignatureHeaders: signatureHeadersOf(settings),
    translate: polis?.polisPayload,
  })
  const toEndpoint = limitingOrigins(sender, { concurrency: settings.DSYNC_WEBHOOK_CONCURRENCY, timeoutMs })
  const holder = newId()
  const sending = { store, holder, clock, log, observer, notices }
  const inFlight = createAttemptsInFlight()
  const endpoints = createScheduler({
    ...{ ...sending, target: 'endpoint', batch },
    send: restricted(inFlight.tracking(attempts.recording(toEndpoint, 'endpoint'))),
  })
  const toCallback =
    onEvent && inFlight.tracking(attempts.recording(createCallbackSender(onEvent, tracing), 'on-event'))
  const callbacks = toCallback && createScheduler({ ...sending, target: 'on-event', send: restricted(toCallback) })
  const tenantOf = async (id: string) => (await store.getDirectory(id))?.tenant
  const targets = createTargets({ store, tenantOf, endpoints, callbacks, clock })
  const authorizationKey = await store.getOrCreateSecret('authorization-state', newSecret())
  const acknowledge = createAcknowledge({ store, clock, log, observer, onReader: activity.feedRead })
  const feed = createFeed({
    ...{ ...background, ...options.feed, slices, secret: authorizationKey },
    streamLimits: {
      total: settings.FEED_MAX_STREAMS,
      perCaller: settings.FEED_MAX_STREAMS_PER_KEY,
      perTenant: settings.FEED_MAX_STREAMS_PER_TENANT,
    },
    onRead: hasOnEvent ? undefined : acknowledge,
  })
  const delivery = createDeliveryControl({
    ...{ store, directories, audited, clock, newId, send: toEndpoint },
    pausedBy: (id) => management.audit.lastCaller(id, 'delivery.paused'),
    onChange: ({ id, tenant }) => endpoints.retry(id, tenant),
  })
  const onCommit = (directory: Directory) => {
    targets.wake(directory)
    feed.notify(directory)
  }
  const mappedRoles = createMappedRoles({
    ...{ ...background, directories, access, audited, slices, onCommit },
    onEvaluated: observer.usersEvaluated,
  })
  const { mappings } = mappedRoles
  const resyncRunner = createResyncRunner({ store, targets: targets.names, onStep: onCommit, clock, log })
  const onResync = (directory: Directory) => {
    onCommit(directory)
    resyncRunner.wake(directory.id, directory.tenant)
  }

  const adoptionRunner = createAdoptionRunner({ ...background, onStep: onCommit })

  // Changes of users and groups by identity providers and by syncs with Google Workspace.
  const mutex = createKeyedMutex()
  const returnsKey = await store.getOrCreateSecret('returns', newSecret())
  const recognize = createRecognize(returnsKey, settings.RETURN_WINDOW_DAYS)
  const serviceProvider = {
    ...{ access, provisioning: { store, mutex, recognize }, newId, clock, slices, externalUrl, onCommit },
    onSkippedMembers({ count, ...where }: { readonly count: number }) {
      observer.membersSkipped(count)
      log.warn({ ...where, count }, 'members were skipped: the directory has no resources with these ids')
    },
    onOperationError: (error: unknown, requestId: string) =>
      log.error({ requestId, err: error }, 'an operation of a bulk request failed'),
  }
  const google = createGoogleDirectories({
    ...{
      store,
      directories,
      mutex,
      recognize,
      audited,
      authorizationKey,
      externalUrl,
      clock,
      newId,
      schedule,
      notices,
      log,
    },
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
    onCommit,
    onRunEnd: observer.syncRunEnded,
  })

  // Explanations for operators.
  const keepDays = settings.SCIM_REQUEST_LOG_TTL
  const requests = createRequestRecorder({
    ...{ store, keep: settings.SCIM_REQUEST_LOG_MAX, schedule, log, onDropped: observer.requestsDropped },
  })
  const flush = () => Promise.all([requests.flush(), attempts.flush()])
  const flushAll = () => Promise.all([flush(), activity.flush()])
  const requestLog = createLoggedRequests({ store, directories, recorder: requests })
  const refusedRequests = createRefusedRequests({ store, directories, recorder: requests })

  // The setup portal for customers' administrators.
  const offeredTypes = directoryTypes.filter((type) => type !== 'extdir' || google.authorization.isConfigured)
  const setupLinks = createSetupLinks({
    ...{ store, audited, externalUrl, newEndpointSecret, checkEndpointUrl, offeredTypes, newId, clock },
    getDirectory: (id) => store.getDirectory(id),
    key: await store.getOrCreateSecret('setup-links', newSecret()),
    showsSecrets: settings.POLIS_COMPAT,
  })
  const reads = createReads({ store, slices, externalUrl })
  const portal = createPortal({
    store,
    directories,
    oauthClients,
    mappings,
    reads,
    authorization: google.authorization,
    isSyncScheduled,
    externalUrl,
    offeredTypes,
    clock,
    observed: (id) => health.get(id),
    lastRefused: (id) => requestLog.unresolvedRefusal(id),
    branding: {
      name: settings.PORTAL_NAME ?? null,
      logo_url: settings.PORTAL_LOGO_URL ?? null,
      color: settings.PORTAL_COLOR ?? null,
      listed_in: settings.PORTAL_LISTED_IN,
      return_url: settings.PORTAL_RETURN_URL ?? null,
    },
    frameAncestors: settings.PORTAL_FRAME_ANCESTORS,
  })

  // Export and erasure of one person.
  const receipts = createReceipts({
    ...{ issuer: externalUrl, clock },
    readKeys: () => store.getOrCreateSecret('receipts', newReceiptKeys()),
  })
  const privacy = createPrivacy({
    ...{ ...background, directories, audit: management.audit, newId, onCommit, receipts },
    provisioning: { store, mutex },
    async stopSending(directory) {
      await targets.reread(directory)
      await inFlight.ended(directory.id, 4 * timeoutMs)
    },
    holder,
    // An attempt may wait as long for its turn as it may take.
    attemptMs: 2 * timeoutMs,
    flush: () => Promise.all([flush(), recorder.flush()]),
    isShared: store.readClock !== undefined,
  })

  const workers = [
    databaseClock,
    targets,
    resyncRunner,
    adoptionRunner,
    mappedRoles,
    createHoldWatch({ ...background, notices }),
    checks,
    createVolumeMover(background),
    createRetention({ ...background, days: settings.EVENT_RETENTION_DAYS, hasOnEvent }),
    createLogPruning({ ...background, keepDays: settings.DSYNC_WEBHOOK_LOGS_TTL, random: Math.random }),
    createOverdueWatch({ ...background, targetMs: deprovisionTargetMs, notices }),
    createExpiryWatch({ ...background, notices }),
    createDeprovisioningPruning({ ...background, random: Math.random }),
    createDeletedUserPruning({ ...background, days: settings.RETURN_WINDOW_DAYS, random: Math.random }),
    createRequestPruning({ ...background, keepDays, random: Math.random }),
    privacy,
  ]

  return {
    ...{ store, externalUrl, management, tracing, clock: databaseClock, directories, access, serviceProvider },
    ...{ oauthClients, tokenEndpoint, mappings },
    reads,
    accountLinks: createAccountLinks({ store, directories, audited, clock }),
    adoptions: createAdoptions({
      ...{ store, directories, audited, clock, newId, slices },
      onWork: ({ id, tenant }) => adoptionRunner.wake(id, tenant),
    }),
    totals: createTotals(store),
    ...{ feed, activity, health, overview, deprovisionings, requestLog, refusedRequests, setupLinks, portal },
    deliveryLog: createLoggedDeliveries({ store, directories, audited, clock, recorder }),
    resyncs: createResyncControl({ store, directories, audited, clock, newId, onBegin: onResync }),
    holds: createHoldControl({
      ...{ store, directories, audited, clock, newId, removalLimit, pulled: google.holds },
      ...{ onRelease: onCommit, onDiscard: onResync },
    }),
    ...{ delivery, deliveryOfSeveral: createDeliveryOfSeveral({ delivery, directories }) },
    async processEvents() {
      const report = await endpoints.processDue()
      // The reader of the log, in any process, must find what the report counts.
      await Promise.all([recorder.flush(), attempts.flush()])
      return report
    },
    retryDelivery: targets.retry,
    authorization: google.authorization,
    syncRuns: google.syncRuns,
    explain: createExplain({
      ...{ store, clock, hasOnEvent, flush: flushAll },
      requestLog: { days: keepDays, requests: settings.SCIM_REQUEST_LOG_MAX },
    }),
    traces: createTraces({ store, directoryOf: (id) => directories.get(id), flush }),
    timelines: createTimelines({ store, directories, flush }),
    privacy,
    receipts,
    rotateKeys: (caller) => rotateKeys({ store, audit: management.audit, clock }, caller),
    recordRequest: keepDays === 0 ? undefined : requests.record,
    directoryView: (directory) =>
      directoryView(directory, externalUrl(), removalLimit, google.authorization.shownLink(directory)),
    start() {
      for (const part of [notices, ...workers, google, management]) part.start()
    },
    // Closes first what begins new work, then what records it, then what sends and writes.
    async close() {
      await management.close()
      feed.close()
      await google.close()
      await Promise.all(workers.map((worker) => worker.close()))
      await Promise.all([recorder.close(), attempts.close(), activity.close(), requests.close()])
      await Promise.all([rejections.close(), clientUse.close(), issuerKeys.close()])
      await endpointClient.close()
      await notices.close()
      await store.close()
    },
  }
}

/** Undefined unless batch mode is on. */
function batchMode({ DSYNC_WEBHOOK_BATCH_SIZE: size, DSYNC_WEBHOOK_BATCH_CRON_INTERVAL: seconds }: Settings) {
  return size > 0 ? { size, intervalMs: seconds > 0 ? seconds * 1000 : undefined } : undefined
}
