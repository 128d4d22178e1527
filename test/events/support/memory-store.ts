import type { Directory } from '../../../src/directory/directory.ts'
import type { StoredEvent } from '../../../src/directory/event.ts'
import type { DeliveryTarget } from '../../../src/events/store.ts'
import type { StreamStore } from '../../../src/events/stream.ts'
import { someDirectory, someEvent } from './samples.ts'

/** A store in memory that can be out of reach, and remembers what was asked of it. */
export function createMemoryStore() {
  const directories = new Map<string, Directory>()
  const events = new Map<string, StoredEvent[]>()
  const delivered = new Map<string, number>()
  const records: { directoryId: string; sequence: number }[] = []
  const limits: number[] = []
  let outage: Error | undefined

  async function reach(): Promise<void> {
    if (outage !== undefined) throw outage
  }
  const key = (directoryId: string, target: DeliveryTarget) => `${directoryId} ${target}`
  const deliveredOf = (directoryId: string, target: DeliveryTarget) => delivered.get(key(directoryId, target)) ?? 0

  function isBehind(directory: Directory, target: DeliveryTarget): boolean {
    if (directory.deactivated || (target === 'endpoint' && directory.endpoint === undefined)) return false
    return deliveredOf(directory.id, target) < (events.get(directory.id)?.length ?? 0)
  }

  const store: StreamStore = {
    async getDirectory(id) {
      await reach()
      return directories.get(id)
    },
    async eventsAfter(directoryId, sequence, limit) {
      await reach()
      limits.push(limit)
      return (events.get(directoryId) ?? []).slice(sequence, sequence + limit)
    },
    async deliveredSequence(directoryId, target) {
      await reach()
      return deliveredOf(directoryId, target)
    },
    async recordDelivered(directoryId, target, sequence) {
      await reach()
      if (!directories.has(directoryId)) throw new Error('a foreign key failed')
      records.push({ directoryId, sequence })
      delivered.set(key(directoryId, target), Math.max(sequence, deliveredOf(directoryId, target)))
    },
    async directoriesBehind(target, after, limit) {
      await reach()
      const behind = [...directories.values()].filter((directory) => isBehind(directory, target))
      const ids = behind.map(({ id }) => id).sort()
      return ids.filter((id) => id > after).slice(0, limit)
    },
    async countUndelivered() {
      throw new Error('delivery does not count')
    },
  }

  /** Adds the directory if it is new, and so many events to it. */
  function commit(directoryId: string, count: number): void {
    if (!directories.has(directoryId)) directories.set(directoryId, someDirectory({ id: directoryId }))
    const list = events.get(directoryId) ?? []
    events.set(directoryId, list)
    for (let i = 0; i < count; i += 1) list.push(someEvent({ sequence: list.length + 1, createdAt: 0 }))
  }

  return {
    store,
    commit,
    put: (directory: Directory) => directories.set(directory.id, directory),
    remove: (directoryId: string) => directories.delete(directoryId),
    deliveredOf,
    /** Every `recordDelivered` that succeeded. */
    records,
    /** The limit of every page that was asked for. */
    limits,
    fail: (error: Error | undefined) => {
      outage = error
    },
  }
}
