import type { TimeSlices } from '../../concurrency/time-slices.ts'
import { ScimError } from '../../scim/errors.ts'

/** How long a search works before others get their turn, in milliseconds. */
const sliceMs = 5

/** How long a search may work in all, in milliseconds: what waits for other work does not count. */
const maxWorkMs = 20_000

/** How many characters a filter may have to look at in one resource, which cannot be cut into slices. */
const maxCharacters = 4_000_000

/** The work of one search, in slices between which other requests are served. */
export interface LongWork {
  /** Begins the next slice. @throws ScimError 400 `tooMany` when the search has taken too long or nobody waits for it */
  turn(): Promise<void>
  /** Whether the slice is used up: time for a `turn`. */
  isOver(): boolean
}

/** Begins the work of a search. */
export function beginWork(
  slices: TimeSlices,
  isAbandoned: () => boolean = () => false,
  now: () => number = () => performance.now(),
): LongWork {
  let worked = 0
  let sliceBegan = now()
  return {
    async turn() {
      worked += now() - sliceBegan
      if (worked > maxWorkMs) throw tooMany('This search takes too long')
      await slices.next()
      if (isAbandoned()) throw tooMany('Nobody waits for this search any more')
      sliceBegan = now()
    },
    isOver: () => now() - sliceBegan >= sliceMs,
  }
}

/**
 * Makes sure that a filter can look at a resource in one slice.
 *
 * @throws ScimError 400 `tooMany`
 */
export function requireBriefLook(terms: number, characters: number): void {
  if (terms * characters > maxCharacters) throw tooMany('The filter has too many terms for a resource of this size')
}

/** RFC 7644 §3.12, `tooMany`: more than the service provider is willing to process. */
function tooMany(what: string): ScimError {
  const detail = `${what}: narrow it by an eq condition on userName, externalId, emails, displayName or id.`
  return new ScimError(400, 'tooMany', detail)
}
