import type { JsonObject } from '../../scim/json.ts'
import { isObject } from '../../scim/json.ts'
import type { Described } from './components.ts'
import { alternativesOf, resolved } from './components.ts'

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-03-02T09:30:00.000Z',
  uuid: '01980c5e-8f5c-7a10-9d3c-5b1f0a3c7e21',
  uri: 'https://crm.example/hooks/rollcall',
}

/**
 * An example of a value of a schema: its own `examples`, or one that is composed of the examples of its parts. Optional
 * properties are included only if they have an example.
 */
export function exampleOf(schema: JsonObject, schemas: JsonObject): Described {
  const { examples, const: constant, enum: values, properties, items, type, format } = resolved(schema, schemas)
  const own = Array.isArray(examples) ? examples[0] : undefined
  if (own !== undefined) return own
  if (constant !== undefined) return constant
  if (Array.isArray(values)) return values[0] ?? null
  const [first] = alternativesOf(resolved(schema, schemas))
  if (first !== undefined) return exampleOf(first, schemas)
  if (type === 'array') return isObject(items) ? [exampleOf(items, schemas)] : []
  if (isObject(properties)) return exampleOfObject(resolved(schema, schemas), properties, schemas)
  if (type === 'object') return {}
  if (type === 'string') return byFormat[typeof format === 'string' ? format : ''] ?? 'text'
  if (type === 'boolean') return true
  return type === 'integer' || type === 'number' ? 1 : null
}

function exampleOfObject({ required }: JsonObject, properties: JsonObject, schemas: JsonObject): JsonObject {
  const needed = new Set(Array.isArray(required) ? required : [])
  const entries = Object.entries(properties).flatMap(([name, property]) => {
    if (!isObject(property)) return []
    const isShown = needed.has(name) || resolved(property, schemas)['examples'] !== undefined
    return isShown ? [[name, exampleOf(property, schemas)]] : []
  })
  return Object.fromEntries(entries)
}
