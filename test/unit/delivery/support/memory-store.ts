import type { DeadEvent, DeliveryTarget, StreamNotice, StreamState } from '../../../../src/delivery/event-store.ts'
import { newStream } from '../../../../src/delivery/event-store.ts'
import type { StreamStore } from '../../../../src/delivery/stream-context.ts'
import type { Directory } from '../../../../src/directory/directory.ts'
import type { StoredEvent } from '../../../../src/directory/event.ts'
import { someDirectory, someEvent } from './samples.ts'

interface MemoryLease {
  readonly holder: string
  readonly token: number
  readonly expiresAt: number
}

/**
 * A store in memory that can fail and records its calls.
 *
 * @param clock the clock of the database
 */
export function createMemoryStore(clock: () => number = () => 0) {
  const directories = new Map<string, Directory>()
  const events = new Map<string, StoredEvent[]>()
  const streams = new Map<string, StreamState>()
  const leases = new Map<string, MemoryLease>()
  const replays = new Map<string, Set<number>>()
  const listeners = new Map<(notice: StreamNotice) => void, object>()
  const notices: StreamNotice[] = []
  const dead: DeadEvent[] = []
  let lastToken = 0
  const records: { directoryId: string; sequence: number }[] = []
  const limits: number[] = []
  let outage: Error | undefined

  async function failIfUnavailable(): Promise<void> {
    if (outage !== undefined) throw outage
  }
  const key = (directoryId: string, target: DeliveryTarget) => `${directoryId} ${target}`
  const streamOf = (directoryId: string, target: DeliveryTarget) => streams.get(key(directoryId, target)) ?? newStream
  const deliveredOf = (directoryId: string, target: DeliveryTarget) => streamOf(directoryId, target).deliveredSequence

  function leaseOf(directoryId: string, target: DeliveryTarget): MemoryLease | undefined {
    const lease = leases.get(key(directoryId, target))
    return lease !== undefined && lease.expiresAt > clock() ? lease : undefined
  }
  const replaysOf = (directoryId: string, target: DeliveryTarget) =>
    replays.get(key(directoryId, target)) ?? new Set<number>()

  function isFree({ id }: Directory, target: DeliveryTarget, holder: string): boolean {
    return (leaseOf(id, target)?.holder ?? holder) === holder
  }

  function isDue(directory: Directory, target: DeliveryTarget, now: number): boolean {
    if (directory.deactivated || (target === 'endpoint' && directory.endpoint === undefined)) return false
    const { pause, nextAttemptAt = 0 } = streamOf(directory.id, target)
    if (pause !== undefined || nextAttemptAt > now) return false
    if (replaysOf(directory.id, target).size > 0) return true
    return deliveredOf(directory.id, target) < (events.get(directory.id)?.length ?? 0)
  }

  const store: StreamStore = {
    async getDirectory(id) {
      await failIfUnavailable()
      return directories.get(id)
    },
    async eventsAfter(directoryId, sequence, limit) {
      await failIfUnavailable()
      limits.push(limit)
      return (events.get(directoryId) ?? []).slice(sequence, sequence + limit)
    },
    async leaseStream(directoryId, target, holder, ttlMs) {
      await failIfUnavailable()
      if (!directories.has(directoryId)) return 'none'
      const before = leaseOf(directoryId, target)
      if (before !== undefined && before.holder !== holder) return 'held'
      if (before === undefined) lastToken += 1
      const token = before?.token ?? lastToken
      const isTakeover = (leases.get(key(directoryId, target))?.holder ?? holder) !== holder
      leases.set(key(directoryId, target), { holder, token, expiresAt: clock() + ttlMs })
      return { lease: { directoryId, target, token }, state: streamOf(directoryId, target), isTakeover }
    },
    async renewLeases(target, holder, ttlMs) {
      await failIfUnavailable()
      const renewed = [...leases].filter(
        ([name, lease]) => lease.holder === holder && name.endsWith(` ${target}`) && lease.expiresAt > clock(),
      )
      for (const [name, lease] of renewed) leases.set(name, { ...lease, expiresAt: clock() + ttlMs })
      return { renewed: renewed.map(([name]) => name.slice(0, -target.length - 1)), locked: [] }
    },
    async releaseLease({ directoryId, target, token }) {
      await failIfUnavailable()
      if (leases.get(key(directoryId, target))?.token === token) leases.delete(key(directoryId, target))
    },
    async recordStream({ directoryId, target, token }, state, effects = {}) {
      await failIfUnavailable()
      if (leaseOf(directoryId, target)?.token !== token || !directories.has(directoryId)) return 'lost'
      records.push({ directoryId, sequence: state.deliveredSequence })
      streams.set(key(directoryId, target), state)
      dead.push(...(effects.dead ?? []))
      const done = [...(effects.replayed ?? []), ...(effects.dead ?? []).map(({ sequence }) => sequence)]
      for (const sequence of done) replaysOf(directoryId, target).delete(sequence)
      return 'recorded'
    },
    async directoriesDue(target, holder, now, after, limit) {
      await failIfUnavailable()
      const due = [...directories.values()].filter((directory) => isDue(directory, target, now))
      const free = due.filter((directory) => isFree(directory, target, holder))
      const sorted = free.sort((one, other) => (one.id < other.id ? -1 : 1)).filter(({ id }) => id > after)
      const page = sorted.slice(0, limit).map(({ id, tenant }) => ({ id, tenant }))
      return { directories: page, next: sorted.length > limit ? page.at(-1)?.id : undefined }
    },
    async requestedReplays(directoryId, target, limit) {
      await failIfUnavailable()
      const requested = replaysOf(directoryId, target)
      return (events.get(directoryId) ?? []).filter(({ sequence }) => requested.has(sequence)).slice(0, limit)
    },
    publishNotice: async () => {},
    onNotice: () => () => {},
    async changeStream(directoryId, target, { apply, endsLease, dead: skipped }) {
      await failIfUnavailable()
      if (!directories.has(directoryId)) return false
      const state = apply(streamOf(directoryId, target))
      if (state === undefined) return false
      streams.set(key(directoryId, target), state)
      if (skipped !== undefined) dead.push(skipped)
      if (endsLease) leases.delete(key(directoryId, target))
      return true
    },
    async requestReplay(directoryId, target, sequence) {
      await failIfUnavailable()
      replays.set(key(directoryId, target), replaysOf(directoryId, target).add(sequence))
      return true
    },
    streamStatus: unused,
    deadEvents: unused,
    deadEventsIn: unused,
    sequenceAt: unused,
    countStreams: unused,
    async countUndelivered(target) {
      await failIfUnavailable()
      const left = [...events].map(([id, list]) => list.length - deliveredOf(id, target))
      return left.reduce((sum, count) => sum + count, 0)
    },
  }

  /** The store as one process uses it: the other processes receive its notices. */
  function ofProcess(): StreamStore {
    const self = {}
    return {
      ...store,
      async publishNotice(notice) {
        await failIfUnavailable()
        notices.push(notice)
        for (const [listener, process] of listeners) if (process !== self) listener(notice)
      },
      onNotice(listener) {
        listeners.set(listener, self)
        return () => listeners.delete(listener)
      },
    }
  }

  /** Adds events to a directory, which is created if necessary. */
  function commit(directoryId: string, count: number, tenant = 'acme'): void {
    if (!directories.has(directoryId)) directories.set(directoryId, someDirectory({ id: directoryId, tenant }))
    const list = events.get(directoryId) ?? []
    events.set(directoryId, list)
    for (let i = 0; i < count; i += 1) list.push(someEvent({ sequence: list.length + 1, createdAt: 0 }))
  }

  return {
    store,
    ofProcess,
    /** Every published notice. */
    notices,
    commit,
    put: (directory: Directory) => directories.set(directory.id, directory),
    remove: (directoryId: string) => directories.delete(directoryId),
    deliveredOf,
    streamOf,
    /** Every dead event. */
    dead,
    /** Gives the lease to another process. */
    takeLease(directoryId: string, target: DeliveryTarget = 'endpoint') {
      lastToken += 1
      leases.set(key(directoryId, target), { holder: 'another process', token: lastToken, expiresAt: Infinity })
    },
    freeLease: (directoryId: string, target: DeliveryTarget = 'endpoint') => leases.delete(key(directoryId, target)),
    /** Every `recordStream` that succeeded. */
    records,
    /** The limit of every page read. */
    limits,
    fail: (error: Error | undefined) => {
      outage = error
    },
  }
}

async function unused(): Promise<never> {
  throw new Error('the scheduler does not call this')
}
