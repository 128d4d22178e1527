import type { JsonObject } from '../../../scim/json.ts'
import type {
  OnUnreadable,
  PolisDirectory,
  PolisFilter,
  PolisGroup,
  PolisRecordKind,
  PolisScope,
  PolisSource,
  PolisUser,
} from '../source.ts'
import type { OpenValue } from './encryption.ts'
import { indexKey, namespaceOf, namespaces, recordKey } from './keys.ts'
import { findProblems } from './problems.ts'
import type { PolisPage, PolisRecordStore, PolisRow } from './record-store.ts'
import { rowsOf } from './record-store.ts'
import {
  isInFilter,
  parseDirectory,
  parseGroup,
  parseMember,
  parseQueuedEvent,
  parseSetupLink,
  parseUser,
} from './records.ts'

const recordNamespaces = {
  directory: () => namespaces.directories,
  user: ({ tenant, product }) => namespaceOf('users', tenant, product),
  group: ({ tenant, product }) => namespaceOf('groups', tenant, product),
  'setup-link': () => namespaces.setupLinks,
} as const satisfies Record<PolisRecordKind, (scope: PolisScope) => string>

/**
 * Reads a Polis from its database. Only its index says which directory a user or a group belongs to: a PUT drops the
 * directory's id from the record of a user, and groups never have it.
 *
 * Records that cannot be opened are left out of the lists; `problems` names them.
 */
export function createDatabaseSource(store: PolisRecordStore, open: OpenValue): PolisSource {
  async function* records<T>(
    readPage: (from: string | undefined) => Promise<PolisPage>,
    parse: (record: JsonObject, row: PolisRow) => T | undefined,
    onUnreadable: OnUnreadable = () => {},
  ): AsyncGenerator<T, void> {
    for await (const row of rowsOf(readPage)) {
      const record = open(row)
      const parsed = record && parse(record, row)
      if (parsed === undefined) onUnreadable(row.key)
      else yield parsed
    }
  }

  /** Reads what the index assigns to a directory. */
  function ofDirectory<T>(
    kind: 'users' | 'groups',
    { id, tenant, product }: PolisDirectory,
    parse: (record: JsonObject, createdAt: number | undefined) => T | undefined,
    onUnreadable: OnUnreadable | undefined,
  ) {
    const key = indexKey(namespaceOf(kind, tenant, product), 'directoryId', id)
    return records(
      (from) => store.readIndex(key, from),
      (record, { createdAt }) => parse(record, createdAt),
      onUnreadable,
    )
  }

  async function* directories(filter: PolisFilter, onUnreadable?: OnUnreadable): AsyncGenerator<PolisDirectory, void> {
    const all = records((from) => store.readNamespace(namespaces.directories, from), parseDirectory, onUnreadable)
    for await (const directory of all) if (isInFilter(filter, directory)) yield directory
  }

  return {
    directories,
    users: (directory, onUnreadable): AsyncIterable<PolisUser> =>
      ofDirectory('users', directory, parseUser, onUnreadable),
    groups: (directory, onUnreadable): AsyncIterable<PolisGroup> =>
      ofDirectory('groups', directory, parseGroup, onUnreadable),
    async *members({ tenant, product }, groupId, onUnreadable) {
      const key = indexKey(namespaceOf('members', tenant, product), 'groupId', groupId)
      const members = records((from) => store.readIndex(key, from), parseMember, onUnreadable)
      for await (const { userId } of members) yield userId
    },
    async *setupLinks(filter, onUnreadable) {
      const all = records((from) => store.readNamespace(namespaces.setupLinks, from), parseSetupLink, onUnreadable)
      for await (const link of all) if (isInFilter(filter, link) && link.service === 'dsync') yield link
    },
    async *queuedEvents(filter) {
      for await (const { id } of directories(filter)) {
        const key = indexKey(namespaces.events, 'directoryId', id)
        yield* records(
          (from) => store.readIndex(key, from),
          (record, { createdAt }) => parseQueuedEvent(record, createdAt),
        )
      }
    },
    problems: (filter) => findProblems(store, open, filter),
    async existing(kind, scope, ids) {
      const namespace = recordNamespaces[kind](scope)
      const keys = new Map(ids.map((id) => [recordKey(namespace, id), id]))
      const found = await store.findExisting([...keys.keys()])
      return new Set([...found].flatMap((key) => keys.get(key) ?? []))
    },
    close: () => store.close(),
  }
}
