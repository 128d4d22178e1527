import type { DirectoryReads } from '../directory/directory-store.ts'
import { createGroupReads } from './groups.ts'
import { createUserReads } from './users.ts'

/** The reads of the product's API: users, groups and members of the directories in a scope. */
export type Reads = ReturnType<typeof createReads>

/** Creates the reads of the product's API. Queries have the API's field names and are validated here. */
export function createReads(store: DirectoryReads, externalUrl: () => string) {
  return { ...createUserReads(store, externalUrl), ...createGroupReads(store) }
}
