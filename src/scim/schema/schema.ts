import type { Attribute, AttributeTable } from './attribute.ts'
import { table } from './attribute.ts'

/** A schema of RFC 7643: the URN that names it and its attributes. */
export interface Schema {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly attributes: AttributeTable
}

/** Defines a schema. */
export function schema(id: string, name: string, description: string, attributes: readonly Attribute[]): Schema {
  return { id, name, description, attributes: table(attributes) }
}
