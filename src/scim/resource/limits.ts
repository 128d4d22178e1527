import { invalidValue } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { maxAttributes, maxResourceValues } from '../limits.ts'

/**
 * The property names of an object from a request.
 *
 * @throws ScimError 400 `invalidValue` when there are more than `maxAttributes`
 */
export function keysWithinLimit(object: JsonObject, owner: string): string[] {
  const names = Object.keys(object)
  requireKeyCount(names.length, owner)
  return names
}

/**
 * The same for a number of properties.
 *
 * @throws ScimError 400 `invalidValue`
 */
export function requireKeyCount(count: number, owner: string = 'A resource, or an object in it,'): void {
  if (count > maxAttributes) throw invalidValue(`${owner} must not have more than ${maxAttributes} attributes.`)
}

/**
 * Returns the object.
 *
 * @throws ScimError 400 `invalidValue` when it has more than `maxAttributes` properties
 */
export function requireKeyLimit(object: JsonObject): JsonObject {
  requireKeyCount(Object.keys(object).length)
  return object
}

/**
 * Rejects values that together consist of too many values; each value, array and object counts.
 *
 * @throws ScimError 400 `invalidValue`
 */
export function requireValueLimit(values: readonly Json[]): void {
  if (valuesLeft(values, maxResourceValues) >= 0) return
  throw invalidValue(`A resource must not consist of more than ${maxResourceValues} values.`)
}

/** The allowance minus the number of values; negative as soon as it is used up. */
function valuesLeft(values: readonly Json[], allowance: number): number {
  let left = allowance - values.length
  for (const value of values) {
    if (left < 0) return left
    if (Array.isArray(value)) left = valuesLeft(value, left)
    else if (isObject(value)) left = valuesLeft(Object.values(value), left)
  }
  return left
}

export function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part))
}
