import type { DeletedFakeUser, FakeGroup, FakeMember, FakeUser, GroupRefusal } from './items.ts'

/** The content of a customer's Workspace. */
export interface WorkspaceState {
  readonly customerId: string
  /** In lower case. */
  readonly domains: Set<string>
  readonly users: Map<string, FakeUser>
  readonly deletedUsers: Map<string, DeletedFakeUser>
  readonly groups: Map<string, FakeGroup>
  /** By group id, then member id. */
  readonly members: Map<string, Map<string, FakeMember>>
  readonly refusals: Map<string, GroupRefusal>
  readonly addresses: Addresses
  readonly ids: FakeIds
  readonly now: () => number
  /** The number of changes so far. */
  changes: number
}

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

/** @throws Error if there is none */
export function existing<T>(items: ReadonlyMap<string, T>, id: string): T {
  const item = items.get(id)
  if (item === undefined) throw new Error(`the fake Workspace has no ${id}`)
  return item
}

/** The owners of email addresses. Each address belongs to one user or group; case is ignored. */
export interface Addresses {
  ownerOf(address: string): string | undefined
  /** @throws Error if it belongs to another */
  claim(address: string, ownerId: string): void
  release(address: string): void
}

export function createAddresses(): Addresses {
  const owners = new Map<string, string>()
  return {
    ownerOf: (address) => owners.get(address.toLowerCase()),
    claim(address, ownerId) {
      const owner = owners.get(address.toLowerCase())
      if (owner !== undefined && owner !== ownerId) throw new Error(`the address ${address} is already taken`)
      owners.set(address.toLowerCase(), ownerId)
    },
    release(address) {
      owners.delete(address.toLowerCase())
    },
  }
}

/** Ids that look like Google's. They are not sequential, so a new item can sort before an old one. */
export interface FakeIds {
  /** 21 digits, which exceeds the precision of a number. */
  nextUserId(): string
  nextGroupId(): string
}

const users = 1_000_000_007
const groups = 60_466_176

/** Generates the same sequence every time. */
export function createFakeIds(): FakeIds {
  let madeUsers = 0
  let madeGroups = 0
  return {
    nextUserId() {
      madeUsers += 1
      const scattered = (madeUsers * 618_033_989) % users
      return `1${String(scattered).padStart(10, '0')}${String(madeUsers).padStart(10, '0')}`
    },
    nextGroupId() {
      madeGroups += 1
      const scattered = (madeGroups * 37_370_857) % groups
      return `0${scattered.toString(36).padStart(5, '0')}${madeGroups.toString(36).padStart(8, '0')}`
    },
  }
}
