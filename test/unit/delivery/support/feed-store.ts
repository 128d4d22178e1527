import type { FeedStore } from '../../../../src/delivery/feed/feed-store.ts'
import type { DirectoryScope } from '../../../../src/directory/directory.ts'
import { someEvent } from './samples.ts'

/** A feed store in memory, with directories of one tenant and product. */
export function createFeedStore() {
  const directories = new Map<string, { last: number; kept: number }>()
  let outage: Error | undefined
  let reads = 0

  const store: FeedStore = {
    async feedDirectories({ directoryId }: DirectoryScope, limit) {
      reads += 1
      if (outage !== undefined) throw outage
      const found = [...directories].filter(([id]) => directoryId === undefined || id === directoryId)
      const directory = { tenant: 'acme', product: 'crm', reader: undefined }
      return found.slice(0, limit).map(([id, { last }]) => ({ id, ...directory, lastSequence: last }))
    },
    endDeprovisionings: async () => [],
    async feedEvents(directoryId, after, limit) {
      const { last, kept } = directories.get(directoryId) ?? { last: 0, kept: 1 }
      const first = Math.max(after + 1, kept)
      const count = Math.max(0, Math.min(limit, last - first + 1))
      return Array.from({ length: count }, (_, index) => someEvent({ sequence: first + index }))
    },
  }

  return {
    store,
    countReads: () => reads,
    /** Adds events to a directory, which is created if necessary. */
    commit(directoryId: string, count: number): void {
      const { last, kept } = directories.get(directoryId) ?? { last: 0, kept: 1 }
      directories.set(directoryId, { last: last + count, kept })
    },
    /** Removes the events before a sequence. */
    keepFrom(directoryId: string, kept: number): void {
      directories.set(directoryId, { last: directories.get(directoryId)?.last ?? 0, kept })
    },
    remove: (directoryId: string) => directories.delete(directoryId),
    fail: (error: Error | undefined) => {
      outage = error
    },
  }
}
