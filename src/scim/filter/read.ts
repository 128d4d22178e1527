import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import type { AttributePath } from '../schema/known-paths.ts'

/**
 * The key under which an object holds an attribute that no schema lists: its own spelling of that name, else the name.
 * Attributes of known schemas are stored in their canonical spelling and need no such look.
 */
export function existingKey(object: JsonObject, name: string): string {
  if (Object.hasOwn(object, name)) return name
  const folded = name.toLowerCase()
  return Object.keys(object).find((key) => key.toLowerCase() === folded) ?? name
}

/** The object that holds a path's attribute: the resource, or that of an extension; undefined when it is absent. */
export function containerOf(resource: JsonObject, { extension, attribute }: AttributePath): JsonObject | undefined {
  if (extension === undefined) return resource
  const container = own(resource, attribute.type === 'any' ? existingKey(resource, extension) : extension)
  return isObject(container) ? container : undefined
}

/** The value of a path's attribute, its sub-attribute not looked at; undefined when it is absent. */
export function attributeValue(resource: JsonObject, path: AttributePath): Json | undefined {
  const container = containerOf(resource, path)
  if (container === undefined) return undefined
  const { name, type } = path.attribute
  return own(container, type === 'any' ? existingKey(container, name) : name)
}

/** Whether a value is assigned: null, `[]` and `""` are not, nor is what holds only those (RFC 7643 §2.5). */
export function isPresent(value: Json): boolean {
  if (value === null || value === '') return false
  if (Array.isArray(value)) return value.some(isPresent)
  return isObject(value) ? Object.values(value).some(isPresent) : true
}
