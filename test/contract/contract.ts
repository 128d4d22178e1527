import { accountLinkContract } from './store/account-links.ts'
import { accountContract } from './store/accounts.ts'
import { adoptionHoldContract } from './store/adoption-holds.ts'
import { adoptionContract } from './store/adoptions.ts'
import { apiKeyContract } from './store/api-keys.ts'
import { auditContract } from './store/audit.ts'
import { auditedChangeContract } from './store/audited-changes.ts'
import { authorizationContract } from './store/authorizations.ts'
import { concurrencyContract } from './store/concurrency.ts'
import { consoleSessionContract } from './store/console-sessions.ts'
import type { CreateDatabase } from './store/database.ts'
import { shareStore } from './store/database.ts'
import { databaseContract } from './store/database-contract.ts'
import { deliveryLogContract } from './store/delivery-log.ts'
import { deprovisioningContract } from './store/deprovisionings.ts'
import { directoryContract } from './store/directories.ts'
import { directoryHealthContract } from './store/directory-health.ts'
import { erasureContract } from './store/erasures.ts'
import { eventContract } from './store/events.ts'
import { feedContract, retentionContract } from './store/feed.ts'
import { groupContract } from './store/groups.ts'
import { healthContract } from './store/health.ts'
import { heldDeletionContract } from './store/held-deletions.ts'
import { holdReasonContract } from './store/hold-reasons.ts'
import { holdContract } from './store/holds.ts'
import { importContract } from './store/imports.ts'
import { largeChangeContract } from './store/large-changes.ts'
import { leavingContract } from './store/leaving.ts'
import { listContract } from './store/lists.ts'
import { lookupContract } from './store/lookups.ts'
import { manyGroupsContract } from './store/many-groups.ts'
import { mappingContract } from './store/mappings.ts'
import { membershipEventContract } from './store/membership-events.ts'
import { oauthClientContract } from './store/oauth-clients.ts'
import { operatorNoticeContract } from './store/operator-notices.ts'
import { productFeedContract } from './store/product-feed.ts'
import { removalModelContract } from './store/removal-model.ts'
import { removalContract } from './store/removals.ts'
import { requestContract } from './store/requests.ts'
import { resealContract } from './store/reseal.ts'
import { resourcesByIdContract } from './store/resources-by-id.ts'
import { resyncContract } from './store/resync.ts'
import { returnContract } from './store/returns.ts'
import { searchContract } from './store/search.ts'
import { secretLocationContract } from './store/secret-locations.ts'
import { setupLinkContract } from './store/setup-links.ts'
import { streamContract } from './store/streams.ts'
import { syncRunContract } from './store/sync-runs.ts'
import { traceContract } from './store/trace.ts'
import { userSnapshotContract } from './store/user-snapshots.ts'
import { userContract } from './store/users.ts'
import { volumeContract } from './store/volumes.ts'

/** The tests that every store must pass. */
export function storeContract(engine: string, createDatabase: CreateDatabase): void {
  const under = { createDatabase, openStore: shareStore(createDatabase) }
  directoryContract(engine, under)
  leavingContract(engine, under)
  userContract(engine, under)
  returnContract(engine, under)
  accountLinkContract(engine, under)
  userSnapshotContract(engine, under)
  adoptionContract(engine, under)
  groupContract(engine, under)
  largeChangeContract(engine, under)
  membershipEventContract(engine, under)
  mappingContract(engine, under)
  manyGroupsContract(engine, under)
  concurrencyContract(engine, under)
  listContract(engine, under)
  lookupContract(engine, under)
  searchContract(engine, under)
  resourcesByIdContract(engine, under)
  eventContract(engine, under)
  productFeedContract(engine, under)
  streamContract(engine, under)
  deliveryLogContract(engine, under)
  oauthClientContract(engine, under)
  operatorNoticeContract(engine, under)
  deprovisioningContract(engine, under)
  requestContract(engine, under)
  healthContract(engine, under)
  directoryHealthContract(engine, under)
  volumeContract(engine, under)
  traceContract(engine, under)
  resyncContract(engine, under)
  feedContract(engine, under)
  retentionContract(engine, under)
  holdContract(engine, under)
  holdReasonContract(engine, under)
  adoptionHoldContract(engine, under)
  importContract(engine, under)
  removalContract(engine, under)
  removalModelContract(engine, under)
  syncRunContract(engine, under)
  heldDeletionContract(engine, under)
  authorizationContract(engine, under)
  accountContract(engine, under)
  apiKeyContract(engine, under)
  setupLinkContract(engine, under)
  consoleSessionContract(engine, under)
  auditContract(engine, under)
  auditedChangeContract(engine, under)
  erasureContract(engine, under)
  resealContract(engine, under)
  secretLocationContract(engine, under)
  databaseContract(engine, under)
}
