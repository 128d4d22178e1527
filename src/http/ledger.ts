import { createKeyedCounts } from '../concurrency/keyed-counts.ts'
import { createRoundRobin } from '../concurrency/round-robin.ts'
import type { Waiting } from '../concurrency/wait-for-turn.ts'
import { waitForTurn } from '../concurrency/wait-for-turn.ts'

/**
 * The maximum number of bytes that a process may hold for its requests. A key is a tenant, or the holder of an API key.
 */
export interface LedgerLimits {
  /** The maximum cost of a small request. */
  readonly smallCost: number
  /** The bytes of the small requests of one key and of its unread responses. */
  readonly smallPerKey: number
  /**
   * All bytes of one key: small and large requests. The largest request fits beside the small ones, so that neither
   * kind can starve the other.
   */
  readonly perKey: number
  /** The bytes of the large requests of all keys. */
  readonly largeTotal: number
  /**
   * The maximum number of waiting requests of one key, separately for small and large ones; further ones are rejected.
   */
  readonly waiting: number
}

/** Counts the bytes that the process holds for each key, and begins requests while the limits allow it. */
export interface Ledger {
  /** Begins a request of this cost if it may run now; returns whether it does. */
  tryBegin(key: string, cost: number): boolean
  /**
   * Begins a request when it may run. Small requests of a key keep their order, and so do large ones; keys take turns.
   *
   * @throws the reason of the signal, if it aborts first
   */
  begin(key: string, cost: number, signal: AbortSignal): Promise<void>
  /** Returns whether no further request of this cost may wait. */
  isFull(key: string, cost: number): boolean
  /** Ends a request: its response is known. */
  end(key: string, cost: number): void
  /** Counts a response until the returned function is called, when it was read. */
  hold(key: string, bytes: number): () => void
  /** The number of bytes held for a key. */
  of(key: string): number
}

export function createLedger(limits: LedgerLimits): Ledger {
  const small = { held: createKeyedCounts(), waiting: createRoundRobin<Waiting>() }
  const large = { held: createKeyedCounts(), waiting: createRoundRobin<Waiting>() }

  const laneOf = (cost: number) => (cost <= limits.smallCost ? small : large)
  const of = (key: string) => small.held.of(key) + large.held.of(key)

  function mayBegin(key: string, cost: number): boolean {
    if (cost <= limits.smallCost) return small.held.of(key) + cost <= limits.smallPerKey
    if (large.held.of(key) + cost > limits.perKey - limits.smallPerKey) return false
    // Unread responses can exceed the share of the small requests.
    return of(key) + cost <= limits.perKey && large.held.total() + cost <= limits.largeTotal
  }

  function startNext(): void {
    for (const { waiting } of [small, large]) {
      if (waiting.count() === 0) continue
      const take = () => waiting.take((key, { size }) => mayBegin(key, size))
      for (let next = take(); next !== undefined; next = take()) next.start()
    }
  }

  return {
    tryBegin(key, cost) {
      const { held, waiting } = laneOf(cost)
      if (waiting.count(key) > 0 || !mayBegin(key, cost)) return false
      held.add(key, cost)
      return true
    },
    begin(key, cost, signal) {
      const { held, waiting } = laneOf(cost)
      return waitForTurn(waiting, { key, size: cost, signal, begin: () => held.add(key, cost), startNext })
    },
    isFull: (key, cost) => laneOf(cost).waiting.count(key) >= limits.waiting,
    end(key, cost) {
      laneOf(cost).held.add(key, -cost)
      startNext()
    },
    hold(key, bytes) {
      small.held.add(key, bytes)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        small.held.add(key, -bytes)
        startNext()
      }
    },
    of,
  }
}
