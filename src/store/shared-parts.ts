import type { DirectoryRecords } from '../directory/directory-store.ts'
import { createAccountStore } from './accounts.ts'
import { createApiKeyStore } from './api-keys.ts'
import { createAuditStore } from './audit.ts'
import { createAuthorizationStore } from './authorizations.ts'
import { createConsoleSessionStore } from './console-sessions.ts'
import { createDeadEventList } from './dead-events.ts'
import { createDeliveryReads } from './delivery-log.ts'
import { createDeprovisioningReads } from './deprovisionings.ts'
import type { ChangeRecord } from './directories.ts'
import { createFindDirectories } from './directories.ts'
import { createDirectoryHealthStore } from './directory-health.ts'
import { createErasureStore } from './erasures.ts'
import type { IsEventAt } from './feed.ts'
import { createFeedDirectories } from './feed.ts'
import { createFeedOrder } from './feed-order.ts'
import type { HeldDeletions } from './held-deletions.ts'
import { createHoldStore } from './holds.ts'
import { createImportStore } from './imports.ts'
import type { CompiledOf } from './mappings.ts'
import { createMappingStore } from './mappings.ts'
import { createOAuthClientStore } from './oauth-clients.ts'
import { createNoticeStore } from './operator-notices.ts'
import type { PersonalDialect } from './personal-rows.ts'
import { createPersonalRows } from './personal-rows.ts'
import { createProductDirectories } from './product-directories.ts'
import { createGroupReads } from './reads/groups.ts'
import { createSearchStore } from './reads/search.ts'
import type { SearchEngine } from './reads/search-reads.ts'
import { createUserReads } from './reads/users.ts'
import { createRequestLog } from './request-log.ts'
import { createResyncStore } from './resync.ts'
import { createPruneSearch } from './retention.ts'
import type { Sealing } from './sealing.ts'
import { createSettingStore } from './settings.ts'
import { createSetupLinkStore } from './setup-links.ts'
import type { SqlDatabase } from './sql-database.ts'
import { createSyncRunStore } from './sync-runs.ts'
import { createVolumeStore } from './volumes.ts'
import type { Commit } from './write/batch.ts'

export interface SharedPartsOptions {
  readonly database: SqlDatabase
  /** The connections for background work; on SQLite the same as `database`. */
  readonly background: SqlDatabase
  /** The same for records that a power failure may lose. */
  readonly records: SqlDatabase
  readonly commit: Commit
  readonly compiledOf: CompiledOf
  readonly changeRecord: ChangeRecord
  readonly sealing: Sealing
  readonly directories: Pick<DirectoryRecords, 'getDirectories'>
  readonly releaseEnded: HeldDeletions['releaseEnded']
  readonly searchEngine: SearchEngine
  readonly isEventAt: IsEventAt
  readonly personalDialect: PersonalDialect
}

/** Creates the parts of the store whose statements are the same on both engines. */
export function createSharedParts({
  database,
  background,
  records,
  commit,
  compiledOf,
  changeRecord,
  sealing,
  directories,
  releaseEnded,
  searchEngine,
  isEventAt,
  personalDialect,
}: SharedPartsOptions) {
  return {
    ...createFindDirectories(database, directories),
    ...createUserReads(database),
    ...createGroupReads(database),
    ...createSearchStore(database, searchEngine),
    ...createMappingStore(database, commit, compiledOf),
    ...createHoldStore(database),
    ...createImportStore(database, commit, changeRecord),
    ...createResyncStore(database, commit),
    ...createFeedDirectories(database, isEventAt),
    ...createFeedOrder(database),
    ...createProductDirectories(database),
    ...createDeadEventList(database, isEventAt),
    ...createSyncRunStore(database, releaseEnded),
    ...createAuthorizationStore(database, sealing),
    ...createSettingStore(database, sealing),
    ...createAccountStore(database),
    ...createSetupLinkStore(database, sealing),
    ...createApiKeyStore(database),
    ...createOAuthClientStore(database),
    ...createConsoleSessionStore(database),
    ...createAuditStore(database),
    ...createErasureStore(database, sealing, commit),
    ...createPersonalRows(database, sealing, personalDialect),
    ...createDeprovisioningReads(background),
    ...createDirectoryHealthStore(background, isEventAt),
    ...createVolumeStore(background),
    ...createPruneSearch(background),
    ...createDeliveryReads(background),
    ...createNoticeStore(background),
    ...createRequestLog(records, sealing),
  }
}
