/** JSON as it is after parsing: no undefined, no functions, no dates. */
export type Json = null | boolean | number | string | Json[] | JsonObject

/** A JSON object. Its names come from outside: read them with `own`, never through the prototype. */
export interface JsonObject {
  [name: string]: Json
}

/** True for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object's own value of that name: `constructor` and its like are absent unless they were sent. */
export function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Whether two JSON values are the same; the order of an object's names does not matter, that of arrays does. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => sameJson(a[name], own(b, name)))
}
