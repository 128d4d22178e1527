import { bucketSize } from '../reads/lists.ts'

/**
 * A number that depends on the directory as the commit finds it: on its last sequence number, or on its own number. A commit may be
 * decided before these are known.
 *
 * - `sequence`: of the n-th event of the commit, from 1
 * - `position`: of the row that this event creates; it is never used again, see `CountedState.discardedEvents`
 * - `bucket`: of such a position in `list_counts`
 * - `row key`: of a resource at such a position in `search_terms`; at a stored position when `isStored`
 */
export interface DirectoryNumber {
  readonly kind: 'sequence' | 'position' | 'bucket' | 'row key'
  readonly n: number
  /** Whether `n` is the position of a stored row instead of the number of an event of the commit. */
  readonly isStored: boolean
}

/** The position of a resource: that of a stored one, or the number of the event of the commit that creates it. */
export type Position = { readonly stored: number } | { readonly ofEvent: number }

/** The sequence number of the n-th event of the commit. */
export function sequenceOf(n: number): DirectoryNumber {
  return { kind: 'sequence', n, isStored: false }
}

/** A position as a value of a row. */
export function positionValue(position: Position): number | DirectoryNumber {
  return 'stored' in position ? position.stored : { kind: 'position', n: position.ofEvent, isStored: false }
}

/** The bucket of a position, see `lists.ts`. */
export function bucketValue(position: Position): number | DirectoryNumber {
  if ('stored' in position) return Math.floor(position.stored / bucketSize)
  return { kind: 'bucket', n: position.ofEvent, isStored: false }
}

/** The row key of the search terms of the resource at a position. */
export function rowKeyValue(position: Position): DirectoryNumber {
  const isStored = 'stored' in position
  return { kind: 'row key', n: isStored ? position.stored : position.ofEvent, isStored }
}
