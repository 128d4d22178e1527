import type { ScimDirectory } from '../workload/scim-calls.ts'

/** A directory to seed: users `seed.1@example.com` and so on, and one group. */
export interface SeedPlan {
  readonly users: number
  readonly members: number
  /** Every n-th user is a member. */
  readonly memberStep: number
  /** The number of further groups of the first user; undefined: none. */
  readonly groupsOfFirst?: number
  /** Whether the directory is to be copied: its names begin with `copiedPrefix`, and some requests are in its log. */
  readonly isCopied?: boolean
}

/** A seeded directory. */
export interface Seeded extends ScimDirectory {
  readonly users: number
  readonly groupId: string
}

export const seedPrefix = 'seed'

/** The beginning of what a directory that is copied is called, with its users. */
export const copiedPrefix = 'seed00'
/** The beginning that replaces it in a copy. */
export const copyPrefix = (number: number): string => `u${String(number).padStart(5, '0')}`

/** The beginning of the ids of seeded resources. */
export const seededIds = '01900000-'

/** The id of a seeded resource: users are numbered from 1, the group is 0. Sorts like UUIDv7. */
export function seededId(directory: number, number: number): string {
  return `${seededIds}0000-7000-8${hex(directory, 3)}-${hex(number, 12)}`
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}
