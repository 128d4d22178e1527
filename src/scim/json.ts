/** A parsed JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject

/** A JSON object. Its names come from outside: read them with `own` so that inherited properties are never returned. */
export interface JsonObject {
  [name: string]: Json
}

/** True for a JSON object, not for null or an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object that a text is as JSON; undefined for any other text. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The object's own property: `constructor` and the like are undefined unless they were sent. */
export function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Deep equality of JSON values; the order of properties does not matter. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => sameJson(a[name], own(b, name)))
}

/** Content of a JSON value that the service does not store. */
export type JsonProblem = 'proto' | 'half-surrogate' | 'inexact-number'

/**
 * Finds a name that would set a prototype, text that is not valid Unicode, or a number that is too large to keep exactly.
 *
 * @param value of limited depth
 */
export function findJsonProblem(value: Json): JsonProblem | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'half-surrogate'
  if (typeof value === 'number') return isExact(value) ? undefined : 'inexact-number'
  if (Array.isArray(value)) return firstProblem(value)
  if (!isObject(value)) return undefined
  const names = Object.keys(value)
  if (names.includes('__proto__')) return 'proto'
  return firstProblem(names) ?? firstProblem(Object.values(value))
}

function firstProblem(values: readonly Json[]): JsonProblem | undefined {
  for (const value of values) {
    const problem = findJsonProblem(value)
    if (problem !== undefined) return problem
  }
  return undefined
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}
