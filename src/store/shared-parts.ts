import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { RemovalLimit } from '../directory/removal-limit.ts'
import { createAccountLinkStore } from './account-links.ts'
import { createAccountStore } from './accounts.ts'
import { createAdoptionStore } from './adoptions.ts'
import { createApiKeyStore } from './api-keys.ts'
import { createAttemptStore } from './attempts.ts'
import { createAuditStore } from './audit.ts'
import { createAuthorizationStore } from './authorizations.ts'
import { createBacklog } from './backlog.ts'
import { createConsoleSessionStore } from './console-sessions.ts'
import { createDeadEventList, createDeadEvents } from './dead-events.ts'
import { createPruneDeletedUsers } from './deleted-users.ts'
import { createDeliveryLog } from './delivery-log.ts'
import { createDeprovisioningStore } from './deprovisionings.ts'
import { createDirectoryChanges } from './directory-changes.ts'
import { createDirectoryHealthStore } from './directory-health.ts'
import { createDirectoryRecords } from './directory-records.ts'
import { createErasureStore } from './erasures.ts'
import { createEventReads, createFeedReads } from './event-reads.ts'
import { createFeedDirectories } from './feed.ts'
import { createFeedOrder } from './feed-order.ts'
import { createHealthStore } from './health.ts'
import { createHeldDeletions } from './held-deletions.ts'
import { createHoldEnds } from './hold-ends.ts'
import { createHoldStore } from './holds.ts'
import { createImportStore } from './imports.ts'
import { createLeaseStore } from './leases.ts'
import { createMappingStore } from './mappings.ts'
import { createCompiledMappings, createMappingEffects, mappingOfImport } from './mappings-in-effect.ts'
import { createOAuthClientStore } from './oauth-clients.ts'
import { createNoticeStore } from './operator-notices.ts'
import { createPersonalRows } from './personal-rows.ts'
import { createProductDirectories } from './product-directories.ts'
import type { ProvisioningWrites } from './provisioning.ts'
import { createProvisioning } from './provisioning.ts'
import { createGroupReads } from './reads/groups.ts'
import { createSearchStore } from './reads/search.ts'
import type { SearchEngine } from './reads/search-reads.ts'
import { createUserReads } from './reads/users.ts'
import { createRequestLog } from './request-log.ts'
import { createReseal } from './reseal.ts'
import { createResyncStore } from './resync.ts'
import { createPruneSearch, createRetention } from './retention.ts'
import type { Sealing } from './sealing.ts'
import { createSettingStore } from './settings.ts'
import { createSetupLinkStore } from './setup-links.ts'
import type { SqlDatabase } from './sql-database.ts'
import { createStreamRecords } from './stream-records.ts'
import { createSyncRunStore } from './sync-runs.ts'
import { createTrace } from './trace.ts'
import { createVolumeStore } from './volumes.ts'
import type { Commit } from './write/batch.ts'

export interface SharedPartsOptions {
  readonly database: SqlDatabase
  /** The connections for background work; on SQLite the same as `database`. */
  readonly background: SqlDatabase
  /** The same for records that a power failure may lose. */
  readonly records: SqlDatabase
  readonly commit: Commit
  readonly provisioning: ProvisioningWrites
  /** The limit of directories without one of their own; null: none. */
  readonly removalLimit: RemovalLimit | null
  /** The time slices of the process, if all writes of a turn of the event loop share a commit. */
  readonly slices?: TimeSlices
  readonly sealing: Sealing
  readonly searchEngine: SearchEngine
  /** Purges deleted directories in the background. */
  readonly purge: () => void
}

/** Creates the parts of the store whose statements are the same on both engines. */
export function createSharedParts(options: SharedPartsOptions) {
  const { database, background, records, commit, sealing } = options
  const changes = createDirectoryChanges(database, sealing)
  const compiledOf = createCompiledMappings(database.query)
  const { prepare, onMappingRun, runBegan } = createMappingEffects(database, compiledOf, options.slices)
  const { releaseEnded, ...heldDeletions } = createHeldDeletions(database)
  return {
    ...createDirectoryRecords(database, changes, sealing, options.purge, runBegan),
    ...createUserReads(database),
    ...createGroupReads(database),
    ...createSearchStore(database, options.searchEngine),
    ...createMappingStore(database, commit, compiledOf),
    onMappingRun,
    ...createProvisioning(options.provisioning, options.removalLimit, prepare),
    ...createAccountLinkStore(commit),
    ...createAdoptionStore(database, commit),
    ...createHoldStore(database),
    ...createHoldEnds(database, commit),
    ...heldDeletions,
    ...createImportStore(database, commit, changes, mappingOfImport),
    ...createResyncStore(database, commit),
    ...createFeedDirectories(database),
    ...createFeedOrder(database),
    ...createFeedReads(database),
    ...createTrace(database),
    ...createProductDirectories(database),
    ...createPruneDeletedUsers(database),
    ...createDeadEventList(database),
    ...createSyncRunStore(database, releaseEnded),
    ...createAuthorizationStore(database, sealing),
    ...createSettingStore(database, sealing),
    ...createReseal(database, sealing),
    ...createAccountStore(database),
    ...createSetupLinkStore(database, sealing),
    ...createApiKeyStore(database),
    ...createOAuthClientStore(database),
    ...createConsoleSessionStore(database),
    ...createAuditStore(database),
    ...createErasureStore(database, sealing, commit),
    ...createPersonalRows(database, sealing),
    ...createDeprovisioningStore(background),
    ...createHealthStore(background),
    ...createDirectoryHealthStore(background),
    ...createVolumeStore(background),
    ...createPruneSearch(background),
    ...createRetention(background),
    ...createEventReads(background),
    ...createStreamRecords(background),
    ...createLeaseStore(records),
    ...createBacklog(background),
    ...createDeadEvents(background),
    ...createAttemptStore(background, sealing),
    ...createDeliveryLog(background),
    ...createNoticeStore(background),
    ...createRequestLog(records, sealing),
  }
}
