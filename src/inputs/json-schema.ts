/**
 * JSON schemas of the inputs and outputs of the API: one source for the type, the check, the error message and the
 * OpenAPI description. Only the part of JSON Schema that the API needs; `json-schema-check.ts` checks values.
 */

declare const valueType: unique symbol
const optional = Symbol('optional')

/** A JSON schema whose values have the type `T`. */
export interface Schema<out T = unknown> {
  /** Exists for the type only. */
  readonly [valueType]?: T
  readonly description?: string
}
/** Marks the schema of a property that may be missing. */
export interface Omittable {
  readonly [optional]: true
}
/** The schemas of the properties of an object. */
export type Properties = Readonly<Record<string, Schema>>

/** The type of a schema's values. */
export type Static<S extends Schema> = S extends Schema<infer T> ? T : never

type OptionalNames<P extends Properties> = { [K in keyof P]: P[K] extends Omittable ? K : never }[keyof P]
type Flat<T> = { [K in keyof T]: T[K] }
type ObjectOf<P extends Properties> = Flat<
  { -readonly [K in Exclude<keyof P, OptionalNames<P>>]: Static<P[K]> } & {
    -readonly [K in OptionalNames<P>]?: Static<P[K]>
  }
>

/** The schema of an object; `required` is left out when every property may be missing. */
export interface ObjectSchema<P extends Properties = Properties> extends Schema<ObjectOf<P>> {
  readonly type: 'object'
  readonly required?: readonly string[]
  readonly properties: P
}

interface Annotations {
  /** Names a component of the OpenAPI description. */
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
}
interface StringKeywords extends Annotations {
  /** In characters (code points). */
  readonly minLength?: number
  readonly maxLength?: number
  /** A regular expression with the flag `u`. */
  readonly pattern?: string
  readonly format?: string
}
interface IntegerKeywords extends Annotations {
  readonly minimum?: number
  readonly maximum?: number
}
interface ArrayKeywords extends Annotations {
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: true
}
interface ObjectKeywords extends Annotations {
  readonly additionalProperties?: boolean
}
type Scalar = string | number | boolean

function objectSchema<const P extends Properties>(properties: P, keywords: ObjectKeywords = {}): ObjectSchema<P> {
  const required = Object.keys(properties).filter((name) => !(optional in (properties[name] ?? {})))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...keywords }
}

/** Makes schemas. */
export const Type = {
  String: (keywords: StringKeywords = {}): Schema<string> => typed({ type: 'string', ...keywords }),
  Integer: (keywords: IntegerKeywords = {}): Schema<number> => typed({ type: 'integer', ...keywords }),
  Number: (keywords: Annotations = {}): Schema<number> => typed({ type: 'number', ...keywords }),
  Boolean: (keywords: Annotations = {}): Schema<boolean> => typed({ type: 'boolean', ...keywords }),
  Null: (keywords: Annotations = {}): Schema<null> => typed({ type: 'null', ...keywords }),
  Unknown: (keywords: Annotations = {}): Schema<unknown> => typed({ ...keywords }),
  /** A schema written as JSON. */
  Unsafe: <T>(schema: object): Schema<T> => typed(schema),
  Literal: <const T extends Scalar>(value: T, keywords: Annotations = {}): Schema<T> =>
    typed({ type: typeof value, const: value, ...keywords }),
  Enum: <const T extends Scalar>(values: readonly T[], keywords: Annotations = {}): Schema<T> =>
    typed({ enum: values, ...keywords }),
  Union: <S extends readonly Schema[]>(
    schemas: readonly [...S],
    keywords: Annotations = {},
  ): Schema<Static<S[number]>> => typed({ anyOf: schemas, ...keywords }),
  Array: <S extends Schema>(items: S, keywords: ArrayKeywords = {}): Schema<Static<S>[]> =>
    typed({ type: 'array', items, ...keywords }),
  /** An object with arbitrary keys. */
  Record: <S extends Schema>(values: S, keywords: Annotations = {}): Schema<Record<string, Static<S>>> =>
    typed({ type: 'object', patternProperties: { '^.*$': values }, ...keywords }),
  Object: objectSchema,
  /** An object that is a component of the OpenAPI description. */
  Named: <const P extends Properties>(title: string, description: string, properties: P): ObjectSchema<P> =>
    objectSchema(properties, { title, description }),
  /** The same schema, for a property that may be missing. */
  Optional: <S extends Schema>(schema: S): S & Omittable => ({ ...schema, [optional]: true }),
}

/** Adds the type of the values, which exists at compile time only. */
function typed<T>(schema: object): Schema<T> {
  return schema
}
