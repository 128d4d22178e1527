import type { JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'

/** So many values of one attribute are kept. */
const maxValues = 100

/** The values of a repeated attribute that can be read; absent or no list: none. */
export function parseList<T>(object: JsonObject, name: string, parse: (item: JsonObject) => T | undefined): T[] {
  const list = own(object, name)
  if (!Array.isArray(list)) return []
  return list.slice(0, maxValues).flatMap((item) => {
    const parsed = isObject(item) ? parse(item) : undefined
    return parsed === undefined ? [] : [parsed]
  })
}
