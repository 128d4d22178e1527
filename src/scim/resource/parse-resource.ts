import { invalidValue, quote, ScimError, undefinedName, wrongType } from '../errors.ts'
import { fold } from '../fold.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import { maxUrnLength } from '../limits.ts'
import { coreAttribute } from '../schema/attribute-path.ts'
import { extensionAttributes, schemaName } from '../schema/qualified-name.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import { groupType, resourceTypes, userType } from '../schema/resource-type.ts'
import type { Attribute, AttributeTable } from '../schema/schema.ts'
import { unknownAttribute } from '../schema/schema.ts'
import { isExtensionUrn, isUrn } from '../schema/urn.ts'
import { endsInPassword, expandDottedKey, readAttributeKey } from './attribute-key.ts'
import { asObject, isUnassigned, unwrapSingle } from './attribute-value.ts'
import { coerceAttribute, findAttribute, keepUnknown } from './coerce.ts'
import { withoutDuplicates } from './duplicates.ts'
import { keysWithinLimit, requireValueLimit } from './limits.ts'
import type { OwnedObjects } from './owned-objects.ts'
import { createOwnedObjects } from './owned-objects.ts'
import { preferredEmail } from './user-fields.ts'
import { readObjectShape } from './value-shape.ts'

/**
 * Parses the body of a POST into the resource to store (RFC 7644 §3.3), with `schemas` first. Names and values become
 * canonical, read-only attributes and passwords are dropped, unknown attributes are kept. A group's members are left to
 * `membersOf`; a user without userName gets the email address as userName. The strict profile rejects unknown attributes, a
 * body without its `schemas`, and a user without userName.
 *
 * @throws ScimError 400 `invalidSyntax` when it is not an object, or not as the schemas of a strict directory define it;
 *   `invalidValue` when a value is missing or does not fit
 */
export function parseResource(resourceType: ResourceType, body: unknown): JsonObject {
  const resource = parseAttributes(resourceType, body)
  if (resourceType === userType) deriveUserName(resource)
  return complete(resource, resourceType)
}

/**
 * The same for the body of a PUT (RFC 7644 §3.5.1), except that a user without userName keeps the present one. The
 * email address is not the name that the user signs in with, and may be the userName of another user. In the strict profile,
 * nothing that is required may be left out.
 *
 * @throws ScimError as `parseResource`
 */
export function parseReplacement(resourceType: ResourceType, body: unknown): JsonObject {
  const optional = resourceType.profile === 'strict' ? undefined : 'userName'
  return complete(parseAttributes(resourceType, body), resourceType, optional)
}

function parseAttributes(resourceType: ResourceType, body: unknown): JsonObject {
  if (!isObject(body))
    throw new ScimError(400, 'invalidSyntax', `The body must be a JSON object: a ${resourceType.name}.`)
  const resource: JsonObject = { schemas: [] }
  const keys = keysWithinLimit(body, resourceType.name)
  if (resourceType.profile === 'strict' && !keys.some((key) => key.toLowerCase() === 'schemas'))
    throw new ScimError(400, 'invalidSyntax', `The body needs schemas: a list with "${resourceType.schema.id}".`)
  requireValueLimit(keys.filter((key) => !isMembers(key, resourceType)).map((key) => body[key] ?? null))
  const draft: Draft = { resource, resourceType, owned: createOwnedObjects(), holds: createHolds(body, resourceType) }
  // Parts come last, because they are set in every element of a list, as by a PATCH.
  const parts = keys.filter(isPart)
  for (const key of keys) if (!isPart(key)) put(draft, key, body[key] ?? null)
  for (const key of parts) put(draft, key, body[key] ?? null)
  return resource
}

/** Checks that the required attributes exist, and sets `schemas`. Modifies and returns the resource. */
function complete(resource: JsonObject, resourceType: ResourceType, optional?: 'userName'): JsonObject {
  requireAttributes(resource, resourceType, optional)
  resource['schemas'] = schemasOf(resource, resourceType)
  return resource
}

/** A resource that is being made from a body. */
interface Draft {
  readonly resource: JsonObject
  readonly resourceType: ResourceType
  readonly owned: OwnedObjects
  /** Returns whether the body names an extension, in `schemas` or as the key of an object. */
  readonly holds: (urn: string) => boolean
}

function createHolds(body: JsonObject, resourceType: ResourceType): Draft['holds'] {
  let named: ReadonlySet<string> | undefined
  return (urn) => {
    named ??= extensionsNamedIn(body, resourceType)
    return named.has(fold(urn))
  }
}

function extensionsNamedIn(body: JsonObject, resourceType: ResourceType): ReadonlySet<string> {
  const listed = Object.entries(body).flatMap(([key, value]) => {
    if (isUrn(key)) return isObject(value) && readAttributeKey(key, value, resourceType).name === undefined ? [key] : []
    return key.toLowerCase() === 'schemas' && Array.isArray(value) ? value : []
  })
  const isUrnText = (urn: Json): urn is string => typeof urn === 'string' && urn.length <= maxUrnLength && isUrn(urn)
  return new Set(listed.filter(isUrnText).map(fold))
}

