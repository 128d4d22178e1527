import type { Schedule } from '../concurrency/schedule.ts'
import type { DeliveryTarget, EventStore, LeasedStream } from './store.ts'

/** How long a lease lasts unless it is renewed: a process that has crashed loses its streams after that time. */
export const leaseMs = 6_000
const renewMs = 2_000

/** A lease is used no longer than this before its end: the clocks of process and database run apart by less. */
const marginMs = 1_000

/** A lease that is not used is kept so long, so that the next event needs none to be taken. */
const lingerMs = 6_000

export interface LeasesOptions {
  readonly store: Pick<EventStore, 'leaseStream' | 'renewLeases' | 'releaseLease'>
  readonly target: DeliveryTarget
  /** Names this process and dispatcher among all. */
  readonly holder: string
  readonly schedule: Schedule
  /** Milliseconds that only go forward, also while the process is stopped. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

/** The streams that this process may send (design §7.2). */
export interface Leases {
  /** The stream, its lease taken if need be; its state is that of the last `update`. It is in use until `rest`. */
  take(directoryId: string): Promise<LeasedStream | 'held' | 'none'>
  /** Says that the lease is not in use for now. */
  rest(directoryId: string): void
  /** Whether the lease is good for now: asked before everything that is sent. */
  isGood(directoryId: string): boolean
  /** Keeps what was recorded, for the next `take`. */
  update(stream: LeasedStream): void
  /** The state may have been changed by others, or the lease been ended: the next `take` asks the store. */
  doubt(directoryId: string): void
  /** Forgets a lease that the store says has ended. */
  drop(directoryId: string): void
  /** Gives a lease back. Never rejects. */
  release(directoryId: string): Promise<void>
  /** Gives all of them back. */
  close(): Promise<void>
}

interface Held {
  stream: LeasedStream
  goodUntil: number
  isInUse: boolean
  /** When it was in use last. */
  usedAt: number
}

/** Makes the leases of a dispatcher, which renews them as long as they are used. */
export function createLeases({ store, target, holder, schedule, now, onError }: LeasesOptions): Leases {
  const held = new Map<string, Held>()
  const inDoubt = new Set<string>()
  const releasing = new Map<string, Promise<void>>()
  let cancelRenewal: (() => void) | undefined
  let closed = false

  async function take(directoryId: string): Promise<LeasedStream | 'held' | 'none'> {
    await releasing.get(directoryId)
    const before = held.get(directoryId)
    const askedAt = now()
    if (before !== undefined && isGood(directoryId)) {
      before.isInUse = true
      return before.stream
    }
    held.delete(directoryId)
    inDoubt.delete(directoryId)
    const stream = await store.leaseStream(directoryId, target, holder, leaseMs)
    if (typeof stream === 'string') return stream
    const goodUntil = askedAt + leaseMs - marginMs
    held.set(directoryId, { stream, goodUntil, isInUse: true, usedAt: askedAt })
    if (!closed) cancelRenewal ??= schedule(renew, renewMs)
    return stream
  }

  function isGood(directoryId: string): boolean {
    const lease = held.get(directoryId)
    return lease !== undefined && lease.goodUntil > now() && !inDoubt.has(directoryId)
  }

  async function renew(): Promise<void> {
    cancelRenewal = undefined
    const askedAt = now()
    const unused = [...held].filter(([, { isInUse, usedAt }]) => !isInUse && askedAt - usedAt > lingerMs)
    await Promise.all(unused.map(([directoryId]) => release(directoryId)))
    if (held.size > 0) await renewHeld(askedAt).catch(onError)
    if (held.size > 0 && !closed) cancelRenewal ??= schedule(renew, renewMs)
  }

  /** What was not renewed has ended, but for what was taken meanwhile. */
  async function renewHeld(askedAt: number): Promise<void> {
    const before = [...held]
    const renewed = new Set(await store.renewLeases(target, holder, leaseMs))
    for (const [directoryId, lease] of before) {
      if (renewed.has(directoryId)) lease.goodUntil = askedAt + leaseMs - marginMs
      else if (held.get(directoryId) === lease) held.delete(directoryId)
    }
  }

  async function release(directoryId: string): Promise<void> {
    const lease = held.get(directoryId)
    held.delete(directoryId)
    if (lease === undefined) return
    const released = store.releaseLease(lease.stream.lease).catch(onError)
    releasing.set(directoryId, released)
    await released
    releasing.delete(directoryId)
  }

  return {
    take,
    isGood,
    rest(directoryId) {
      const lease = held.get(directoryId)
      if (lease !== undefined) Object.assign(lease, { isInUse: false, usedAt: now() })
    },
    doubt: (directoryId) => void inDoubt.add(directoryId),
    update(stream) {
      const lease = held.get(stream.lease.directoryId)
      if (lease !== undefined) lease.stream = stream
    },
    drop: (directoryId) => void held.delete(directoryId),
    release,
    async close() {
      closed = true
      cancelRenewal?.()
      await Promise.all([...held.keys()].map(release))
    },
  }
}
