import type { Json } from '../json.ts'
import { isObject } from '../json.ts'
import {
  canonicalUrn,
  extensionAttributes,
  isAttributeName,
  resolveAttributePath,
  schemaName,
  splitQualifiedName,
} from '../schema/attribute-path.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import { isPasswordName } from '../schema/schema.ts'
import { isUrn } from '../schema/urn.ts'

/** The attribute or extension that a property name in a request body refers to. */
export interface AttributeKey {
  /** The extension's canonical URN; undefined for the core schema. */
  readonly extension: string | undefined
  /** The attribute as named, possibly dotted; undefined when the key refers to the whole core schema or extension. */
  readonly name: string | undefined
}

/**
 * Resolves a property name of a POST or PUT body. Under an unknown URN, an object is the whole extension and any other
 * value is one attribute of it. A bare name that only an extension has refers to the extension, as in a PATCH path.
 */
export function readAttributeKey(key: string, value: Json, resourceType: ResourceType): AttributeKey {
  if (isUrn(key)) return readUrn(key, value, resourceType)
  return { extension: resolveAttributePath(key, resourceType)?.extension, name: key }
}

/** Turns a dotted key into a nested value: `name.givenName` becomes `givenName` in `name`. */
export function expandDottedKey(key: string, value: Json): { name: string; value: Json } {
  const names = key.split('.')
  const [name = key, ...parts] = names
  if (parts.length === 0 || !names.every(isAttributeName)) return { name: key, value }
  return { name, value: parts.reduceRight<Json>((inner, part) => ({ [part]: inner }), value) }
}

function readUrn(key: string, value: Json, resourceType: ResourceType): AttributeKey {
  const whole = knownSchema(key, resourceType)
  if (whole !== undefined) return { ...whole, name: undefined }
  const qualified = splitQualifiedName(key, resourceType)
  if (qualified !== undefined) return qualified
  const colon = key.lastIndexOf(':')
  const [urn, name] = [key.slice(0, colon), key.slice(colon + 1)]
  return isObject(value) || !isUrn(urn) ? { extension: key, name: undefined } : { extension: urn, name }
}

/** Whether the last part of a URN is the name of a password, as in `urn:acme:1.0:password`. */
export function endsInPassword(urn: string): boolean {
  return isPasswordName(urn.slice(urn.lastIndexOf(':') + 1))
}

function knownSchema(urn: string, resourceType: ResourceType): { extension: string | undefined } | undefined {
  if (schemaName(urn) === resourceType.schema.id.toLowerCase()) return { extension: undefined }
  const extension = canonicalUrn(urn, resourceType)
  return extensionAttributes(extension, resourceType) === undefined ? undefined : { extension }
}
