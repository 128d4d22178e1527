/** A schema (RFC 7643 §7): its URN and its attributes. */
export interface Schema {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly attributes: AttributeTable
}

export function schema(id: string, name: string, description: string, attributes: readonly Attribute[]): Schema {
  return { id, name, description, attributes: attributeTable(attributes) }
}

/** The data types of RFC 7643 §2.3; `any` is an attribute that no schema has. */
export type AttributeType =
  | 'string'
  | 'boolean'
  | 'decimal'
  | 'integer'
  | 'dateTime'
  | 'binary'
  | 'reference'
  | 'complex'
  | 'any'

/** The definition of an attribute (RFC 7643 §7). */
export interface Attribute {
  readonly name: string
  readonly type: AttributeType
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly'
  readonly returned: 'always' | 'never' | 'default' | 'request'
  readonly uniqueness: 'none' | 'server' | 'global'
  readonly canonicalValues: readonly string[]
  readonly referenceTypes: readonly string[]
  /** Whether values must be exactly as the definition says, and other sub-attributes are rejected: see `ScimProfile`. */
  readonly isStrict: boolean
  /** Keyed by name in lower case; empty unless the type is `complex`. */
  readonly subAttributes: AttributeTable
}

/** Attributes keyed by name in lower case: names are case-insensitive (RFC 7643 §2.1). */
export type AttributeTable = ReadonlyMap<string, Attribute>

type Characteristics = Partial<Omit<Attribute, 'name' | 'description' | 'subAttributes'>>

/** Defines an attribute; omitted characteristics have the defaults of RFC 7643 §2.2. */
export function attribute(name: string, description: string, characteristics: Characteristics = {}): Attribute {
  return {
    name,
    description,
    type: 'string',
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    canonicalValues: [],
    referenceTypes: [],
    isStrict: false,
    subAttributes: new Map(),
    ...characteristics,
  }
}

/** Defines a complex attribute with its sub-attributes (RFC 7643 §2.3.8). */
export function complex(
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  characteristics: Characteristics = {},
): Attribute {
  const complexAttribute = attribute(name, description, { ...characteristics, type: 'complex' })
  return { ...complexAttribute, subAttributes: attributeTable(subAttributes) }
}

/** Indexes attributes by name in lower case. */
export function attributeTable(attributes: readonly Attribute[]): AttributeTable {
  return new Map(attributes.map((one) => [one.name.toLowerCase(), one]))
}

/** The attributes as a strict directory has them: none that is only written. */
export function strictTable(table: AttributeTable): AttributeTable {
  const offered = [...table].filter(([, { mutability }]) => mutability !== 'writeOnly')
  return new Map(
    offered.map(([name, one]) => [name, { ...one, isStrict: true, subAttributes: strictTable(one.subAttributes) }]),
  )
}

/** An unknown attribute, which can hold anything. One with the name of a password is never stored. */
export function unknownAttribute(name: string): Attribute {
  const characteristics: Characteristics = isPasswordName(name) ? { mutability: 'writeOnly', returned: 'never' } : {}
  const description = 'An attribute of a schema that this service does not know.'
  return attribute(name, description, { type: 'any', ...characteristics })
}

const passwordNames: ReadonlySet<string> = new Set(['password', 'passwd', 'userpassword'])

/** Returns whether a name is that of a password, in any letter case. Passwords are accepted everywhere, but never stored. */
export function isPasswordName(name: string): boolean {
  return passwordNames.has(name.trim().toLowerCase())
}
