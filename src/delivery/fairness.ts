import type { Usage } from '../concurrency/fair-share.ts'
import { fairShare, mayTake } from '../concurrency/fair-share.ts'

// How the places for directories that are sent to at once are divided. Endpoints that answer slowly have a small pool of
// their own; within a pool every tenant has its share.

export type Pool = 'fast' | 'slow'

/** An endpoint whose last attempt took this long or longer is slow: its next turn takes a place of the slow pool. */
export const slowAttemptMs = 2_000

/** A turn whose attempt is still running after this time gives its place in the fast pool to the next one. */
export const maxFastAttemptMs = 400

/** How often attempts are checked against `maxFastAttemptMs` while directories wait for a place. */
export const checkMs = 100

/** The number of slow endpoints that are remembered; the oldest are forgotten first. */
export const maxSlowEndpoints = 10_000

/** The most directories of a tenant that polling queues, and of all tenants together. */
export const maxQueuedOfTenant = 250
export const maxQueued = 1_000

/** The places of a pool, of the number of fast places. */
export function placesOf(pool: Pool, fastPlaces: number): number {
  return pool === 'fast' ? fastPlaces : Math.max(1, Math.floor(fastPlaces / 4))
}

/** What a tenant uses of a pool. */
export interface PoolUsage extends Usage {
  /** The turns of the tenant in the slow pool. */
  readonly slowOfTenant: number
}

/**
 * Whether a tenant may start one more turn. While others wait, a tenant with twice its share of slow turns starts none in
 * the fast pool: they would only move to the slow one.
 */
export function mayStart(pool: Pool, fastPlaces: number, usage: PoolUsage): boolean {
  const isOverflowing = usage.slowOfTenant >= 2 * fairShare(placesOf('slow', fastPlaces))
  if (pool === 'fast' && usage.othersWait && isOverflowing) return false
  return mayTake(placesOf(pool, fastPlaces), usage)
}

/** Whether a running turn moves to the slow pool, which may hold as many turns as the fast one then. */
export function movesToSlow(attemptMs: number, fastPlaces: number, slowTurns: number): boolean {
  return attemptMs >= maxFastAttemptMs && slowTurns < fastPlaces
}

/** Whether so few directories of a tenant are queued that polling looks for more. */
export function needsMore(queuedOfTenant: number): boolean {
  return queuedOfTenant <= maxQueuedOfTenant / 5
}

/** Whether polling may queue one more directory of a tenant. A tenant with none queued always may. */
export function mayQueue(queued: number, queuedOfTenant: number): boolean {
  return queuedOfTenant === 0 || (queued < maxQueued && queuedOfTenant < maxQueuedOfTenant)
}
