/** The number of removals of users, or of memberships, above which their events are held. */
export interface RemovalLimit {
  /** Percentage of the highest number within the window, from 0 to 100; 100 means no limit. */
  readonly percent: number
  /** Number of removals within the window that are never held. */
  readonly minimum: number
  readonly windowSeconds: number
}

/** The default of the settings. */
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

/** The minimum and maximum of each field. */
export const removalLimitRanges = {
  percent: { minimum: 0, maximum: 100 },
  minimum: { minimum: 0, maximum: 1_000_000 },
  window_seconds: { minimum: 1, maximum: 604_800 },
} as const

/**
 * The two kinds of removals, counted separately: users who were deleted or became inactive, and memberships that ended.
 */
export const removalKinds = ['users', 'memberships'] as const

export type RemovalKind = (typeof removalKinds)[number]

/** The removals of a part of the window. */
export interface RemovalBucket {
  /** Time of the first of them, in Unix milliseconds. */
  readonly from: number
  /**
   * Position of the first of them: the sequence number of its event plus the number of discarded events, which is never
   * reused.
   */
  readonly position: number
  readonly removals: number
  /** The highest number of active users, or memberships, before one of them. */
  readonly highest: number
}

/** The removals of a directory that count, oldest first. */
export type RemovalWindow = readonly RemovalBucket[]

/** Consecutive removals in a commit. */
export interface RemovalRun {
  /** The sequence number of the first event about them. */
  readonly sequence: number
  readonly removals: number
  /** Whether each removal has its own event; otherwise one event is about all of them. */
  readonly hasEventEach: boolean
  /** The number of active users, or memberships, before the first of them. */
  readonly before: number
  /**
   * The positions of earlier removals that no longer count, because the user or membership came back or is removed
   * again by this run.
   */
  readonly undone?: readonly number[]
}

/** The run of a change that only restores users or memberships. */
export function returnRun(undone: readonly number[]): RemovalRun {
  return { sequence: 0, removals: 0, hasEventEach: false, before: 0, undone }
}

/** The state of a directory that affects the count of removals. */
export interface CountedDirectory {
  /** The number of discarded events: a position is a sequence number plus this number. */
  readonly discardedEvents: number
  /** While the directory is held, removals do not expire. */
  readonly isHeld: boolean
}

/** The removals of a directory after a commit. */
export interface CountedRemovals {
  /** While the directory is held, the last bucket has the held removals. */
  readonly window: RemovalWindow
  /** The number of removals that count. */
  readonly removals: number
  /** The highest number of active users, or memberships, within the window. */
  readonly highest: number
  /**
   * The sequence number of the first event about a removal that exceeds the limit; undefined if it was exceeded before.
   */
  readonly exceededAt: number | undefined
}

/** The window moves in steps of this fraction, which is also the maximum number of buckets of a directory. */
const bucketsPerWindow = 60

/**
 * Counts the removals of a commit. A removal exceeds the limit when more than `minimum` removals, and more than
 * `percent` of the highest number within the window, were made within the window. Older removals do not count; with
 * them, those of the last sixtieth of the window may be left out. Undone removals do not count either.
 *
 * @param at time of the commit, in Unix milliseconds
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

/** The number of removals that are not held if there were at most `highest` active users, or memberships. */
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

/** @param allowed the number of further removals within the limit; negative when it is already exceeded */
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
  /** A bucket gets no more removals when it is older than this. */
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
