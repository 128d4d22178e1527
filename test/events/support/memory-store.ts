import type { Directory } from '../../../src/directory/directory.ts'
import type { StoredEvent } from '../../../src/directory/event.ts'
import type { DeadEvent, DeliveryTarget, StreamState } from '../../../src/events/store.ts'
import { newStream } from '../../../src/events/store.ts'
import type { StreamStore } from '../../../src/events/stream.ts'
import { someDirectory, someEvent } from './samples.ts'

/** A store in memory that can be out of reach, and remembers what was asked of it. */
export function createMemoryStore() {
  const directories = new Map<string, Directory>()
  const events = new Map<string, StoredEvent[]>()
  const streams = new Map<string, StreamState>()
  const leases = new Map<string, { holder: string; token: number }>()
  const dead: DeadEvent[] = []
  let lastToken = 0
  const records: { directoryId: string; sequence: number }[] = []
  const limits: number[] = []
  let outage: Error | undefined

  async function reach(): Promise<void> {
    if (outage !== undefined) throw outage
  }
  const key = (directoryId: string, target: DeliveryTarget) => `${directoryId} ${target}`
  const streamOf = (directoryId: string, target: DeliveryTarget) => streams.get(key(directoryId, target)) ?? newStream
  const deliveredOf = (directoryId: string, target: DeliveryTarget) => streamOf(directoryId, target).deliveredSequence

  function isBehind(directory: Directory, target: DeliveryTarget, now: number): boolean {
    if (directory.deactivated || (target === 'endpoint' && directory.endpoint === undefined)) return false
    const { pause, nextAttemptAt = 0 } = streamOf(directory.id, target)
    if (pause !== undefined || nextAttemptAt > now) return false
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
    async leaseStream(directoryId, target, holder) {
      await reach()
      if (!directories.has(directoryId)) return 'none'
      const before = leases.get(key(directoryId, target))
      if (before !== undefined && before.holder !== holder) return 'held'
      if (before === undefined) lastToken += 1
      const token = before?.token ?? lastToken
      leases.set(key(directoryId, target), { holder, token })
      return { lease: { directoryId, target, token }, state: streamOf(directoryId, target) }
    },
    async renewLeases(target, holder) {
      await reach()
      const ours = [...leases].filter(([name, lease]) => lease.holder === holder && name.endsWith(` ${target}`))
      return ours.map(([name]) => name.slice(0, -target.length - 1))
    },
    async releaseLease({ directoryId, target, token }) {
      await reach()
      if (leases.get(key(directoryId, target))?.token === token) leases.delete(key(directoryId, target))
    },
    async recordStream({ directoryId, target, token }, state, effects = {}) {
      await reach()
      if (leases.get(key(directoryId, target))?.token !== token || !directories.has(directoryId)) return 'lost'
      records.push({ directoryId, sequence: state.deliveredSequence })
      streams.set(key(directoryId, target), state)
      dead.push(...(effects.dead ?? []))
      return 'recorded'
    },
    async directoriesBehind(target, _holder, now, after, limit) {
      await reach()
      const behind = [...directories.values()].filter((directory) => isBehind(directory, target, now))
      const ids = behind.map(({ id }) => id).sort()
      return ids.filter((id) => id > after).slice(0, limit)
    },
    replaysOf: async () => [],
    callOthers: async () => {},
    hearOthers: () => () => {},
    streamStatus: unused,
    changeStream: unused,
    deadEvents: unused,
    requestReplay: unused,
    sequenceAt: unused,
    countStreams: unused,
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
    streamOf,
    /** Every event that was set aside. */
    dead,
    /** Ends a lease as another process would that takes it. */
    takeLease(directoryId: string, target: DeliveryTarget = 'endpoint') {
      lastToken += 1
      leases.set(key(directoryId, target), { holder: 'another process', token: lastToken })
    },
    freeLease: (directoryId: string, target: DeliveryTarget = 'endpoint') => leases.delete(key(directoryId, target)),
    /** Every `recordStream` that succeeded. */
    records,
    /** The limit of every page that was asked for. */
    limits,
    fail: (error: Error | undefined) => {
      outage = error
    },
  }
}

async function unused(): Promise<never> {
  throw new Error('delivery does not ask for this')
}
