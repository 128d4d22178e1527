import type { FeedStore } from '../../../../src/delivery/feed/store.ts'
import type { DirectoryScope } from '../../../../src/directory/directory.ts'
import { someEvent } from './samples.ts'

/** The events of some directories of one tenant and product, in memory. */
export function createFeedStore() {
  const directories = new Map<string, { last: number; kept: number }>()
  let outage: Error | undefined
  let reads = 0

  const store: FeedStore = {
    async feedDirectories({ directoryId }: DirectoryScope, limit) {
      reads += 1
      if (outage !== undefined) throw outage
      const found = [...directories].filter(([id]) => directoryId === undefined || id === directoryId)
      return found.slice(0, limit).map(([id, { last }]) => ({ id, tenant: 'acme', product: 'crm', lastSequence: last }))
    },
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
    /** Adds the directory if it is new, and so many events to it. */
    commit(directoryId: string, count: number): void {
      const { last, kept } = directories.get(directoryId) ?? { last: 0, kept: 1 }
      directories.set(directoryId, { last: last + count, kept })
    },
    /** Keeps only the events from that sequence number on. */
    keepFrom(directoryId: string, kept: number): void {
      directories.set(directoryId, { last: directories.get(directoryId)?.last ?? 0, kept })
    },
    remove: (directoryId: string) => directories.delete(directoryId),
    fail: (error: Error | undefined) => {
      outage = error
    },
  }
}
