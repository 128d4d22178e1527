import type { DeliveryTarget, Lease } from '../../delivery/store.ts'

interface Held {
  readonly holder: string
  readonly token: number
  expiresAt: number
}

/**
 * Who may send which stream. One process has the file, and its lock is what keeps others away: among the dispatchers of this
 * process leases are kept in memory.
 */
export function createLeases(clock: () => number = Date.now) {
  const held = new Map<string, Held>()
  let lastToken = 0

  const keyOf = ({ directoryId, target }: Pick<Lease, 'directoryId' | 'target'>) => `${target}/${directoryId}`
  const current = (key: string): Held | undefined => {
    const found = held.get(key)
    return found !== undefined && found.expiresAt > clock() ? found : undefined
  }

  return {
    /** The lease; undefined while another holder has it. */
    take(directoryId: string, target: DeliveryTarget, holder: string, ttlMs: number): Lease | undefined {
      const key = keyOf({ directoryId, target })
      const before = current(key)
      if (before !== undefined && before.holder !== holder) return undefined
      if (before === undefined) lastToken += 1
      const token = before?.token ?? lastToken
      held.set(key, { holder, token, expiresAt: clock() + ttlMs })
      return { directoryId, target, token }
    },
    isCurrent: (lease: Lease): boolean => current(keyOf(lease))?.token === lease.token,
    isFree: (directoryId: string, target: DeliveryTarget, holder: string): boolean =>
      (current(keyOf({ directoryId, target }))?.holder ?? holder) === holder,
    /** Answers the directories whose leases the holder still has, for longer now. */
    renew(target: DeliveryTarget, holder: string, ttlMs: number): string[] {
      const renewed: string[] = []
      for (const [key, lease] of held) {
        if (lease.holder !== holder || !key.startsWith(`${target}/`)) continue
        if (lease.expiresAt <= clock()) held.delete(key)
        else {
          lease.expiresAt = clock() + ttlMs
          renewed.push(key.slice(target.length + 1))
        }
      }
      return renewed
    },
    release(lease: Lease): void {
      const key = keyOf(lease)
      if (held.get(key)?.token === lease.token) held.delete(key)
    },
    /** Ends whatever lease there is. */
    revoke(directoryId: string, target: DeliveryTarget): void {
      held.delete(keyOf({ directoryId, target }))
    },
  }
}

export type Leases = ReturnType<typeof createLeases>
