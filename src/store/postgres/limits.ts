import { createFairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { DirectoryRevision } from '../../directory/directory.ts'

/*
 * The limits of work on PostgreSQL, in time and in connections. The server enforces those of transactions (sessions.ts), so
 * that a process that is suspended, or whose network is lost, frees its locks without doing anything.
 */

/** One statement. The largest, a page of members or the deletion of a large group, take a second. */
export const statementMs = 10_000

/**
 * Waiting for a lock. It is short because a waiting statement occupies a connection that other directories need; the
 * transaction is then repeated, without occupying one between the attempts, for `lockPatienceMs`.
 */
export const lockMs = 500

/**
 * Waiting for the next statement of a transaction. Processes need milliseconds between two statements; this is how long
 * one that is suspended in between keeps the locks of its directory.
 */
export const idleMs = 5_000

/** A whole transaction: a few statements, or a few waits for a process that is short of CPU (PostgreSQL 17 or later). */
export const transactionMs = 30_000

/** A large change of members: thousands of short statements. Other limits end it when its process does nothing. */
export const longTransactionMs = 180_000

/** The time for which a transaction is repeated when it cannot get a lock: longer than any suspended process keeps it. */
export const lockPatienceMs = 8_000

/** The longest pause between two such attempts. Pauses are random, so that processes do not collide again. */
export const lockPauseMs = 200

/**
 * Waiting for the result of a statement. It is longer than `statementMs`: when it passes, the server or the network is
 * gone, the connection is closed, and no statement is left waiting on the server.
 */
export const responseMs = 12_000

/** Waiting for a connection, whether it must be opened or is in use. */
export const connectionMs = 10_000

/** Connecting to one of several hosts, before the next one is tried. */
export const connectionToOneOfManyMs = 2_000

/** The age at which the connection of the health check is replaced, so that it leads to the same server as new ones. */
export const healthConnectionMs = 10_000

/** An unused connection is closed after this time; `responseMs`, which is longer, would close it without a farewell. */
export const unusedMs = 10_000

/** An idle connection is probed after this time, and closed when ten probes, one per second, get no response. */
export const keepAliveMs = 10_000

/** The number of connections for each kind of work, so that none can take those of another. */
export interface PoolShares {
  /** Requests of identity providers, of the product and of operators, and syncs. */
  readonly provisioning: number
  /** Deliveries, leases and the removal of old data. */
  readonly delivery: number
  readonly health: number
}

/** Splits the connections of a process: one for health checks, about a third for delivery, the rest for provisioning. */
export function splitPool(size: number): PoolShares {
  const health = 1
  const delivery = Math.max(1, Math.floor(size / 3))
  return { provisioning: Math.max(1, size - delivery - health), delivery, health }
}

const maxLargeChanges = 4

/** The maximum number of large changes at a time, as each occupies a connection: two are left for other requests, if possible. */
export function largeChanges(connections: number): number {
  return Math.min(maxLargeChanges, Math.max(1, connections - 2))
}

/** Makes a large change when a connection may be used for it. */
export type LimitLargeChanges = <T>(
  directory: Pick<DirectoryRevision, 'tenant'>,
  change: () => Promise<T>,
) => Promise<T>

/**
 * Limits the connections of a process that large changes occupy, each for many statements; tenants take turns. A directory makes
 * one at a time, as its writes are in a queue.
 */
export function createLargeChangeLimit(connections: number): LimitLargeChanges {
  const semaphore = createFairSemaphore(connections)
  return async ({ tenant }, change) => {
    const leave = await semaphore.acquire(tenant)
    try {
      return await change()
    } finally {
      leave()
    }
  }
}
