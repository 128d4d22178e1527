import type { DirectoryScope } from '../directory/directory.ts'
import type { DirectoryPosition, DirectoryReads } from '../directory/directory-store.ts'
import type { HealthListStore } from './health/list-store.ts'

export type TotalsStore = Pick<HealthListStore, 'countHealth'> &
  Pick<DirectoryReads, 'listDirectoriesInScope' | 'countUsers' | 'countGroups'>

/** The numbers of directories, users and groups in a scope. Each is a sum of stored counts. */
export type Totals = ReturnType<typeof createTotals>

export function createTotals(store: TotalsStore) {
  /** The sum over the directories of a scope, which are those of one tenant, or one. */
  async function sum(scope: DirectoryScope, count: (directoryId: string) => Promise<number>): Promise<number> {
    let total = 0
    let after: DirectoryPosition | undefined
    do {
      const part: DirectoryPosition[] = await store.listDirectoriesInScope(scope, { after, limit: directoriesPerRead })
      for (const { id } of part) total += await count(id)
      after = part[directoriesPerRead - 1]
    } while (after !== undefined)
    return total
  }

  return {
    directories: async (scope: DirectoryScope): Promise<number> =>
      (await store.countHealth(scope)).reduce((total, { directories }) => total + directories, 0),
    users: (scope: DirectoryScope): Promise<number> => sum(scope, (id) => store.countUsers(id)),
    groups: (scope: DirectoryScope): Promise<number> => sum(scope, (id) => store.countGroups(id)),
  }
}

const directoriesPerRead = 100
