import type { DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryReads } from '../../directory/directory-store.ts'
import { listStart } from '../../directory/list.ts'

/** A stored user or group, and its directory. */
export interface NamedResource {
  readonly directoryId: string
  readonly type: 'user' | 'group'
  readonly id: string
}

export interface NamedResources {
  readonly found: readonly NamedResource[]
  /** Whether everything in the scope was searched. */
  readonly isComplete: boolean
}

/** Finds stored users and groups in any number of directories. */
export interface NamedStore {
  /**
   * At most `limit` users and groups of a scope that have this text as their userName, an address, the external id, the
   * id, or the whole display name.
   */
  findNamed(scope: DirectoryScope, text: string, limit: number): Promise<NamedResources>
}

const maxDirectories = 50

type Reads = Pick<DirectoryReads, 'listDirectoriesInScope' | 'getUser' | 'getGroup' | 'findUsers' | 'findGroups'>

/** Finds by the indexes of each directory, in the first directories of a scope. */
export function createFindNamed(store: Reads): NamedStore['findNamed'] {
  return async (scope, text, limit) => {
    const directories = await store.listDirectoriesInScope(scope, { limit: maxDirectories + 1 })
    const found = await Promise.all(directories.slice(0, maxDirectories).map(({ id }) => namedIn(store, id, text)))
    return { found: found.flat().slice(0, limit), isComplete: directories.length <= maxDirectories }
  }
}

async function namedIn(store: Reads, directoryId: string, text: string): Promise<NamedResource[]> {
  const part = { from: listStart, limit: 10 }
  const [user, group, users, groups] = await Promise.all([
    store.getUser(directoryId, text),
    store.getGroup(directoryId, text),
    Promise.all(
      (['userName', 'email', 'externalId'] as const).map((attribute) =>
        store.findUsers(directoryId, [{ attribute, value: text }], part),
      ),
    ),
    Promise.all(
      (['displayName', 'externalId'] as const).map((attribute) =>
        store.findGroups(directoryId, [{ attribute, value: text }], part),
      ),
    ),
  ])
  const userIds = new Set([...(user ? [user.id] : []), ...users.flat().map(({ item }) => item.id)])
  const groupIds = new Set([...(group ? [group.id] : []), ...groups.flat().map(({ item }) => item.id)])
  return [
    ...[...userIds].map((id) => ({ directoryId, type: 'user' as const, id })),
    ...[...groupIds].map((id) => ({ directoryId, type: 'group' as const, id })),
  ]
}
