import { invalidValue } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { maxNames } from '../limits.ts'

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

export function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part))
}
