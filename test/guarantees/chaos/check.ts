import type { Attempt } from './attempt.ts'
import type { Stop } from './fleet.ts'

/** What one directory has made and what its endpoint has seen. */
export interface DirectoryRecord {
  readonly id: string
  /** Its events as they are in the database at the end, in order. */
  readonly stored: readonly { readonly sequence: number; readonly id: string }[]
  readonly attempts: readonly Attempt[]
  /** What its identity provider was told is done: see `facts.ts`. */
  readonly acknowledged: readonly string[]
}

/** What was found in a directory. */
export interface Finding {
  /** Sentences that say what was promised and not kept. */
  readonly violations: readonly string[]
  /** Attempts to send what had been taken before. */
  readonly repeats: number
  /** Attempts of a process that had been held, while another was sending already. */
  readonly late: number
}

/** Checks what is promised of the deliveries of one directory. Pure. */
export function checkDirectory(record: DirectoryRecord, stops: readonly Stop[]): Finding {
  const attempts = record.attempts.toSorted((one, other) => one.arrivedAt - other.arrivedAt)
  const overlaps = checkOverlaps(attempts, stops)
  return {
    violations: [
      ...checkSequence(record.stored),
      ...checkDelivered(record.stored, attempts),
      ...checkOrder(attempts),
      ...checkAcknowledged(record.acknowledged, attempts),
      ...attempts
        .filter(({ directoryId }) => directoryId !== record.id)
        .map(({ directoryId }) => `got an event of directory ${directoryId}`),
      ...overlaps.violations,
    ].map((violation) => `${record.id}: ${violation}`),
    repeats: countRepeats(attempts),
    late: overlaps.late,
  }
}

/** Sequence numbers are 1, 2, 3 … */
function checkSequence(stored: DirectoryRecord['stored']): string[] {
  return stored
    .filter(({ sequence }, index) => sequence !== index + 1)
    .map(({ sequence }) => `event ${sequence} does not follow the one before it`)
}

/** Every event was taken at least once, and nothing that there is not. */
function checkDelivered(stored: DirectoryRecord['stored'], attempts: readonly Attempt[]): string[] {
  const taken = new Set(attempts.filter(({ isTaken }) => isTaken).map(({ sequence }) => sequence))
  return [
    ...stored
      .filter(({ sequence }) => !taken.has(sequence))
      .map(({ sequence }) => `event ${sequence} of ${stored.length} was not delivered`),
    ...attempts
      .filter(({ sequence, eventId }) => stored[sequence - 1]?.id !== eventId)
      .map(({ sequence, eventId }) => `${eventId} was sent as event ${sequence}, which is another or is not there`),
  ]
}

/** No event is sent before its predecessor was answered with 2xx; what was taken may come again. */
function checkOrder(attempts: readonly Attempt[]): string[] {
  const takenAt = new Map<number, number>([[0, Number.NEGATIVE_INFINITY]])
  for (const { sequence, endedAt, isTaken } of attempts) {
    if (isTaken) takenAt.set(sequence, Math.min(endedAt, takenAt.get(sequence) ?? Number.POSITIVE_INFINITY))
  }
  return attempts
    .filter(({ sequence, arrivedAt }) => (takenAt.get(sequence - 1) ?? Number.POSITIVE_INFINITY) > arrivedAt)
    .map(({ sequence, process }) => `event ${sequence} was sent by process ${process} before ${sequence - 1} was taken`)
}

/** What was acknowledged has an event. */
function checkAcknowledged(acknowledged: readonly string[], attempts: readonly Attempt[]): string[] {
  const told = new Set(attempts.filter(({ isTaken }) => isTaken).map(({ fact }) => fact))
  return acknowledged.filter((fact) => !told.has(fact)).map((fact) => `acknowledged and never received: ${fact}`)
}

/** A held process may find its one request in flight, and nothing more, once it runs again. */
const lateMs = 2_000

/** No two attempts are in flight at the same time, but for what a held process had begun: one of each stop. */
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

/** Pairs that were in flight at the same time and both taken. */
function overlapsOf(attempts: readonly Attempt[]): [Attempt, Attempt][] {
  const taken = attempts.filter(({ isTaken }) => isTaken)
  return taken.flatMap((one, index) => {
    const overlapping: [Attempt, Attempt][] = []
    for (let next = index + 1; (taken[next]?.arrivedAt ?? Number.POSITIVE_INFINITY) < one.endedAt; next += 1) {
      const other = taken[next]
      if (other !== undefined) overlapping.push([one, other])
    }
    return overlapping
  })
}

function nameOf({ sequence, process }: Attempt): string {
  return `event ${sequence} by process ${process}`
}

function countRepeats(attempts: readonly Attempt[]): number {
  const takenAt = new Map<number, number>()
  let repeats = 0
  for (const { sequence, arrivedAt, endedAt, isTaken } of attempts) {
    if ((takenAt.get(sequence) ?? Number.POSITIVE_INFINITY) <= arrivedAt) repeats += 1
    if (isTaken) takenAt.set(sequence, Math.min(endedAt, takenAt.get(sequence) ?? Number.POSITIVE_INFINITY))
  }
  return repeats
}
