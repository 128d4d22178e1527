import type { Attempt } from './attempt.ts'
import type { Stop } from './fleet.ts'

/** The stored events of one directory and the requests that its endpoint received. */
export interface DirectoryRecord {
  readonly id: string
  /** Its events in the database at the end, in order; undefined when they need not all be delivered. */
  readonly stored: readonly { readonly sequence: number; readonly id: string }[] | undefined
  readonly attempts: readonly Attempt[]
  /** The changes acknowledged to its identity provider: see `changes.ts`. */
  readonly acknowledged: readonly string[]
}

/** A broken guarantee: an event was lost, sent in the wrong order, or sent to another directory. */
export interface Violation {
  readonly kind: 'lost' | 'inverted' | 'mixed'
  /** A sentence that describes it. */
  readonly text: string
}

/** The result of checking a directory. */
export interface Finding {
  readonly violations: readonly Violation[]
  /** Attempts to send an event that was accepted before. */
  readonly repeats: number
  /** Attempts by a suspended process after another one had taken over. */
  readonly late: number
}

/** Checks the guarantees about the deliveries of one directory. */
export function checkDirectory(record: DirectoryRecord, stops: readonly Stop[]): Finding {
  const attempts = record.attempts.toSorted((one, other) => one.arrivedAt - other.arrivedAt)
  const overlaps = checkOverlaps(attempts, stops)
  return {
    violations: [
      ...describe('lost', [...checkSequence(record.stored ?? []), ...checkDelivered(record.stored ?? [], attempts)]),
      ...describe('lost', checkAcknowledged(record.acknowledged, attempts)),
      ...describe('inverted', [...checkOrder(attempts), ...overlaps.violations]),
      ...describe('mixed', [...checkIdentity(record.stored, attempts), ...checkDirectoryIds(record.id, attempts)]),
    ].map(({ kind, text }) => ({ kind, text: `${record.id}: ${text}` })),
    repeats: countRepeats(attempts),
    late: overlaps.late,
  }
}

function describe(kind: Violation['kind'], texts: readonly string[]): Violation[] {
  return texts.map((text) => ({ kind, text }))
}

type StoredEvents = NonNullable<DirectoryRecord['stored']>

/** Sequence numbers are 1, 2, 3 … */
function checkSequence(stored: StoredEvents): string[] {
  return stored
    .filter(({ sequence }, index) => sequence !== index + 1)
    .map(({ sequence }) => `event ${sequence} does not follow the one before it`)
}

/** Every event was accepted at least once. */
function checkDelivered(stored: StoredEvents, attempts: readonly Attempt[]): string[] {
  const accepted = new Set(attempts.filter(({ isAccepted }) => isAccepted).map(({ sequence }) => sequence))
  return stored
    .filter(({ sequence }) => !accepted.has(sequence))
    .map(({ sequence }) => `event ${sequence} of ${stored.length} was not delivered`)
}

/** Every attempt is of a stored event. */
function checkIdentity(stored: DirectoryRecord['stored'], attempts: readonly Attempt[]): string[] {
  if (stored === undefined) return []
  return attempts
    .filter(({ sequence, eventId }) => stored[sequence - 1]?.id !== eventId)
    .map(
      ({ sequence, eventId }) => `${eventId} was sent as event ${sequence}, which is another event or does not exist`,
    )
}

function checkDirectoryIds(id: string, attempts: readonly Attempt[]): string[] {
  return attempts
    .filter(({ directoryId }) => directoryId !== id)
    .map(({ directoryId }) => `got an event of directory ${directoryId}`)
}

/** No event is sent before its predecessor was accepted; accepted events may be repeated. */
function checkOrder(attempts: readonly Attempt[]): string[] {
  const acceptedAt = new Map<number, number>([[0, Number.NEGATIVE_INFINITY]])
  for (const { sequence, endedAt, isAccepted } of attempts) {
    if (isAccepted) acceptedAt.set(sequence, Math.min(endedAt, acceptedAt.get(sequence) ?? Number.POSITIVE_INFINITY))
  }
  return attempts
    .filter(({ sequence, arrivedAt }) => (acceptedAt.get(sequence - 1) ?? Number.POSITIVE_INFINITY) > arrivedAt)
    .map(
      ({ sequence, process }) => `event ${sequence} was sent by process ${process} before ${sequence - 1} was accepted`,
    )
}

/** Every acknowledged change has an event. */
function checkAcknowledged(acknowledged: readonly string[], attempts: readonly Attempt[]): string[] {
  const received = new Set(attempts.filter(({ isAccepted }) => isAccepted).map(({ change }) => change))
  return acknowledged
    .filter((change) => !received.has(change))
    .map((change) => `acknowledged and never received: ${change}`)
}

/** For this long after a suspended process continues, its one request in flight may still arrive. */
const lateMs = 2_000

/**
 * No two attempts are in flight at the same time, except for one that a suspended process had begun, per suspension.
 */
function checkOverlaps(attempts: readonly Attempt[], stops: readonly Stop[]) {
  const excused = new Map<Stop, Attempt>()
  const violations: string[] = []
  for (const [one, other] of overlapsOf(attempts)) {
    const isExcused = [one, other].some((attempt) =>
      stops.some((stop) => {
        if (!isLate(attempt, stop) || (excused.get(stop) ?? attempt) !== attempt) return false
        excused.set(stop, attempt)
        return true
      }),
    )
    if (!isExcused) violations.push(`${nameOf(one)} and ${nameOf(other)} were in flight at the same time`)
  }
  return { violations, late: excused.size }
}

function isLate({ process, arrivedAt, endedAt }: Attempt, stop: Stop): boolean {
  return process === stop.process && endedAt > stop.from && arrivedAt < stop.to + lateMs
}

/** Pairs of attempts that were in flight at the same time and both accepted. */
function overlapsOf(attempts: readonly Attempt[]): [Attempt, Attempt][] {
  const accepted = attempts.filter(({ isAccepted }) => isAccepted)
  return accepted.flatMap((one, index) => {
    const overlapping: [Attempt, Attempt][] = []
    for (let next = index + 1; (accepted[next]?.arrivedAt ?? Number.POSITIVE_INFINITY) < one.endedAt; next += 1) {
      const other = accepted[next]
      if (other !== undefined) overlapping.push([one, other])
    }
    return overlapping
  })
}

function nameOf({ sequence, process }: Attempt): string {
  return `event ${sequence} by process ${process}`
}

function countRepeats(attempts: readonly Attempt[]): number {
  const acceptedAt = new Map<number, number>()
  let repeats = 0
  for (const { sequence, arrivedAt, endedAt, isAccepted } of attempts) {
    if ((acceptedAt.get(sequence) ?? Number.POSITIVE_INFINITY) <= arrivedAt) repeats += 1
    if (isAccepted) acceptedAt.set(sequence, Math.min(endedAt, acceptedAt.get(sequence) ?? Number.POSITIVE_INFINITY))
  }
  return repeats
}
