/** When removals of users, or of memberships, are too many at once: their events are then held. */
export interface RemovalLimit {
  /** Of the highest number within the window, from 0 to 100; 100 is no limit. */
  readonly percent: number
  /** This many removals within the window are never held. */
  readonly minimum: number
  readonly windowSeconds: number
}

/** The limit of the settings, unless they set another one. */
export const defaultRemovalLimit: RemovalLimit = { percent: 30, minimum: 20, windowSeconds: 3600 }

/** A limit that nothing exceeds. */
export const unlimited: RemovalLimit = { percent: 100, minimum: 0, windowSeconds: 3600 }

/** The limit of a directory: its own, or that of the settings; null is none. */
export function limitOf(
  { removalLimit }: { readonly removalLimit?: RemovalLimit | null | undefined },
  ofSettings: RemovalLimit | null,
): RemovalLimit | null {
  return removalLimit === undefined ? ofSettings : removalLimit
}

/** A limit as the API returns it. */
export interface RemovalLimitView {
  readonly percent: number
  readonly minimum: number
  readonly window_seconds: number
}

export function removalLimitView({ percent, minimum, windowSeconds }: RemovalLimit): RemovalLimitView {
  return { percent, minimum, window_seconds: windowSeconds }
}

/** A limit with some fields set, in the API's field names; the others are those of the settings. */
export function parseRemovalLimit(
  { percent, minimum, window_seconds: windowSeconds }: Partial<RemovalLimitView>,
  ofSettings: RemovalLimit,
): RemovalLimit {
  return {
    percent: percent ?? ofSettings.percent,
    minimum: minimum ?? ofSettings.minimum,
    windowSeconds: windowSeconds ?? ofSettings.windowSeconds,
  }
}

/** The least and the most that each field of a limit may be. */
export const removalLimitRanges = {
  percent: { minimum: 0, maximum: 100 },
  minimum: { minimum: 0, maximum: 1_000_000 },
  window_seconds: { minimum: 1, maximum: 604_800 },
} as const

/** What is counted, each by itself: users who were deleted or became inactive, and memberships that ended. */
export const removalKinds = ['users', 'memberships'] as const

export type RemovalKind = (typeof removalKinds)[number]

/** The removals of a part of the window. */
export interface RemovalBucket {
  /** When the first of them was made, in Unix milliseconds. */
  readonly from: number
  /** Of the first of them: the sequence number of its event and the number of discarded events, which is never used again. */
  readonly position: number
  readonly removals: number
  /** The most active users, or memberships, that there were before one of them. */
  readonly highest: number
}

/** The removals of a directory that count, oldest first. */
export type RemovalWindow = readonly RemovalBucket[]

/** Removals that follow each other in a commit. */
export interface RemovalRun {
  /** The sequence number of the first event about them. */
  readonly sequence: number
  readonly removals: number
  /** Whether each has an event of its own; otherwise one event is about all of them. */
  readonly hasEventEach: boolean
  /** How many active users, or memberships, there were before the first of them. */
  readonly before: number
  /** The positions of earlier removals that no longer count: of what came back, or is removed once more by this run. */
  readonly undone?: readonly number[]
}

/** The run of a change that only brings back what was removed. */
export function returnRun(undone: readonly number[]): RemovalRun {
  return { sequence: 0, removals: 0, hasEventEach: false, before: 0, undone }
}

/** What decides how removals are counted, besides the limit. */
export interface CountedDirectory {
  /** How many events were discarded: a position is a sequence number and this number. */
  readonly discardedEvents: number
  /** While the directory is held, no removal becomes too old to count. */
  readonly isHeld: boolean
}

/** The removals of a directory after a commit. */
export interface CountedRemovals {
  /** When the directory is held, its last bucket has the held removals. */
  readonly window: RemovalWindow
  /** How many removals count. */
  readonly removals: number
  /** The highest number of active users, or memberships, within the window. */
  readonly highest: number
  /** The sequence number of the first event about a removal that exceeds the limit; undefined if it was exceeded before. */
  readonly exceededAt: number | undefined
}

/** The window moves in steps of this part of it, so that a directory has as many buckets at most. */
const bucketsPerWindow = 60

