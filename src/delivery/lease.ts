import type { Schedule } from '../concurrency/schedule.ts'
import type { DeliveryTarget, EventStore, LeasedStream } from './event-store.ts'

/**
 * Duration of a lease without renewal: after a crash, other processes can send the directory's events again after this
 * time.
 */
export const leaseMs = 6_000
const renewMs = 2_000

/** Leases are not used in their last second, in case the clocks of process and database drift apart. */
const marginMs = 1_000

/** Time for which an unused lease is kept, so that the next event does not have to acquire it again. */
const maxUnusedMs = 6_000

export interface LeasesOptions {
  readonly store: Pick<EventStore, 'leaseStream' | 'renewLeases' | 'releaseLease'>
  readonly target: DeliveryTarget
  /** Identifies this scheduler among all processes. */
  readonly holder: string
  readonly schedule: Schedule
  /** Monotonic milliseconds, which also count while the process is suspended. */
  readonly now: () => number
  /** Called when a lease was acquired that another process had let expire. */
  readonly onTakeover: () => void
  readonly onError: (error: unknown) => void
}

/** The leases of one scheduler, which are renewed while they are used. */
export interface Leases {
  /**
   * Acquires the lease of a stream unless a valid one is held already. The state is that of the last `update`, if any.
   * The lease counts as in use until `markUnused`.
   */
  acquire(directoryId: string): Promise<LeasedStream | 'held' | 'none'>
  markUnused(directoryId: string): void
  /** Returns whether the lease is valid. Must be checked before every attempt. */
  isValid(directoryId: string): boolean
  /** Remembers the state for the next `acquire`. */
  update(stream: LeasedStream): void
  /** Marks a lease as outdated, after its stream was changed elsewhere: the next `acquire` reads the store. */
  invalidate(directoryId: string): void
  /** Forgets a lease that has ended in the store. */
  forget(directoryId: string): void
  /** Returns a lease to the store. Never rejects. */
  release(directoryId: string): Promise<void>
  /** Stops renewing and returns all leases. */
  close(): Promise<void>
}

interface HeldLease {
  stream: LeasedStream
  validUntil: number
  isInUse: boolean
  lastUsedAt: number
}

/** The leases that a scheduler holds, by directory. */
interface LeaseTable {
  readonly options: LeasesOptions
  readonly held: Map<string, HeldLease>
  readonly invalidated: Set<string>
  readonly releasing: Map<string, Promise<void>>
  cancelRenewal: (() => void) | undefined
  closed: boolean
}

export function createLeases(options: LeasesOptions): Leases {
  const table: LeaseTable = {
    options,
    held: new Map(),
    invalidated: new Set(),
    releasing: new Map(),
    cancelRenewal: undefined,
    closed: false,
  }
  const { held } = table
  return {
    acquire: (directoryId) => acquire(table, directoryId),
    isValid: (directoryId) => isValid(table, directoryId),
    markUnused(directoryId) {
      const lease = held.get(directoryId)
      if (lease === undefined) return
      lease.isInUse = false
      lease.lastUsedAt = options.now()
    },
    invalidate: (directoryId) => void table.invalidated.add(directoryId),
    update(stream) {
      const lease = held.get(stream.lease.directoryId)
      if (lease !== undefined) lease.stream = stream
    },
    forget: (directoryId) => void held.delete(directoryId),
    release: (directoryId) => release(table, directoryId),
    async close() {
      table.closed = true
      table.cancelRenewal?.()
      await Promise.all([...held.keys()].map((directoryId) => release(table, directoryId)))
    },
  }
}

async function acquire(table: LeaseTable, directoryId: string): Promise<LeasedStream | 'held' | 'none'> {
  const { held, options } = table
  await table.releasing.get(directoryId)
  const present = held.get(directoryId)
  const requestedAt = options.now()
  if (present !== undefined && isValid(table, directoryId)) {
    present.isInUse = true
    return present.stream
  }
  held.delete(directoryId)
  table.invalidated.delete(directoryId)
  const acquired = await options.store.leaseStream(directoryId, options.target, options.holder, leaseMs)
  if (typeof acquired === 'string') return acquired
  const { isTakeover, ...stream } = acquired
  if (isTakeover) options.onTakeover()
  const validUntil = requestedAt + leaseMs - marginMs
  held.set(directoryId, { stream, validUntil, isInUse: true, lastUsedAt: requestedAt })
  scheduleRenewal(table)
  return stream
}

function isValid({ held, invalidated, options }: LeaseTable, directoryId: string): boolean {
  const lease = held.get(directoryId)
  return lease !== undefined && lease.validUntil > options.now() && !invalidated.has(directoryId)
}

function scheduleRenewal(table: LeaseTable): void {
  if (!table.closed) table.cancelRenewal ??= table.options.schedule(() => renew(table), renewMs)
}

async function renew(table: LeaseTable): Promise<void> {
  const { held, options } = table
  table.cancelRenewal = undefined
  const requestedAt = options.now()
  const unused = [...held].filter(([, { isInUse, lastUsedAt }]) => !isInUse && requestedAt - lastUsedAt > maxUnusedMs)
  await Promise.all(unused.map(([directoryId]) => release(table, directoryId)))
  if (held.size > 0) await renewHeld(table, requestedAt).catch(options.onError)
  if (held.size > 0) scheduleRenewal(table)
}

/** A lease that was neither renewed nor locked has ended, unless it was acquired again in the meantime. */
async function renewHeld({ held, options }: LeaseTable, requestedAt: number): Promise<void> {
  const before = [...held]
  const found = await options.store.renewLeases(options.target, options.holder, leaseMs)
  const [renewed, locked] = [new Set(found.renewed), new Set(found.locked)]
  for (const [directoryId, lease] of before) {
    if (renewed.has(directoryId)) lease.validUntil = requestedAt + leaseMs - marginMs
    else if (!locked.has(directoryId) && held.get(directoryId) === lease) held.delete(directoryId)
  }
}

async function release({ held, releasing, options }: LeaseTable, directoryId: string): Promise<void> {
  const lease = held.get(directoryId)
  held.delete(directoryId)
  if (lease === undefined) return
  const released = options.store.releaseLease(lease.stream.lease).catch(options.onError)
  releasing.set(directoryId, released)
  await released
  releasing.delete(directoryId)
}
