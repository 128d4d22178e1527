import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import type { AttributePath } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'

/**
 * The property under which an object holds an attribute of an unknown schema: an existing spelling of the name, else
 * the name. Attributes of known schemas are always stored in their canonical spelling.
 */
export function existingKey(object: JsonObject, name: string): string {
  if (Object.hasOwn(object, name)) return name
  const folded = name.toLowerCase()
  return Object.keys(object).find((key) => key.length === name.length && key.toLowerCase() === folded) ?? name
}

/** The object that holds a path's attribute: the resource or an extension; undefined when it is absent. */
export function containerOf(resource: JsonObject, { extension, attribute }: AttributePath): JsonObject | undefined {
  if (extension === undefined) return resource
  const container = own(resource, attribute.type === 'any' ? existingKey(resource, extension) : extension)
  return isObject(container) ? container : undefined
}

/** The value of a path's attribute, ignoring the sub-attribute; undefined when it is absent. */
export function attributeValue(resource: JsonObject, path: AttributePath): Json | undefined {
  const container = containerOf(resource, path)
  if (container === undefined) return undefined
  const { name, type } = path.attribute
  return own(container, type === 'any' ? existingKey(container, name) : name)
}

/** Returns whether a value is assigned: null, `[]`, `""`, and values that contain only those, are not (RFC 7643 §2.5). */
export function isPresent(value: Json): boolean {
  if (value === null || value === '') return false
  if (Array.isArray(value)) return value.some(isPresent)
  return isObject(value) ? Object.values(value).some(isPresent) : true
}

/**
 * The attribute whose values are compared. A complex attribute without a sub-attribute means its `value`, as in `emails
 * co "@example.com"` (RFC 7644 §3.4.2.2) and in `manager eq "id"`.
 *
 * @returns undefined when a complex attribute has no `value`
 */
export function comparedAttribute(path: AttributePath): Attribute | undefined {
  const compared = valueAttribute(path)
  return compared.type === 'complex' ? undefined : compared
}

/** The same for a path that is known to be comparable. */
export function valueAttribute({ attribute, subAttribute }: AttributePath): Attribute {
  return subAttribute ?? attribute.subAttributes.get('value') ?? attribute
}

/** Returns whether a value unassigns an attribute: null, `[]`, and `""`, which some products send. */
export function isUnassigned(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** An array with one element is read as that element where only one value is allowed. */
export function unwrapSingle(value: Json): Json {
  return Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value
}

/** An element of a list: a simple one has the sub-attribute `value` (RFC 7643 §2.4). */
export function asObject(element: Json): JsonObject {
  return isObject(element) ? element : { value: element }
}
