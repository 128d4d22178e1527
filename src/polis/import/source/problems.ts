import type { JsonObject } from '../../../scim/json.ts'
import type { PolisFilter, PolisProblem } from '../source.ts'
import type { OpenValue } from './encryption.ts'
import { indexKey, namespaceOfKey, namespaces, recordKey } from './keys.ts'
import type { NamespacePattern, PolisRecordStore } from './record-store.ts'
import {
  isInFilter,
  parseDirectory,
  parseGroup,
  parseMember,
  parseQueuedEvent,
  parseSetupLink,
  parseUser,
  textOf,
} from './records.ts'

interface Search {
  readonly store: PolisRecordStore
  readonly open: OpenValue
  readonly filter: PolisFilter
}

/** A stored record; its content is undefined if it cannot be opened. */
interface Found {
  readonly key: string
  readonly content: JsonObject | undefined
}

/** Found records of one namespace, which ends with `<tenant>:<product>`. */
interface ScopedPage {
  readonly namespace: string
  readonly scope: string
  readonly found: readonly Found[]
}

/** The ids of the directories by `<tenant>:<product>`. */
type DirectoryIds = ReadonlyMap<string, readonly string[]>

/** Finds the records that no directory leads to, or that cannot be read, by one walk over all records of a filter. */
export async function* findProblems(
  store: PolisRecordStore,
  open: OpenValue,
  filter: PolisFilter,
): AsyncGenerator<PolisProblem, void> {
  const search = { store, open, filter }
  const directoryIds = new Map<string, string[]>()
  for await (const { key, content } of recordsOf(search, [namespaces.directories])) {
    const directory = content && parseDirectory(content)
    if (directory === undefined) yield { ...unreadable, record: 'directory', key }
    else addTo(directoryIds, `${directory.tenant}:${directory.product}`, directory.id)
  }
  yield* findResourceProblems(search, 'user', directoryIds)
  yield* findResourceProblems(search, 'group', directoryIds)
  yield* findMemberProblems(search, directoryIds)
  yield* findEventProblems(search, directoryIds)
  for await (const { key, content } of recordsOf(search, [namespaces.setupLinks])) {
    if (content === undefined || (textOf(content, 'service') === 'dsync' && parseSetupLink(content) === undefined)) {
      yield { ...unreadable, record: 'setup-link', key }
    }
  }
}

const unreadable = {
  kind: 'unreadable',
  reason: 'its content cannot be decrypted, or is not what Polis stores',
} as const

const resources = {
  user: {
    kind: 'users',
    nameIndex: 'directoryIdUsername',
    nameOf: (user: JsonObject) => parseUser(user, undefined)?.email,
  },
  group: {
    kind: 'groups',
    nameIndex: 'directoryIdDisplayname',
    nameOf: (group: JsonObject) => parseGroup(group, undefined)?.name,
  },
} as const

async function* findResourceProblems(
  search: Search,
  record: 'user' | 'group',
  directoryIds: DirectoryIds,
): AsyncGenerator<PolisProblem, void> {
  const { kind, nameIndex, nameOf } = resources[record]
  for await (const page of scopedPages(search, kind)) {
    const assigned = await findDirectories(search, page, directoryIds.get(page.scope) ?? [])
    const present = page.found.flatMap(({ key, content }) => {
      const [directoryId, name] = [assigned.get(key), content && nameOf(content)]
      if (directoryId === undefined || name === undefined) return []
      return [{ key, indexKey: indexKey(page.namespace, nameIndex, `${directoryId}:${name}`) }]
    })
    const currentKeys = new Set((await search.store.findEntries(present)).map(({ key }) => key))
    for (const { key, content } of page.found) {
      const about = { record, key, ...splitScope(page.scope) }
      const id = content && textOf(content, 'id')
      if (content === undefined || nameOf(content) === undefined) yield { ...unreadable, ...about }
      else if (!assigned.has(key)) {
        yield { kind: 'without-directory', ...about, id, reason: 'no index assigns it to a directory that exists' }
      } else if (!currentKeys.has(key)) {
        yield {
          kind: 'stale-index',
          ...about,
          id,
          reason: `the index ${nameIndex} does not have it under its present name`,
        }
      }
    }
  }
}

