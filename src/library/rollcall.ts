import type { OnEvent } from '../delivery/callback-sender.ts'
import type { DirectoryScope } from '../directory/directory.ts'
import { DirectoryError } from '../directory/errors.ts'
import { adoptionCalls } from './adoption.ts'
import { directoryCalls } from './directories.ts'
import { eventCalls } from './events.ts'
import { googleCalls, syncAll } from './google.ts'
import { mappingCalls } from './mappings.ts'
import type { LibraryParts } from './parts.ts'
import { privacyCalls } from './privacy.ts'
import { requestCalls } from './requests.ts'
import { resultOf } from './result.ts'
import { groupCalls, userCalls } from './users-and-groups.ts'

/** Rollcall inside the product's own process. */
export type Rollcall = ReturnType<typeof rollcallCalls>

/**
 * The calls of the library. Each takes one object in the API's field names and returns `{data, error}`; it does not
 * throw for errors of the caller.
 */
export function rollcallCalls(parts: LibraryParts) {
  return {
    directories: directoryCalls(parts),
    adoption: adoptionCalls(parts),
    users: userCalls(parts),
    groups: groupCalls(parts),
    mappings: mappingCalls(parts),
    events: eventCalls(parts),
    requests: requestCalls(parts),
    extdir: googleCalls(parts),
    privacy: privacyCalls(parts),
    /** Explains why a user or group did not arrive, in a directory, a product or everything; see `Explanation`. */
    explain: (query: DirectoryScope & { readonly subject: string }) => resultOf(() => parts.explain.explain(query)),
    /** See `syncAll`. */
    sync: (callback?: OnEvent) => syncAll(parts, callback),
    /** Copies the embedded database, without the encryption key, to a file, which is replaced. */
    backup: (file: string) => resultOf(() => backUp(parts, file)),
    /** Finishes the deliveries in flight, then closes the database. */
    close: () => parts.close(),
  }
}

async function backUp({ store }: LibraryParts, file: string): Promise<void> {
  if (store.backup === undefined) throw new DirectoryError('not-configured', 'Back up PostgreSQL with pg_dump.')
  await store.backup(file)
}