/** Returns whether a key is the name of a sub-attribute, such as `emails.type`. */
function isPart(key: string): boolean {
  return key.includes('.') && !isUrn(key)
}

function isMembers(key: string, resourceType: ResourceType): boolean {
  return resourceType.name === groupType.name && key.toLowerCase() === 'members'
}

function put(draft: Draft, key: string, value: Json): void {
  const { resourceType } = draft
  const attribute = coreAttribute(key, resourceType)
  if (attribute !== undefined) putAttribute(draft, attribute, value)
  else if (resourceType.profile === 'strict') putExtension(draft, requireExtension(key, resourceType), value)
  else if (keepUnknown(value, key) !== undefined) putByKey(draft, key, value)
}

/** Puts a value whose key is not simply the name of a core attribute. */
function putByKey(draft: Draft, key: string, value: Json): void {
  const { extension, name } = readAttributeKey(key, value, draft.resourceType, draft.holds)
  if (extension === undefined) {
    if (name === undefined) putCoreObject(draft, key, value)
    else putNamed(draft, name, value)
  } else {
    const object = name === undefined ? value : objectWith(name, value)
    putExtension(draft, extension, object)
  }
}

/** Puts the attributes in an object under the core schema's URN, which has no object of its own in a resource. */
function putCoreObject(draft: Draft, urn: string, value: Json): void {
  const object = readObjectShape(value, draft.resourceType)
  if (!isObject(object)) throw wrongType(urn, 'an object', value)
  for (const name of keysWithinLimit(object, urn)) putNamed(draft, name, object[name] ?? null)
}

function putNamed(draft: Draft, key: string, keyValue: Json): void {
  const { name, value } = expandDottedKey(key, keyValue)
  putAttribute(draft, coreAttribute(name, draft.resourceType) ?? unknownAttribute(name), value, name !== key)
}

function putAttribute(
  { resource, resourceType, owned }: Draft,
  attribute: Attribute,
  value: Json,
  isPart = false,
): void {
  if (attribute.name === 'schemas') requireOwnSchemas(value, resourceType)
  if (isIgnored(attribute, resourceType)) return
  const coerced = coerceAttribute(attribute, value)
  if (!isPart || !putPart(resource, attribute, coerced, owned)) putCoerced(resource, attribute.name, coerced, owned)
}

/**
 * Adds the sub-attribute that a dotted key names to each element of a list. Returns false if the attribute has no list
 * yet. Elements that become equal are stored once, and at most one stays primary.
 */
function putPart(resource: JsonObject, attribute: Attribute, value: Json | undefined, owned: OwnedObjects): boolean {
  const elements = own(resource, attribute.name)
  if (value === undefined || !Array.isArray(elements)) return false
  const part = unwrapSingle(value)
  const merged = elements.map((element) => mergeValues(asObject(element), part, owned))
  resource[attribute.name] = attribute.multiValued ? withoutDuplicates(attribute, merged) : merged
  return true
}

function putExtension(draft: Draft, urn: string, value: Json): void {
  const { resource, resourceType, owned } = draft
  const attributes = extensionAttributes(urn, resourceType)
  if (attributes !== undefined) putCoerced(resource, urn, coerceExtension(attributes, value, urn, draft), owned)
  else if (!endsInPassword(urn)) {
    const extension = coerceExtension(noAttributes, value, requireExtensionUrn(urn), draft)
    putCoerced(resource, owned.keyOf(resource, urn), extension, owned)
  }
}

/** The attributes of an extension that this service does not know. */
const noAttributes: AttributeTable = new Map()

function requireExtensionUrn(urn: string): string {
  if (isExtensionUrn(urn)) return urn
  throw invalidValue(
    `${quote(urn)} is not the URN of an extension: it must be valid (RFC 8141) and at most ${maxUrnLength} characters long.`,
  )
}

/** The URN of the extension that a key of a body names in the strict profile. @throws ScimError 400 `invalidSyntax` */
function requireExtension(key: string, { name, extensions }: ResourceType): string {
  const found = extensions.find(({ id }) => id.toLowerCase() === schemaName(key))
  if (found === undefined) throw undefinedName(name, key)
  return found.id
}

/** Rejects a resource of another type. Unknown URNs are ignored, because products send many, except in the strict profile. */
function requireOwnSchemas(value: Json, resourceType: ResourceType): void {
  const { name, schema, profile } = resourceType
  if (profile === 'strict') {
    requireDefinedSchemas(value, resourceType)
    return
  }
  const urns = Array.isArray(value) ? value : [value ?? '']
  for (const urn of urns) {
    if (typeof urn !== 'string') throw wrongType('schemas', 'a list of URNs', value)
    if (urn.length > maxUrnLength) continue
    const other = resourceTypes.find((type) => type.schema !== schema && fold(type.schema.id) === fold(urn))
    if (other !== undefined) throw invalidValue(`schemas names a ${other.name}, but this is the endpoint of a ${name}.`)
  }
}

