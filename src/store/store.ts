import type { AdminStore } from '../admin/store.ts'
import type { DirectoryStore } from '../directory/store.ts'
import type { EventStore } from '../events/store.ts'

/** One database, as every part of the service sees it. */
export interface Store extends DirectoryStore, EventStore, AdminStore {
  /** Resolves when the database answers; rejects with what is wrong when it does not. */
  ping(): Promise<void>
  /** Finishes what is queued and releases the database. */
  close(): Promise<void>
}
