import type { ScimDirectory } from '../workload/scim-calls.ts'

/** A directory to seed: users `seed.1@example.com` and so on, and one group. */
export interface SeedPlan {
  readonly users: number
  readonly members: number
  /** Every n-th user is a member. */
  readonly memberStep: number
  /** The number of further groups of the first user; undefined: none. */
  readonly groupsOfFirst?: number
  /** How many such directories are made, spread over products, with different userNames; undefined: one. */
  readonly copies?: { readonly directories: number; readonly products: number }
}

/** A seeded directory. */
export interface Seeded extends ScimDirectory {
  readonly users: number
  readonly groupId: string
}

export const seedPrefix = 'seed'

/** The id of a seeded resource: users are numbered from 1, the group is 0. Sorts like UUIDv7. */
export function seededId(directory: number, number: number): string {
  return `01900000-0000-7000-8${hex(directory, 3)}-${hex(number, 12)}`
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}
