import type { Attempt } from './attempt.ts'

/**
 * The longest time, in milliseconds, for which a directory had undelivered events and none of them was accepted.
 */
export function longestOutageMs(attempts: readonly Attempt[]): number {
  const firsts = new Map<number, Attempt>()
  for (const attempt of attempts.filter(({ isAccepted }) => isAccepted)) {
    const known = firsts.get(attempt.sequence)
    if (known === undefined || attempt.endedAt < known.endedAt) firsts.set(attempt.sequence, attempt)
  }
  let [longest, acceptedAt] = [0, 0]
  for (const { createdAt, endedAt } of [...firsts.values()].sort((one, other) => one.sequence - other.sequence)) {
    longest = Math.max(longest, endedAt - Math.max(createdAt, acceptedAt))
    acceptedAt = endedAt
  }
  return longest
}
