import { accountContract } from './contract/accounts.ts'
import { apiKeyContract } from './contract/api-keys.ts'
import { auditContract } from './contract/audit.ts'
import { auditedChangeContract } from './contract/audited-changes.ts'
import { authorizationContract } from './contract/authorizations.ts'
import { concurrencyContract } from './contract/concurrency.ts'
import type { CreateDatabase } from './contract/database.ts'
import { shareStore } from './contract/database.ts'
import { databaseContract } from './contract/database-contract.ts'
import { deliveryLogContract } from './contract/delivery-log.ts'
import { directoryContract } from './contract/directories.ts'
import { eventContract } from './contract/events.ts'
import { feedContract, retentionContract } from './contract/feed.ts'
import { groupContract } from './contract/groups.ts'
import { heldDeletionContract } from './contract/held-deletions.ts'
import { listContract } from './contract/lists.ts'
import { lookUpContract } from './contract/look-ups.ts'
import { resealContract } from './contract/reseal.ts'
import { resourcesByIdContract } from './contract/resources-by-id.ts'
import { resyncContract } from './contract/resync.ts'
import { sealedPlaceContract } from './contract/sealed-places.ts'
import { streamContract } from './contract/streams.ts'
import { syncRunContract } from './contract/sync-runs.ts'
import { userContract } from './contract/users.ts'

/** What every store keeps to. */
export function storeContract(engine: string, createDatabase: CreateDatabase): void {
  const under = { createDatabase, openStore: shareStore(createDatabase) }
  directoryContract(engine, under)
  userContract(engine, under)
  groupContract(engine, under)
  concurrencyContract(engine, under)
  listContract(engine, under)
  lookUpContract(engine, under)
  resourcesByIdContract(engine, under)
  eventContract(engine, under)
  streamContract(engine, under)
  deliveryLogContract(engine, under)
  resyncContract(engine, under)
  feedContract(engine, under)
  retentionContract(engine, under)
  syncRunContract(engine, under)
  heldDeletionContract(engine, under)
  authorizationContract(engine, under)
  accountContract(engine, under)
  apiKeyContract(engine, under)
  auditContract(engine, under)
  auditedChangeContract(engine, under)
  resealContract(engine, under)
  sealedPlaceContract(engine, under)
  databaseContract(engine, under)
}
