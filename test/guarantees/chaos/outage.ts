import type { Attempt } from './attempt.ts'

/**
 * The longest time, in milliseconds, that a directory had something to deliver and nothing was taken for the first time.
 * Pure.
 */
export function longestOutageMs(attempts: readonly Attempt[]): number {
  const firsts = new Map<number, Attempt>()
  for (const attempt of attempts.filter(({ isTaken }) => isTaken)) {
    const known = firsts.get(attempt.sequence)
    if (known === undefined || attempt.endedAt < known.endedAt) firsts.set(attempt.sequence, attempt)
  }
  let [longest, takenAt] = [0, 0]
  for (const { createdAt, endedAt } of [...firsts.values()].sort((one, other) => one.sequence - other.sequence)) {
    longest = Math.max(longest, endedAt - Math.max(createdAt, takenAt))
    takenAt = endedAt
  }
  return longest
}
