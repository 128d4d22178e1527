import { createDigestReads } from './digest.ts'
import { createGroupReads } from './groups.ts'
import { createSearch } from './search.ts'
import type { ReadsContext } from './users.ts'
import { createUserReads } from './users.ts'

/** The reads of the product's API: users, groups and members of the directories in a scope. */
export type Reads = ReturnType<typeof createReads>

/** Creates the reads of the product's API. Queries have the API's field names and are validated here. */
export function createReads(context: ReadsContext) {
  const further = { ...createDigestReads(context), ...createSearch(context.store) }
  return { ...createUserReads(context), ...createGroupReads(context), ...further }
}
