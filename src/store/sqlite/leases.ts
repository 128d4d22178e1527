import type { AcquiredStream, DeliveryTarget, EventStore, Lease, StreamState } from '../../delivery/event-store.ts'

interface HeldLease {
  readonly holder: string
  readonly token: number
  expiresAt: number
}

/**
 * The leases of streams, in memory: only one process opens the file, so they just keep the schedulers of this process apart.
 */
export function createLeases(clock: () => number = Date.now) {
  const leases = new Map<string, HeldLease>()
  let lastToken = 0

  const keyOf = ({ directoryId, target }: Pick<Lease, 'directoryId' | 'target'>) => `${target}/${directoryId}`
  const findCurrent = (key: string): HeldLease | undefined => {
    const lease = leases.get(key)
    return lease !== undefined && lease.expiresAt > clock() ? lease : undefined
  }

  return {
    /** Takes or renews a lease; undefined while another holder has it. A renewed lease keeps its token. */
    take(
      directoryId: string,
      target: DeliveryTarget,
      holder: string,
      ttlMs: number,
    ): Omit<AcquiredStream, 'state'> | undefined {
      const key = keyOf({ directoryId, target })
      const current = findCurrent(key)
      if (current !== undefined && current.holder !== holder) return undefined
      if (current === undefined) lastToken += 1
      const token = current?.token ?? lastToken
      const isTakeover = (leases.get(key)?.holder ?? holder) !== holder
      leases.set(key, { holder, token, expiresAt: clock() + ttlMs })
      return { lease: { directoryId, target, token }, isTakeover }
    },
    isCurrent: (lease: Lease): boolean => findCurrent(keyOf(lease))?.token === lease.token,
    /** Whether a holder has the lease, or could take it. */
    isAvailable: (directoryId: string, target: DeliveryTarget, holder: string): boolean =>
      (findCurrent(keyOf({ directoryId, target }))?.holder ?? holder) === holder,
    /** Renews the leases that a holder still has; returns their directories. */
    renew(target: DeliveryTarget, holder: string, ttlMs: number): string[] {
      const renewed: string[] = []
      for (const [key, lease] of leases) {
        if (lease.holder !== holder || !key.startsWith(`${target}/`)) continue
        if (lease.expiresAt <= clock()) leases.delete(key)
        else {
          lease.expiresAt = clock() + ttlMs
          renewed.push(key.slice(target.length + 1))
        }
      }
      return renewed
    },
    release(lease: Lease): void {
      const key = keyOf(lease)
      if (leases.get(key)?.token === lease.token) leases.delete(key)
    },
    /** Ends the lease of a stream, regardless of its holder. */
    revoke(directoryId: string, target: DeliveryTarget): void {
      leases.delete(keyOf({ directoryId, target }))
    },
  }
}

export type Leases = ReturnType<typeof createLeases>

/** Reads the state of a stream for the one that leases it. */
export interface StreamReads {
  hasDirectory(directoryId: string): boolean
  findState(directoryId: string, target: DeliveryTarget): StreamState
}

/** Leases of streams on SQLite. */
export function sqliteLeases(
  leases: Leases,
  { hasDirectory, findState }: StreamReads,
): Pick<EventStore, 'leaseStream' | 'renewLeases' | 'releaseLease'> {
  return {
    async leaseStream(directoryId, target, holder, ttlMs) {
      if (!hasDirectory(directoryId)) return 'none'
      const taken = leases.take(directoryId, target, holder, ttlMs)
      return taken === undefined ? 'held' : { ...taken, state: findState(directoryId, target) }
    },
    renewLeases: async (target, holder, ttlMs) => ({ renewed: leases.renew(target, holder, ttlMs), locked: [] }),
    releaseLease: async (lease) => leases.release(lease),
  }
}
