import type { Directory, DirectoryScope } from '../../directory/directory.ts'

/** Tells the streams of this process that their directories have new events. */
export interface FeedHub {
  /** Calls `ring` after each commit to a directory of the scope; what it gives back ends that. */
  subscribe(scope: DirectoryScope, ring: () => void): () => void
  /** Says that events of a directory were committed. */
  notify(directory: Pick<Directory, 'id' | 'tenant' | 'product'>): void
  /** Rings everywhere. */
  notifyAll(): void
  count(): number
}

export function createFeedHub(): FeedHub {
  const watchers = new Map<string, Set<() => void>>()

  function ring(key: string): void {
    for (const one of watchers.get(key) ?? []) one()
  }

  return {
    subscribe(scope, ringOne) {
      const key = keyOf(scope)
      const set = watchers.get(key) ?? new Set()
      watchers.set(key, set.add(ringOne))
      return () => {
        set.delete(ringOne)
        if (set.size === 0 && watchers.get(key) === set) watchers.delete(key)
      }
    },
    notify({ id, tenant, product }) {
      if (watchers.size === 0) return
      ring(keyOf({ directoryId: id }))
      ring(keyOf({ tenant, product }))
    },
    notifyAll() {
      for (const key of watchers.keys()) ring(key)
    },
    count: () => [...watchers.values()].reduce((sum, { size }) => sum + size, 0),
  }
}

/** Neither a tenant nor a product has a colon in its name. */
function keyOf({ directoryId, tenant, product }: DirectoryScope): string {
  return directoryId === undefined ? `${tenant}:${product}` : `id:${directoryId}:`
}
