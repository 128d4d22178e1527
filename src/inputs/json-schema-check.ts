import type { Schema } from './json-schema.ts'

/** The keywords that are checked; all others only describe. */
interface Keywords {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object'
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Keywords[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Keywords
  readonly minItems?: number
  readonly maxItems?: number
  /** Checked for scalars only. */
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, Keywords>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  /** One schema for all other properties, as `Type.Record` writes it. */
  readonly patternProperties?: { readonly '^.*$'?: Keywords }
}

/** Returns whether a value conforms to a schema. A property that is undefined counts as missing. */
export function matches<T>(schema: Schema<T>, value: unknown): value is T {
  return isMatch(schema as Keywords, value)
}

function isMatch(schema: Keywords, value: unknown): boolean {
  if ('const' in schema && value !== schema.const) return false
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false
  if (schema.anyOf !== undefined && !schema.anyOf.some((one) => isMatch(one, value))) return false
  return schema.type === undefined || checks[schema.type](schema, value)
}

const checks: Readonly<Record<NonNullable<Keywords['type']>, (schema: Keywords, value: unknown) => boolean>> = {
  string: (schema, value) => typeof value === 'string' && isStringMatch(schema, value),
  integer: ({ minimum = -Infinity, maximum = Infinity }, value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum,
  number: (_schema, value) => typeof value === 'number',
  boolean: (_schema, value) => typeof value === 'boolean',
  null: (_schema, value) => value === null,
  array: (schema, value) => Array.isArray(value) && isArrayMatch(schema, value),
  object: (schema, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && isObjectMatch(schema, value),
}

function isStringMatch({ minLength = 0, maxLength = Infinity, pattern }: Keywords, value: string): boolean {
  // A character has one or two code units; counting is needed only between the two limits.
  if (value.length < minLength || value.length > 2 * maxLength) return false
  const isCounted = value.length < 2 * minLength || value.length > maxLength
  const length = isCounted ? [...value].length : value.length
  if (isCounted && (length < minLength || length > maxLength)) return false
  // A lone surrogate would be stored as U+FFFD.
  if (!value.isWellFormed()) return false
  if (pattern === undefined) return true
  // Linear: a check covers the patterns of all schemas.
  return new RegExp(pattern, 'u').test(value)
}

function isArrayMatch(schema: Keywords, value: readonly unknown[]): boolean {
  const { items, minItems = 0, maxItems = Infinity, uniqueItems = false } = schema
  if (value.length < minItems || value.length > maxItems) return false
  if (uniqueItems && new Set(value).size < value.length) return false
  return items === undefined || value.every((one) => isMatch(items, one))
}

function isObjectMatch(
  { properties = {}, required = [], additionalProperties, patternProperties = {} }: Keywords,
  value: object,
): boolean {
  const { '^.*$': others } = patternProperties
  const fields = new Map<string, unknown>(Object.entries(value).filter(([, one]) => one !== undefined))
  if (!required.every((name) => fields.has(name))) return false
  return [...fields].every(([name, one]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : others
    return schema === undefined ? additionalProperties !== false : isMatch(schema, one)
  })
}
