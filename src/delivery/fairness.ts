import type { Usage } from '../concurrency/fair-share.ts'
import { fairShare, mayTake } from '../concurrency/fair-share.ts'

// The division of the places for directories that are sent to concurrently. Slow endpoints have a small pool of their
// own; within a pool every tenant has a share.

export type Pool = 'fast' | 'slow'

/** An endpoint is slow if its last attempt took at least this long: its next turn takes a place of the slow pool. */
export const slowAttemptMs = 2_000

/** A turn whose attempt is still running after this time frees its place in the fast pool. */
export const maxFastAttemptMs = 400

/** Interval at which attempts are checked against `maxFastAttemptMs` while directories wait for a place. */
export const checkMs = 100

/** The maximum number of slow endpoints in memory; the oldest are dropped first. */
export const maxSlowEndpoints = 10_000

/** The maximum numbers of directories that polling queues: of a tenant, and of all tenants together. */
export const maxQueuedOfTenant = 250
export const maxQueued = 1_000

/** The number of places of a pool, derived from the number of fast places. */
export function placesOf(pool: Pool, fastPlaces: number): number {
  return pool === 'fast' ? fastPlaces : Math.max(1, Math.floor(fastPlaces / 4))
}

/** The places of a pool that a tenant uses. */
export interface PoolUsage extends Usage {
  /** The turns of the tenant in the slow pool. */
  readonly slowOfTenant: number
}

/**
 * Returns whether a tenant may start one more turn. While others wait, a tenant with twice its share of slow turns starts none
 * in the fast pool: they would only move to the slow one.
 */
export function mayStart(pool: Pool, fastPlaces: number, usage: PoolUsage): boolean {
  const isOverflowing = usage.slowOfTenant >= 2 * fairShare(placesOf('slow', fastPlaces))
  if (pool === 'fast' && usage.othersWait && isOverflowing) return false
  return mayTake(placesOf(pool, fastPlaces), usage)
}

/**
 * Returns whether a running turn moves to the slow pool, which may then exceed its places up to the number of the fast ones.
 */
export function movesToSlow(attemptMs: number, fastPlaces: number, slowTurns: number): boolean {
  return attemptMs >= maxFastAttemptMs && slowTurns < fastPlaces
}

/** Returns whether so few directories of a tenant are queued that polling looks for more. */
export function needsMore(queuedOfTenant: number): boolean {
  return queuedOfTenant <= maxQueuedOfTenant / 5
}

/** Returns whether polling may queue one more directory of a tenant. A tenant with none queued always may. */
export function mayQueue(queued: number, queuedOfTenant: number): boolean {
  return queuedOfTenant === 0 || (queued < maxQueued && queuedOfTenant < maxQueuedOfTenant)
}
