import type { Json } from '../json.ts'
import { isObject, own } from '../json.ts'
import { withinNames } from './names.ts'

/**
 * What one key of a body said of an attribute with what another adds: objects grow, as do the single elements that come
 * of dotted keys (`emails.value`, `emails.type`); of anything else the later counts.
 */
export function merge(earlier: Json | undefined, later: Json): Json {
  if (Array.isArray(earlier) && Array.isArray(later)) return mergeArrays(earlier, later)
  if (earlier === undefined || !isObject(earlier) || !isObject(later)) return later
  const grown = Object.entries(later).map(([name, value]) => [name, merge(own(earlier, name), value)])
  return withinNames({ ...earlier, ...Object.fromEntries(grown) })
}

function mergeArrays(earlier: readonly Json[], later: Json[]): Json[] {
  const [first, ...more] = later
  return first === undefined || more.length > 0 || earlier.length > 1 ? later : [merge(earlier[0], first)]
}
