import { concurrencyContract } from './contract/concurrency.ts'
import type { CreateDatabase } from './contract/database.ts'
import { shareStore } from './contract/database.ts'
import { databaseContract } from './contract/database-contract.ts'
import { deliveryLogContract } from './contract/delivery-log.ts'
import { directoryContract } from './contract/directories.ts'
import { eventContract } from './contract/events.ts'
import { feedContract, retentionContract } from './contract/feed.ts'
import { groupContract } from './contract/groups.ts'
import { listContract } from './contract/lists.ts'
import { lookUpContract } from './contract/look-ups.ts'
import { resyncContract } from './contract/resync.ts'
import { streamContract } from './contract/streams.ts'
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
  eventContract(engine, under)
  streamContract(engine, under)
  deliveryLogContract(engine, under)
  resyncContract(engine, under)
  feedContract(engine, under)
  retentionContract(engine, under)
  databaseContract(engine, under)
}
