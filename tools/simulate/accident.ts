import type { LinkedUser } from './dialect.ts'
import { membersOf } from './people/team.ts'

/** The mistakes of administrators that can be simulated. */
export const accidents = ['unassign-all', 'wrong-group'] as const

export type Accident = (typeof accidents)[number]

export function isAccident(text: string): text is Accident {
  return accidents.some((accident) => accident === text)
}

/**
 * The users who lose access: all of them when the application is unassigned, or all except the members of the first
 * team when it is assigned to that team's group instead of to everybody.
 */
export function victimsOf(accident: Accident, users: readonly LinkedUser[], groups: number): LinkedUser[] {
  if (accident === 'unassign-all' || groups === 0) return [...users]
  const assigned = new Set(membersOf(users, 0, groups).map(({ id }) => id))
  return users.filter(({ id }) => !assigned.has(id))
}
