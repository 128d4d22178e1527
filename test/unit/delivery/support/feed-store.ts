import assert from 'node:assert/strict'
import type { FeedPageStore } from '../../../../src/delivery/feed/page.ts'
import type { DirectoryScope } from '../../../../src/directory/directory.ts'
import { someEvent } from './samples.ts'

interface StoredDirectory {
  readonly last: number
  /** The sequence of the first event that is stored. */
  readonly kept: number
  /** The sequence of the first event that replaced a lost one. */
  readonly replacedFrom: number
  /** The sequence of the `sync.started` of the running resync. */
  readonly resyncFrom: number | undefined
}

const empty: StoredDirectory = { last: 0, kept: 1, replacedFrom: Number.POSITIVE_INFINITY, resyncFrom: undefined }

/** A feed store in memory, with directories of one tenant and product. */
export function createFeedStore() {
  const directories = new Map<string, StoredDirectory>()
  let outage: Error | undefined
  let reads = 0

  const directory = (id: string) => directories.get(id) ?? empty
  const change = (id: string, fields: Partial<StoredDirectory>) => directories.set(id, { ...directory(id), ...fields })
  const idAt = (id: string, sequence: number): string | undefined => {
    const { last, kept, replacedFrom } = directory(id)
    if (sequence < kept || sequence > last) return undefined
    return sequence < replacedFrom ? `event-${sequence}` : `replacement-${sequence}`
  }

  const notOfProducts = () => assert.fail('this store has no feeds of products')
  const store: FeedPageStore = {
    listDirectoriesInScope: notOfProducts,
    orderFeed: notOfProducts,
    feedHead: notOfProducts,
    feedRuns: notOfProducts,
    feedEventsOfRuns: notOfProducts,
    longestHeld: notOfProducts,
    firstRunningResync: notOfProducts,
    feedReaders: notOfProducts,
    async feedDirectories({ directoryId }: DirectoryScope, limit) {
      reads += 1
      if (outage !== undefined) throw outage
      const found = [...directories].filter(([id]) => directoryId === undefined || id === directoryId)
      const shared = { tenant: 'acme', product: 'crm', reader: undefined, isDeleted: false }
      return found
        .slice(0, limit)
        .map(([id, { last }]) => ({ id, ...shared, lastSequence: last, lastEventId: idAt(id, last) }))
    },
    endDeprovisionings: async () => [],
    eventsOfResource: async () => [],
    async eventsBefore(directoryId, before, limit) {
      const { last, kept } = directory(directoryId)
      const newest = Math.min(before - 1, last)
      const count = Math.max(0, Math.min(limit, newest - kept + 1))
      return Array.from({ length: count }, (_, index) => {
        const sequence = newest - index
        return someEvent({ sequence, id: idAt(directoryId, sequence) ?? '' })
      })
    },
    eventIdAt: async (directoryId, sequence) => idAt(directoryId, sequence),
    runningResyncStart: async (directoryId) => directory(directoryId).resyncFrom,
    async feedEvents(directoryId, after, limit) {
      const { last, kept } = directory(directoryId)
      const first = Math.max(after + 1, kept)
      const count = Math.max(0, Math.min(limit, last - first + 1))
      return Array.from({ length: count }, (_, index) => {
        const sequence = first + index
        return someEvent({ sequence, id: idAt(directoryId, sequence) ?? '' })
      })
    },
  }

  return {
    store,
    countReads: () => reads,
    /** Adds events to a directory, which is created if necessary. */
    commit: (directoryId: string, count: number) => change(directoryId, { last: directory(directoryId).last + count }),
    /** Removes the events before a sequence. */
    keepFrom: (directoryId: string, kept: number) => change(directoryId, { kept }),
    /** Loses the events from a sequence on, as a restore of a backup does; the next ones get their numbers. */
    loseFrom: (directoryId: string, first: number) => change(directoryId, { last: first - 1, replacedFrom: first }),
    /** Adds the event `sync.started`, and some more. */
    beginResync(directoryId: string, count: number): void {
      const { last } = directory(directoryId)
      change(directoryId, { last: last + count, resyncFrom: last + 1 })
    },
    remove: (directoryId: string) => directories.delete(directoryId),
    fail: (error: Error | undefined) => {
      outage = error
    },
  }
}
