import type { Json, JsonObject } from '../../../scim/json.ts'
import { isObject } from '../../../scim/json.ts'
import type { OnUnreadable, PolisFilter, PolisRecordKind, PolisSource } from '../source.ts'
import { createPolisApi } from './api-client.ts'
import { readOldestFirst } from './api-lists.ts'
import { IncompleteList, PolisSourceError } from './errors.ts'
import { recordKey } from './keys.ts'
import { isInFilter, parseDirectory, parseGroup, parseSetupLink, parseUser, textOf } from './records.ts'

interface RecordList<T> {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** The field that has the id of a record. */
  readonly idField: string
  readonly parse: (record: JsonObject) => T | undefined
}

/**
 * Reads a running Polis over its API, which lists the directories of one product only, and shows neither queued events nor
 * broken records.
 *
 * @param url the address of Polis
 */
export function createApiSource(url: string, apiKey: string): PolisSource {
  const api = createPolisApi(url.replace(/\/$/, ''), apiKey)

  /** @throws IncompleteList also, at the end, when a record has no id: nobody knows which one it is */
  async function* records<T>(
    { path, query, idField, parse }: RecordList<T>,
    onUnreadable: OnUnreadable = () => {},
  ): AsyncGenerator<T, void> {
    const idOf = (item: Json) => (isObject(item) ? textOf(item, idField) : '')
    const identityOf = (item: Json) => idOf(item) || JSON.stringify(item)
    let withoutId = 0
    for await (const item of readOldestFirst(api, { path, query, identityOf })) {
      const parsed = isObject(item) ? parse(item) : undefined
      if (idOf(item) === '') withoutId += 1
      else if (parsed === undefined) onUnreadable(recordKey(path, idOf(item)))
      else yield parsed
    }
    if (withoutId > 0)
      throw new IncompleteList(`In the list ${path} of Polis, ${withoutId} records have no ${idField}.`)
  }

  return {
    async *directories(filter, onUnreadable) {
      const list = { path: '/product', query: productOf(filter), idField: 'id', parse: parseDirectory }
      for await (const directory of records(list, onUnreadable)) if (isInFilter(filter, directory)) yield directory
    },
    users: ({ id: directoryId }, onUnreadable) =>
      records(
        { path: '/users', query: { directoryId }, idField: 'id', parse: (user) => parseUser(user, undefined) },
        onUnreadable,
      ),
    groups: ({ id: directoryId }, onUnreadable) =>
      records(
        { path: '/groups', query: { directoryId }, idField: 'id', parse: (group) => parseGroup(group, undefined) },
        onUnreadable,
      ),
    members: ({ id: directoryId }, groupId, onUnreadable) =>
      records(
        {
          path: `/groups/${encodeURIComponent(groupId)}/members`,
          ...{ query: { directoryId }, idField: 'user_id', parse: (member) => textOf(member, 'user_id') },
        },
        onUnreadable,
      ),
    async *setupLinks(filter, onUnreadable) {
      const list = { path: '/setuplinks/product', query: productOf(filter), idField: 'setupID', parse: parseSetupLink }
      for await (const link of records(list, onUnreadable)) if (isInFilter(filter, link)) yield link
    },
    async *queuedEvents() {},
    async *problems() {},
    async existing(kind, { id: directoryId }, ids) {
      const found = new Set<string>()
      for (const id of ids) {
        const [path, query] = recordPath(kind, id)
        if (!(await api.isGone(path, { directoryId, ...query }))) found.add(id)
      }
      return found
    },
    close: () => api.close(),
  }
}

function recordPath(kind: PolisRecordKind, id: string): [path: string, query: Readonly<Record<string, string>>] {
  const segment = encodeURIComponent(id)
  if (kind === 'setup-link') return ['/setuplinks', { id }]
  return [kind === 'directory' ? `/${segment}` : `/${kind}s/${segment}`, {}]
}

function productOf({ product }: PolisFilter): { readonly product: string } {
  if (product !== undefined) return { product }
  throw new PolisSourceError(
    'Over its API, Polis lists the directories of one product only: name it with --product, or read the database of Polis.',
  )
}
