import { invalidValue } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { maxAttributes } from '../limits.ts'

/**
 * The property names of an object from a request.
 *
 * @throws ScimError 400 `invalidValue` when there are more than `maxAttributes`
 */
export function keysWithinLimit(object: JsonObject, owner: string): string[] {
  const names = Object.keys(object)
  if (names.length <= maxAttributes) return names
  throw invalidValue(`${owner} must not have more than ${maxAttributes} attributes.`)
}

/** Returns the object. @throws ScimError 400 `invalidValue` when it has more than `maxAttributes` properties */
export function requireKeyLimit(object: JsonObject): JsonObject {
  keysWithinLimit(object, 'A resource, or an object in it,')
  return object
}

export function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part))
}
