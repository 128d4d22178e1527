import { recordKey } from '../../../../src/polis/import/source/keys.ts'
import type {
  OnUnreadable,
  PolisDirectory,
  PolisFilter,
  PolisGroup,
  PolisProblem,
  PolisQueuedEvent,
  PolisSetupLink,
  PolisSource,
  PolisUser,
} from '../../../../src/polis/import/source.ts'

/** A directory of Polis with everything in it. */
export interface PolisContents {
  directory: PolisDirectory
  users: PolisUser[]
  groups: PolisGroup[]
  /** By group. */
  members: Map<string, string[]>
}

/** What a Polis holds, in memory: for cases that its library does not produce. */
export interface MemoryPolis {
  readonly contents: PolisContents[]
  readonly setupLinks: PolisSetupLink[]
  readonly queuedEvents: PolisQueuedEvent[]
  readonly problems: PolisProblem[]
  /** The ids of records that cannot be read; memberships by `<group>:<member>`. */
  readonly unreadable: Set<string>
  /** The ids of records that no list shows. */
  readonly unlisted: Set<string>
}

export function emptyPolis(): MemoryPolis {
  return { contents: [], setupLinks: [], queuedEvents: [], problems: [], unreadable: new Set(), unlisted: new Set() }
}

/** @param onRead called before each record is read */
export function memorySource(polis: MemoryPolis, onRead: () => Promise<void> | void = () => {}): PolisSource {
  async function* each<T>(
    records: readonly T[],
    onUnreadable: OnUnreadable = () => {},
    idOf: (record: T) => string = () => '',
  ): AsyncGenerator<T> {
    for (const record of records) {
      await onRead()
      if (polis.unlisted.has(idOf(record))) continue
      if (polis.unreadable.has(idOf(record))) onUnreadable(recordKey('of-the-kind', idOf(record)))
      else yield record
    }
  }
  const idOf = ({ id }: { readonly id: string }) => id
  const isMeant = (one: { tenant?: string | undefined; product?: string | undefined }, filter: PolisFilter) =>
    (filter.tenant ?? one.tenant) === one.tenant && (filter.product ?? one.product) === one.product
  const of = ({ id }: PolisDirectory) => polis.contents.find(({ directory }) => directory.id === id)
  return {
    directories: (filter, onUnreadable) =>
      each(
        polis.contents.map(({ directory }) => directory).filter((directory) => isMeant(directory, filter)),
        onUnreadable,
        idOf,
      ),
    users: (directory, onUnreadable) => each(of(directory)?.users ?? [], onUnreadable, idOf),
    groups: (directory, onUnreadable) => each(of(directory)?.groups ?? [], onUnreadable, idOf),
    members: (directory, groupId, onUnreadable) =>
      each(of(directory)?.members.get(groupId) ?? [], onUnreadable, (member) => `${groupId}:${member}`),
    setupLinks: (filter, onUnreadable) =>
      each(
        polis.setupLinks.filter((link) => isMeant(link, filter)),
        onUnreadable,
        ({ setupID }) => setupID,
      ),
    queuedEvents: () => each(polis.queuedEvents),
    problems: () => each(polis.problems),
    async existing(kind, scope, ids) {
      const contents = polis.contents.find(({ directory }) => directory.id === scope.id)
      const records = {
        directory: () => polis.contents.map(({ directory }) => directory.id),
        user: () => contents?.users.map(idOf) ?? [],
        group: () => contents?.groups.map(idOf) ?? [],
        'setup-link': () => polis.setupLinks.map(({ setupID }) => setupID),
      }[kind]()
      return new Set(ids.filter((id) => records.includes(id)))
    },
    close: async () => {},
  }
}

let numbered = 0

/** A directory without anything in it. */
export function someContents(given: Partial<PolisDirectory> = {}): PolisContents {
  numbered += 1
  const id = given.id ?? `7c1d5f0e-52b7-4a0c-9e0b-${String(numbered).padStart(12, '0')}`
  const directory: PolisDirectory = {
    ...{ id, name: `People ${numbered}`, tenant: 'northwind', product: 'helpdesk', type: 'okta-scim-v2' },
    ...{ log_webhook_events: false, deactivated: false, webhook: { endpoint: '', secret: '' } },
    scim: { path: `/api/scim/v2.0/${id}`, secret: `secret-of-22-chars-${String(numbered).padStart(3, '0')}` },
    ...given,
  }
  return { directory, users: [], groups: [], members: new Map() }
}

/** A user as Polis would store it. */
export function somePolisUser(name: string, given: Record<string, unknown> = {}): PolisUser {
  numbered += 1
  const id = `b1e6b7c2-0d8a-4f6e-8f7b-${String(numbered).padStart(12, '0')}`
  const email = `${name}@northwind.example`
  const raw = {
    ...{ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: name, active: true },
    ...{ name: { givenName: name }, emails: [{ value: email, primary: true }], groups: [], id },
    ...given,
  }
  return { id, email, first_name: name, last_name: '', active: true, raw, createdAt: 1_700_000_000_000 + numbered }
}

export function somePolisGroup(name: string): PolisGroup {
  numbered += 1
  const id = `e2a9d4f0-11aa-4c3b-9d52-${String(numbered).padStart(12, '0')}`
  const raw = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: name, members: [], id }
  return { id, name, raw, createdAt: 1_700_000_000_000 + numbered }
}
