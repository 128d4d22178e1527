import type { JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'
import type { GooglePage } from './items.ts'

const maxTokenLength = 16_384

/** A list of the Directory API. */
export interface ListForm<T> {
  /** The name of its items in a page. */
  readonly name: 'users' | 'groups' | 'members'
  readonly parse: (item: JsonObject) => T | undefined
}

/**
 * A page of a list; undefined when it is not one, or one of its items cannot be read: an item that was left out would
 * look as if it had been deleted. For the same reason a page without items is believed only when it says what it is.
 */
export function parsePage<T>(body: JsonObject, { name, parse }: ListForm<T>): GooglePage<T> | undefined {
  const list = own(body, name) ?? (own(body, 'kind') === `admin#directory#${name}` ? [] : undefined)
  const nextPageToken = own(body, 'nextPageToken') ?? ''
  if (!Array.isArray(list) || typeof nextPageToken !== 'string' || nextPageToken.length > maxTokenLength)
    return undefined
  const items: T[] = []
  for (const item of list) {
    const parsed = isObject(item) ? parse(item) : undefined
    if (parsed === undefined) return undefined
    items.push(parsed)
  }
  return { items, nextPageToken: nextPageToken === '' ? undefined : nextPageToken }
}
