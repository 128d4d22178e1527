import type { JsonObject } from '../../scim/json.ts'
import { isObject } from '../../scim/json.ts'

/** A value of an OpenAPI description: JSON. */
export type Described = JsonObject[string]

const referencePrefix = '#/components/schemas/'
/** The keywords whose values are data, not descriptions. */
const opaque: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const', 'mapping'])

/**
 * Gives every object without a title one, made of the title of the object around it and the name of its property: generators make
 * a class of each.
 *
 * @param name the title if the schema is such an object
 */
export function nameObjects(schema: Described | undefined, name: string): void {
  if (!isObject(schema)) return
  if (schema['type'] === 'object') schema['title'] ??= name
  const own = String(schema['title'] ?? name)
  for (const [property, part] of Object.entries(objectOf(schema['properties'])))
    nameObjects(part, own + pascalCase(property))
  for (const part of alternativesOf(schema)) nameObjects(part, own)
  nameObjects(schema['items'], singular(own))
  nameObjects(schema['additionalProperties'], singular(own))
}

/** The title of a response: that of its data, which several operations may return. */
export function responseTitle({ properties = {} }: JsonObject, operationId: string): string {
  const { title = pascalCase(operationId), items } = objectOf(objectOf(properties)['data'])
  const { title: ofItems } = objectOf(items)
  return ofItems === undefined ? `${title}Response` : `${ofItems}ListResponse`
}

export function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/)
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
}

function singular(name: string): string {
  return name
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/([^s])s$/, '$1')
}

/** The value, if it is an object; otherwise an empty one. */
export function objectOf(value: Described | undefined): JsonObject {
  return isObject(value) ? value : {}
}

/** The schemas of a union. */
export function alternativesOf({ anyOf, oneOf }: JsonObject): JsonObject[] {
  return [anyOf, oneOf].flatMap((some) => (Array.isArray(some) ? some.filter(isObject) : []))
}

/**
 * Replaces every schema that has a title by a reference, and collects it under its title.
 *
 * @throws Error when two different schemas have the same title
 */
export function hoistTitled(value: Described, schemas: JsonObject): Described {
  if (Array.isArray(value)) return value.map((one) => hoistTitled(one, schemas))
  if (!isObject(value)) return value
  const { title, ...rest } = value
  const isSchema = typeof title === 'string' && ['type', 'oneOf', 'anyOf'].some((name) => name in value)
  const entries = Object.entries(isSchema ? rest : value)
  const whole = Object.fromEntries(
    entries.map(([name, one]) => [name, opaque.has(name) && !isObject(one) ? one : hoistTitled(one, schemas)]),
  )
  if (!isSchema) return whole
  const known = schemas[title]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(whole))
    throw new Error(`Two different schemas have the title ${title}`)
  schemas[title] = whole
  return { $ref: referencePrefix + title }
}

/** The schema that a reference refers to; any other schema is returned unchanged. */
export function resolved(schema: JsonObject, schemas: JsonObject): JsonObject {
  const { $ref: reference } = schema
  if (typeof reference !== 'string') return schema
  const found = schemas[reference.slice(referencePrefix.length)]
  if (!isObject(found)) throw new Error(`${reference} does not exist`)
  return resolved(found, schemas)
}
