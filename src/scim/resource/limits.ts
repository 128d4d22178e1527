import { invalidValue } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { maxAttributes, maxNamesLength, maxResourceValues } from '../limits.ts'

/**
 * The property names of an object from a request.
 *
 * @throws ScimError 400 `invalidValue` when there are more than `maxAttributes`, or they are too long together
 */
export function keysWithinLimit(object: JsonObject, owner: string): string[] {
  const names = Object.keys(object)
  requireKeyCount(names.length, owner)
  requireNamesLength(lengthOf(names))
  return names
}

/** Rejects names that are too long together. @throws ScimError 400 `invalidValue` */
export function requireNamesLength(length: number): void {
  if (length <= maxNamesLength) return
  throw invalidValue(`The names of attributes may have at most ${maxNamesLength} characters together.`)
}

/** The characters of texts together. */
export function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0)
}

/** The same for a number of properties. @throws ScimError 400 `invalidValue` */
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
 * Rejects values that together consist of too many values, or have too long names; each value, array and object counts.
 *
 * @throws ScimError 400 `invalidValue`
 */
export function requireValueLimit(values: readonly Json[]): void {
  const counted = { values: 0, namesLength: 0 }
  count(values, counted)
  if (counted.values > maxResourceValues)
    throw invalidValue(`A resource must not consist of more than ${maxResourceValues} values.`)
  requireNamesLength(counted.namesLength)
}

/** Counts values and the characters of their names, until one of the two is over its limit. */
function count(values: readonly Json[], counted: { values: number; namesLength: number }): void {
  counted.values += values.length
  for (const value of values) {
    if (counted.values > maxResourceValues || counted.namesLength > maxNamesLength) return
    if (Array.isArray(value)) count(value, counted)
    else if (isObject(value)) {
      counted.namesLength += lengthOf(Object.keys(value))
      count(Object.values(value), counted)
    }
  }
}

export function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part))
}
