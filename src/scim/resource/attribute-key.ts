import type { Json } from '../json.ts'
import { isObject } from '../json.ts'
import {
  canonicalUrn,
  extensionAttributes,
  isAttributeName,
  isUrn,
  resolveAttributePath,
} from '../schema/attribute-path.ts'
import type { ResourceType } from '../schema/resource-type.ts'

/** Where a key of a body belongs. */
export interface AttributeKey {
  /** The URN of the extension, as it is written here; undefined for the core. */
  readonly extension: string | undefined
  /** The attribute as it was named, perhaps dotted; undefined when the key means the whole core or extension. */
  readonly name: string | undefined
}

/**
 * Reads a key of a POST or PUT body, or of an extension's object in it. Behind an unknown URN an object is the whole
 * extension, anything else one attribute of it. A bare name that only an extension has is taken for the extension's, as
 * in a PATCH path.
 */
export function readAttributeKey(key: string, value: Json, resourceType: ResourceType): AttributeKey {
  if (isUrn(key)) return readUrn(key, value, resourceType)
  return { extension: resolveAttributePath(key, resourceType)?.extension, name: key }
}

/** The value of a dotted key as that of its first name: `name.givenName` is the `givenName` of `name`. */
export function expandDottedKey(key: string, value: Json): { name: string; value: Json } {
  const names = key.split('.')
  const [name = key, ...parts] = names
  if (parts.length === 0 || !names.every(isAttributeName)) return { name: key, value }
  return { name, value: parts.reduceRight<Json>((inner, part) => ({ [part]: inner }), value) }
}

function readUrn(key: string, value: Json, resourceType: ResourceType): AttributeKey {
  const whole = knownSchema(key, resourceType)
  if (whole !== undefined) return { ...whole, name: undefined }
  const colon = key.lastIndexOf(':')
  const [urn, name] = [key.slice(0, colon), key.slice(colon + 1)]
  const known = knownSchema(urn, resourceType)
  if (known !== undefined) return { ...known, name }
  return isObject(value) || !isUrn(urn) ? { extension: key, name: undefined } : { extension: urn, name }
}

function knownSchema(urn: string, resourceType: ResourceType): { extension: string | undefined } | undefined {
  if (urn.toLowerCase() === resourceType.schema.id.toLowerCase()) return { extension: undefined }
  const extension = canonicalUrn(urn, resourceType)
  return extensionAttributes(extension, resourceType) === undefined ? undefined : { extension }
}
