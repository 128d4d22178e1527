import type { Json, JsonObject } from '../json.ts'
import { requireKeyCount } from './limits.ts'

/**
 * The objects that one request has created. They are modified in place, so that many changes of a large object copy it
 * once and look up each name in constant time. Other objects are never modified.
 */
export interface OwnedObjects {
  /**
   * The object with one property set, or removed when the value is undefined: the same object if it is owned, else a copy,
   * which is owned from now on. `__proto__`, which would set the prototype, is ignored.
   *
   * @throws ScimError 400 `invalidValue` when the property is new and the object has too many
   */
  withValue(object: JsonObject, name: string, value: Json | undefined): JsonObject
  /** See `existingKey`. */
  keyOf(object: JsonObject, name: string): string
  /** Undefined for an object without properties. */
  undefinedIfEmpty(object: JsonObject): JsonObject | undefined
}

interface Owned {
  count: number
  /** The names by their folded form, created at the first lookup of a name in another case. */
  names: Map<string, string> | undefined
}

export function createOwnedObjects(): OwnedObjects {
  const owned = new Map<JsonObject, Owned>()
  /** The names in other objects, which do not change. */
  const others = new Map<JsonObject, Map<string, string>>()

  function namesIn(object: JsonObject): ReadonlyMap<string, string> {
    const state = owned.get(object)
    const names = (state === undefined ? others.get(object) : state.names) ?? foldedNames(object)
    if (state === undefined) others.set(object, names)
    else state.names = names
    return names
  }

  function own(object: JsonObject): JsonObject {
    if (owned.has(object)) return object
    const copy = { ...object }
    owned.set(copy, { count: Object.keys(copy).length, names: undefined })
    return copy
  }

  return {
    withValue(object, name, value) {
      if (name === '__proto__') return object
      const isNew = !Object.hasOwn(object, name)
      if (value === undefined && isNew) return object
      const changed = own(object)
      const state = owned.get(changed)
      if (value === undefined) delete changed[name]
      else changed[name] = value
      if (state !== undefined && (isNew || value === undefined)) recordName(state, name, isNew)
      return changed
    },
    keyOf: (object, name) => (Object.hasOwn(object, name) ? name : (namesIn(object).get(name.toLowerCase()) ?? name)),
    undefinedIfEmpty(object) {
      const count = owned.get(object)?.count ?? Object.keys(object).length
      return count === 0 ? undefined : object
    },
  }
}

/** Records a name that was added or removed. */
function recordName(state: Owned, name: string, isAdded: boolean): void {
  state.count += isAdded ? 1 : -1
  if (isAdded) requireKeyCount(state.count)
  const folded = name.toLowerCase()
  if (!isAdded) state.names?.delete(folded)
  else if (state.names?.has(folded) === false) state.names.set(folded, name)
}

function foldedNames(object: JsonObject): Map<string, string> {
  const names = new Map<string, string>()
  for (const name of Object.keys(object)) {
    const folded = name.toLowerCase()
    if (!names.has(folded)) names.set(folded, name)
  }
  return names
}
