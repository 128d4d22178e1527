import type { Json } from '../json.ts'
import { resolveAttributePath } from '../schema/attribute-path.ts'
import type { QualifiedName, UrnContext } from '../schema/qualified-name.ts'
import { isAttributeName, readQualifiedName } from '../schema/qualified-name.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import { isPasswordName, unknownAttribute } from '../schema/schema.ts'
import { isUrn } from '../schema/urn.ts'
import { readShape } from './value-shape.ts'

/**
 * Resolves a property name of a POST or PUT body. A bare name that only an extension has refers to the extension, as in a
 * PATCH path.
 *
 * @param holds whether the body names an extension elsewhere
 */
export function readAttributeKey(
  key: string,
  value: Json,
  resourceType: ResourceType,
  holds?: UrnContext['holds'],
): QualifiedName {
  if (!isUrn(key)) return { extension: resolveAttributePath(key, resourceType)?.extension, name: key }
  return readQualifiedName(key, resourceType, urnContext(value, holds))
}

/** The context of a name under which a value is sent, in any of its shapes. */
export function urnContext(value: Json | undefined, holds: UrnContext['holds']): UrnContext {
  const read = value === undefined ? undefined : readShape(unknownAttribute(''), value)
  return { value: read, ...(holds === undefined ? {} : { holds }) }
}

/** Turns a dotted key into a nested value: `name.givenName` becomes `givenName` in `name`. */
export function expandDottedKey(key: string, value: Json): { name: string; value: Json } {
  const names = key.split('.')
  const [name = key, ...parts] = names
  if (parts.length === 0 || !names.every(isAttributeName)) return { name: key, value }
  return { name, value: parts.reduceRight<Json>((inner, part) => ({ [part]: inner }), value) }
}

/** Returns whether the last part of a URN is the name of a password, as in `urn:acme:1.0:password`. */
export function endsInPassword(urn: string): boolean {
  return isPasswordName(urn.slice(urn.lastIndexOf(':') + 1))
}
