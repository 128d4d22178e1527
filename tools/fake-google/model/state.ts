import type { Addresses } from './addresses.ts'
import { createAddresses } from './addresses.ts'
import type { FakeIds } from './ids.ts'
import { createFakeIds } from './ids.ts'
import type { DeletedFakeUser, FakeGroup, FakeMember, FakeUser, GroupRefusal } from './items.ts'

/** All that a customer's Workspace holds. */
export interface WorkspaceState {
  readonly customerId: string
  /** In lower case. */
  readonly domains: Set<string>
  readonly users: Map<string, FakeUser>
  readonly deletedUsers: Map<string, DeletedFakeUser>
  readonly groups: Map<string, FakeGroup>
  /** By the group's id, then the member's. */
  readonly members: Map<string, Map<string, FakeMember>>
  readonly refusals: Map<string, GroupRefusal>
  readonly addresses: Addresses
  readonly ids: FakeIds
  readonly now: () => number
  /** Counts the changes. */
  changes: number
}

/** A Workspace without users and groups. */
export function emptyState(customerId: string, domains: readonly string[], now: () => number): WorkspaceState {
  return {
    customerId,
    domains: new Set(domains.map((domain) => domain.toLowerCase())),
    users: new Map(),
    deletedUsers: new Map(),
    groups: new Map(),
    members: new Map(),
    refusals: new Map(),
    addresses: createAddresses(),
    ids: createFakeIds(),
    now,
    changes: 0,
  }
}

/** @throws Error when there is none */
export function existing<T>(items: ReadonlyMap<string, T>, id: string): T {
  const item = items.get(id)
  if (item === undefined) throw new Error(`the fake Workspace has no ${id}`)
  return item
}
