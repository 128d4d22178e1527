import type { JsonObject } from '../../scim/json.ts'
import type { PolisFilter, PolisSource } from '../source.ts'
import { createPolisApi } from './api-client.ts'
import type { ApiList } from './api-lists.ts'
import { readOldestFirst } from './api-lists.ts'
import { PolisSourceError } from './errors.ts'
import { isInFilter, parseDirectory, parseGroup, parseSetupLink, parseUser, textOf } from './records.ts'

/**
 * Reads a running Polis over its API, which lists the directories of one product only, and shows neither queued events nor
 * broken records.
 *
 * @param url the address of Polis
 */
export function createApiSource(url: string, apiKey: string): PolisSource {
  const api = createPolisApi(url.replace(/\/$/, ''), apiKey)

  async function* records<T>(
    list: Omit<ApiList, 'idOf'> & Partial<Pick<ApiList, 'idOf'>>,
    parse: (record: JsonObject) => T | undefined,
  ): AsyncGenerator<T, void> {
    for await (const record of readOldestFirst(api, { idOf: (item) => textOf(item, 'id'), ...list })) {
      const parsed = parse(record)
      if (parsed !== undefined) yield parsed
    }
  }

  return {
    async *directories(filter) {
      const all = records({ path: '/product', query: productOf(filter) }, parseDirectory)
      for await (const directory of all) if (isInFilter(filter, directory)) yield directory
    },
    users: ({ id }) => records({ path: '/users', query: { directoryId: id } }, (user) => parseUser(user, undefined)),
    groups: ({ id }) =>
      records({ path: '/groups', query: { directoryId: id } }, (group) => parseGroup(group, undefined)),
    members: ({ id }, groupId) =>
      records(
        {
          path: `/groups/${encodeURIComponent(groupId)}/members`,
          query: { directoryId: id },
          idOf: (member) => textOf(member, 'user_id'),
        },
        (member) => textOf(member, 'user_id') || undefined,
      ),
    async *setupLinks(filter) {
      const list = {
        path: '/setuplinks/product',
        query: productOf(filter),
        idOf: (link: JsonObject) => textOf(link, 'setupID'),
      }
      for await (const link of records(list, parseSetupLink)) if (isInFilter(filter, link)) yield link
    },
    async *queuedEvents() {},
    async *problems() {},
    close: () => api.close(),
  }
}

function productOf({ product }: PolisFilter): { readonly product: string } {
  if (product !== undefined) return { product }
  throw new PolisSourceError(
    'Over its API, Polis lists the directories of one product only: name it with --product, or read the database of Polis.',
  )
}
