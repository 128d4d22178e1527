import type { Json, JsonObject } from '../json.ts'
import { withinNames } from '../resource/names.ts'

/**
 * An object with one name set, or deleted when there is no value; the object itself stays as it is.
 *
 * @throws ScimError 400 `invalidValue` when the name is new and there are too many then
 */
export function withValue(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  if (value === undefined) return Object.hasOwn(object, name) ? without(object, [name]) : object
  const changed = { ...object, [name]: value }
  return Object.hasOwn(object, name) ? changed : withinNames(changed)
}

/** An object without some of its names. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  if (names.length === 0) return object
  const dropped = new Set(names)
  const left: JsonObject = {}
  for (const [name, value] of Object.entries(object)) if (!dropped.has(name)) left[name] = value
  return left
}

/** Whether a value means that the attribute has none: null, `[]` and, as some products clear by it, `""`. */
export function isUnassigned(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** The object, or undefined when nothing is left in it. */
export function unlessEmpty(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length === 0 ? undefined : object
}

/** The list, or undefined when nothing is left in it. */
export function unlessNone(list: Json[]): Json[] | undefined {
  return list.length === 0 ? undefined : list
}

/** A list of one is the same as its element where there can be but one. */
export function unwrapped(value: Json): Json {
  return Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value
}

/** The values of an attribute as a list, whether there is none, one, or a list of them. */
export function listOf(value: Json | undefined): Json[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
