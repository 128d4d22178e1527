import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import type { OwnedObjects } from '../resource/owned-objects.ts'
import { createOwnedObjects } from '../resource/owned-objects.ts'
import type { AttributePath } from '../schema/resource-type.ts'

/** A copy of a resource that the operations of a PATCH change one after the other. */
export interface Draft {
  /** The objects that operations may modify; values of the original are copied first. */
  readonly owned: OwnedObjects
  resource(): JsonObject
  /** The property under which the resource holds an extension: an existing spelling of the URN, else the URN. */
  keyOf(extension: string): string
  /** Returns whether the resource has an extension. */
  holds(extension: string): boolean
  /** The value of a path's attribute, ignoring the sub-attribute; undefined when it is absent. */
  valueOf(path: AttributePath): Json | undefined
  /**
   * Sets the value of a path's attribute, or removes it when it is undefined. An extension without attributes is
   * removed.
   */
  assign(path: AttributePath, value: Json | undefined): void
  removeExtension(extension: string): void
}

export function createDraft(original: JsonObject): Draft {
  const owned = createOwnedObjects()
  let resource = original

  const keyOf = (extension: string): string => owned.keyOf(resource, extension)
  const set = (name: string, value: Json | undefined): void => {
    resource = owned.withValue(resource, name, value)
  }

  /** The object that holds a path's attribute: the resource or an extension. */
  function containerOf({ extension, attribute }: AttributePath): JsonObject | undefined {
    if (extension === undefined) return resource
    const container = own(resource, attribute.type === 'any' ? keyOf(extension) : extension)
    return isObject(container) ? container : undefined
  }

  /** The property of the container that holds the attribute. */
  function keyIn(container: JsonObject, { attribute: { name, type } }: AttributePath): string {
    return type === 'any' ? owned.keyOf(container, name) : name
  }

  return {
    owned,
    resource: () => resource,
    keyOf,
    holds: (extension) => Object.hasOwn(resource, keyOf(extension)),
    valueOf(path) {
      const container = containerOf(path)
      return container && own(container, keyIn(container, path))
    },
    assign(path, value) {
      const container = containerOf(path) ?? {}
      const key = keyIn(container, path)
      if (path.extension === undefined) set(key, value)
      else set(keyOf(path.extension), owned.undefinedIfEmpty(owned.withValue(container, key, value)))
    },
    removeExtension: (extension) => set(keyOf(extension), undefined),
  }
}