/** @throws ScimError 400 `invalidSyntax` unless `schemas` lists the core schema, and nothing else than extensions of the type */
function requireDefinedSchemas(value: Json, { name, schema, extensions }: ResourceType): void {
  const urns = (Array.isArray(value) ? value : []).map((urn) => (typeof urn === 'string' ? fold(urn) : ''))
  const defined = [schema, ...extensions].map(({ id }) => fold(id))
  const unknown = urns.find((urn) => !defined.includes(urn))
  if (unknown !== undefined) throw undefinedName(name, unknown)
  if (!urns.includes(fold(schema.id)))
    throw new ScimError(400, 'invalidSyntax', `schemas must be a list with "${schema.id}".`)
}

function coerceExtension(
  attributes: AttributeTable,
  value: Json,
  urn: string,
  { resourceType, owned }: Draft,
): JsonObject | undefined {
  const isStrict = resourceType.profile === 'strict'
  const object = readObjectShape(value, resourceType)
  if (object === null || (isUnassigned(object) && !isStrict)) return undefined
  if (!isObject(object)) throw wrongType(urn, 'an object', value)
  const extension: JsonObject = {}
  for (const key of keysWithinLimit(object, urn)) {
    const { name, value: input } = isStrict
      ? { name: key, value: object[key] ?? null }
      : expandDottedKey(key, object[key] ?? null)
    const found = findAttribute(attributes, name)
    if (found === undefined && isStrict) throw undefinedName(urn, key)
    const attribute = found ?? unknownAttribute(name)
    if (attribute.mutability === 'writeOnly') continue
    const coerced = coerceAttribute(attribute, input, `${urn}:${attribute.name}`)
    const isKeptEmpty = attributes === noAttributes && isUnassigned(input)
    putCoerced(extension, attribute.name, isKeptEmpty ? input : coerced, owned)
  }
  return Object.keys(extension).length === 0 ? undefined : extension
}

/** Adds a value, merged with the one that an earlier key set for the same attribute. Drops `__proto__`. */
function putCoerced(holder: JsonObject, name: string, value: Json | undefined, owned: OwnedObjects): void {
  if (value === undefined || name === '__proto__') return
  const earlier = own(holder, name)
  holder[name] = earlier === undefined ? value : mergeValues(earlier, value, owned)
}

function objectWith(dotted: string, input: Json): JsonObject {
  const { name, value } = expandDottedKey(dotted, input)
  return { [name]: value }
}

/** Attributes that the service provider sets itself or never stores. */
function isIgnored({ name, mutability }: Attribute, resourceType: ResourceType): boolean {
  if (mutability === 'readOnly' || mutability === 'writeOnly' || name === 'schemas') return true
  return name === 'members' && resourceType.name === groupType.name
}

function deriveUserName(user: JsonObject): void {
  const email = own(user, 'userName') === undefined ? preferredEmail(user) : undefined
  if (email !== undefined) user['userName'] = email
}

function requireAttributes(
  resource: JsonObject,
  { name: typeName, schema }: ResourceType,
  optional: 'userName' | undefined,
): void {
  for (const { name, required } of schema.attributes.values()) {
    const value = required ? own(resource, name) : name
    if (value === undefined && name === optional) continue
    if (value === undefined) throw invalidValue(`${name} is required: a ${typeName} must have one.`)
    requireVisible(name, value)
  }
}

/**
 * Rejects a required text that consists of white space.
 *
 * @throws ScimError 400 `invalidValue`
 */
export function requireVisible(name: string, value: Json): void {
  if (typeof value === 'string' && value.trim() === '') throw invalidValue(`${name} must not be only white space.`)
}

/**
 * Merges values that two keys of a body set for the same attribute: objects are merged, and so are the single elements
 * that dotted keys produce (`emails.value`, `emails.type`); otherwise the later one wins.
 */
function mergeValues(earlier: Json | undefined, later: Json, owned: OwnedObjects): Json {
  if (Array.isArray(earlier) && Array.isArray(later)) return mergeArrays(earlier, later, owned)
  if (earlier === undefined || !isObject(earlier) || !isObject(later)) return later
  let merged = earlier
  for (const [name, value] of Object.entries(later)) {
    merged = owned.withValue(merged, name, mergeValues(own(merged, name), value, owned))
  }
  return merged
}

function mergeArrays(earlier: readonly Json[], later: Json[], owned: OwnedObjects): Json[] {
  const [first, ...more] = later
  return first === undefined || more.length > 0 || earlier.length > 1 ? later : [mergeValues(earlier[0], first, owned)]
}

/**
 * The `schemas` of a resource: its core schema and every extension it has (RFC 7643 §3). The order does not depend on
 * the order of its attributes, so that equal resources have equal text.
 */
export function schemasOf(resource: JsonObject, { schema, extensions }: ResourceType): string[] {
  const urns = Object.keys(resource).filter(isUrn)
  if (urns.length < 2) return [schema.id, ...urns]
  const known = extensions.map(({ id }) => id).filter((id) => Object.hasOwn(resource, id))
  const others = urns.filter((urn) => !known.includes(urn))
  return [schema.id, ...known, ...others.sort()]
}
