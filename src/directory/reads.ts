import { createGroupReads } from './group-reads.ts'
import type { DirectoryReads } from './store.ts'
import { createUserReads } from './user-reads.ts'

/** The reads of the product's API: users, groups and members of the directories in a scope. */
export type Reads = ReturnType<typeof createReads>

/** Creates the reads of the product's API. Queries have the API's field names and are validated here. */
export function createReads(store: DirectoryReads, externalUrl: () => string) {
  return { ...createUserReads(store, externalUrl), ...createGroupReads(store) }
}