/**
 * Counts the removals of a commit. A removal exceeds the limit when more than `minimum`, and more than `percent` of the
 * highest number within the window, were made within the window. Removals that are older than the window do not count; those
 * of the last sixtieth of it are the first to be left out. Nor do those count that are undone.
 *
 * @param at when the commit was made, in Unix milliseconds
 */
export function countRemovals(
  stored: RemovalWindow,
  runs: readonly RemovalRun[],
  limit: RemovalLimit,
  at: number,
  { discardedEvents, isHeld }: CountedDirectory,
): CountedRemovals {
  const windowMs = limit.windowSeconds * 1000
  let window = isHeld ? stored : stored.filter(({ from }) => from > at - windowMs)
  let exceededAt: number | undefined
  for (const run of runs) {
    window = withoutUndone(window, run.undone)
    if (run.removals === 0) continue
    const counting = isHeld || exceededAt !== undefined
    const bucketMs = counting ? Number.POSITIVE_INFINITY : windowMs / bucketsPerWindow
    const { removals, highest } = sumOf(window)
    const allowed = allowedRemovals(limit, Math.max(highest, run.before)) - removals
    const exceeding = counting ? undefined : exceedingEvent(run, allowed)
    const [sent, rest] = splitRun(run, exceeding)
    window = withRun(window, sent, { at, bucketMs, discardedEvents })
    window = withRun(window, rest, { at, bucketMs: Number.NEGATIVE_INFINITY, discardedEvents })
    exceededAt ??= exceeding
  }
  return { window, ...sumOf(window), exceededAt }
}

/** The removals of a window that still count at a time, and the highest number within it. */
export function removalsWithin(window: RemovalWindow, { windowSeconds }: RemovalLimit, at: number) {
  return sumOf(window.filter(({ from }) => from > at - windowSeconds * 1000))
}

/** How many removals are not held where there were at most `highest` active users, or memberships. */
export function allowedRemovals({ percent, minimum }: RemovalLimit, highest: number): number {
  return percent >= 100 ? Number.POSITIVE_INFINITY : Math.max(minimum, Math.floor((percent * highest) / 100))
}

function sumOf(window: RemovalWindow): { removals: number; highest: number } {
  return {
    removals: window.reduce((sum, bucket) => sum + bucket.removals, 0),
    highest: window.reduce((most, bucket) => Math.max(most, bucket.highest), 0),
  }
}

/** A removal that is older than the window is in none of its buckets. */
function withoutUndone(window: RemovalWindow, undone: readonly number[] = []): RemovalWindow {
  if (undone.length === 0) return window
  const left = window.map(({ removals }) => removals)
  for (const position of undone) {
    const index = window.findLastIndex((bucket) => bucket.position <= position)
    if (index >= 0) left[index] = Math.max(0, (left[index] ?? 0) - 1)
  }
  return window.map((bucket, index) => ({ ...bucket, removals: left[index] ?? 0 }))
}

/** @param allowed how many more removals do not exceed the limit; negative when it is exceeded already */
function exceedingEvent({ sequence, removals, hasEventEach }: RemovalRun, allowed: number): number | undefined {
  const left = Math.max(0, allowed)
  if (removals <= left) return undefined
  return hasEventEach ? sequence + left : sequence
}

/** Splits a run before an event. */
function splitRun(run: RemovalRun, sequence: number | undefined): [before: RemovalRun, rest: RemovalRun] {
  const removals = sequence === undefined ? run.removals : sequence - run.sequence
  return [
    { ...run, removals },
    { ...run, sequence: run.sequence + removals, removals: run.removals - removals },
  ]
}

interface BucketChoice {
  readonly at: number
  /** A bucket that began this long ago gets no more removals. */
  readonly bucketMs: number
  readonly discardedEvents: number
}

function withRun(
  window: RemovalWindow,
  { sequence, removals, before }: RemovalRun,
  { at, bucketMs, discardedEvents }: BucketChoice,
): RemovalWindow {
  if (removals === 0) return window
  const last = window.at(-1)
  if (last === undefined || last.from <= at - bucketMs) {
    return [...window, { from: at, position: sequence + discardedEvents, removals, highest: before }]
  }
  const sum = { ...last, removals: last.removals + removals, highest: Math.max(last.highest, before) }
  return [...window.slice(0, -1), sum]
}