/** Finds the directories that the index assigns records to, by the keys of the records. */
async function findDirectories(
  { store }: Search,
  { namespace, found }: ScopedPage,
  directoryIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const assigned = new Map<string, string>()
  // A tenant rarely has more than one directory for a product.
  for (const id of directoryIds) {
    const key = indexKey(namespace, 'directoryId', id)
    const entries = await store.findEntries(found.map((record) => ({ indexKey: key, key: record.key })))
    for (const entry of entries) assigned.set(entry.key, id)
  }
  return assigned
}

/** Finds members that no group leads to. Members whose user was deleted are not among them. */
async function* findMemberProblems(search: Search, directoryIds: DirectoryIds): AsyncGenerator<PolisProblem, void> {
  for await (const { namespace, scope, found } of scopedPages(search, 'members')) {
    const parsed = found.map(({ key, content }) => ({ key, member: content && parseMember(content) }))
    const groupIds = [...new Set(parsed.flatMap(({ member }) => member?.groupId ?? []))]
    const groupKeyOf = (id: string) => recordKey(`${namespaces.groups}:${scope}`, id)
    const groups = await search.store.findExisting(groupIds.map(groupKeyOf))
    const indexed = await search.store.findEntries(
      parsed.flatMap(({ key, member }) =>
        member === undefined ? [] : [{ key, indexKey: indexKey(namespace, 'groupId', member.groupId) }],
      ),
    )
    const indexedKeys = new Set(indexed.map(({ key }) => key))
    for (const { key, member } of parsed) {
      const about = { record: 'member', key, ...splitScope(scope) } as const
      if (member === undefined) {
        yield { ...unreadable, ...about }
        continue
      }
      const { groupId, userId: id } = member
      if (directoryIds.has(scope) && groups.has(groupKeyOf(groupId)) && indexedKeys.has(key)) continue
      yield { kind: 'without-directory', ...about, id, reason: `no group leads to it: it names the group ${groupId}` }
    }
  }
}

/** Finds queued events that Polis would drop. */
async function* findEventProblems(search: Search, directoryIds: DirectoryIds): AsyncGenerator<PolisProblem, void> {
  const known = new Set([...directoryIds.values()].flat())
  for await (const { key, content } of recordsOf(search, [namespaces.events])) {
    const event = content && parseQueuedEvent(content, undefined)
    if (event === undefined) {
      yield { ...unreadable, record: 'event', key }
      continue
    }
    const { tenant, product, directory_id: directoryId } = event.payload
    const scope = { tenant: String(tenant), product: String(product) }
    if (known.has(String(directoryId)) || !isInFilter(search.filter, scope)) continue
    const reason = `its directory ${String(directoryId)} does not exist`
    yield { kind: 'without-directory', record: 'event', key, ...scope, id: event.id, reason }
  }
}

async function* pagesOf({ store, open }: Search, pattern: NamespacePattern): AsyncGenerator<readonly Found[], void> {
  let from: string | undefined
  do {
    const { rows, next } = await store.walk(pattern, from)
    yield rows.map((row) => ({ key: row.key, content: open(row) }))
    from = next
  } while (from !== undefined)
}

async function* recordsOf(search: Search, pattern: NamespacePattern): AsyncGenerator<Found, void> {
  for await (const page of pagesOf(search, pattern)) yield* page
}

async function* scopedPages(search: Search, kind: 'users' | 'groups' | 'members'): AsyncGenerator<ScopedPage, void> {
  const { tenant, product } = search.filter
  for await (const page of pagesOf(search, [namespaces[kind], tenant, product])) {
    for (const [namespace, found] of Map.groupBy(page, ({ key }) => namespaceOfKey(key))) {
      const scope = namespace.slice(namespaces[kind].length + 1)
      // Some databases compare keys without regard to case.
      const isWanted = scope.startsWith(tenant ?? '') && scope.endsWith(product ?? '')
      if (isWanted) yield { namespace, scope, found }
    }
  }
}

/** Splits `<tenant>:<product>`; nothing if one of the two has a colon itself. */
function splitScope(scope: string): Pick<PolisProblem, 'tenant' | 'product'> {
  const [tenant, product, ...others] = scope.split(':')
  return others.length > 0 ? {} : { tenant, product }
}

function addTo(lists: Map<string, string[]>, name: string, item: string): void {
  const list = lists.get(name)
  if (list === undefined) lists.set(name, [item])
  else list.push(item)
}
