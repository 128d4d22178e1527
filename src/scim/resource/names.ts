import type { JsonObject } from '../json.ts'
import { invalidValue } from './invalid-value.ts'

/** How many names an object may have. A change of one copies the others, so that more would make a request expensive. */
export const maxNames = 1000

/**
 * The names of an object from outside.
 *
 * @throws ScimError 400 `invalidValue` when there are more than `maxNames`
 */
export function boundedNames(object: JsonObject, owner: string): string[] {
  const names = Object.keys(object)
  if (names.length <= maxNames) return names
  throw invalidValue(`${owner} must not have more than ${maxNames} attributes.`)
}

/** The object itself. @throws ScimError 400 `invalidValue` when it has more than `maxNames` names */
export function withinNames(object: JsonObject): JsonObject {
  boundedNames(object, 'A resource, or an object in it,')
  return object
}
