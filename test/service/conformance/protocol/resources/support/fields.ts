import type { Loose } from '../../../../../support/client.ts'

/** Attributes by name. */
export type Fields = Readonly<Record<string, unknown>>

/** A resource with attributes that `Loose` does not declare. */
export function fieldsOf(resource: Loose): Fields {
  return resource as unknown as Fields
}
