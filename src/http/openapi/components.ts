import type { JsonObject } from '../../scim/json.ts'
import { isObject } from '../../scim/json.ts'

/** A value of an OpenAPI description: JSON. */
export type Described = JsonObject[string]

const referencePrefix = '#/components/schemas/'
/** The keywords whose values are data, not descriptions. */
const opaque: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const', 'mapping'])

/**
 * Replaces every schema that has a title by a reference, and collects it under its title.
 *
 * @throws Error when two different schemas have the same title
 */
export function hoistTitled(value: Described, schemas: JsonObject): Described {
  if (Array.isArray(value)) return value.map((one) => hoistTitled(one, schemas))
  if (!isObject(value)) return value
  const { title, ...rest } = value
  const isSchema = typeof title === 'string' && ['type', 'oneOf', 'anyOf', 'allOf'].some((name) => name in value)
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
