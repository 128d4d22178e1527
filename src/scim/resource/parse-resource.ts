import { ScimError } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import type { Attribute, AttributeTable } from '../schema/attribute.ts'
import { unknownAttribute } from '../schema/attribute.ts'
import { coreAttribute, extensionAttributes } from '../schema/attribute-path.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import { groupType, userType } from '../schema/resource-type.ts'
import { readAttributeKey, undotted } from './attribute-key.ts'
import { attributeNamed, coerceAttribute, keepAsSent } from './coerce.ts'
import { preferredEmail } from './email.ts'
import { invalidValue, wrongType } from './invalid-value.ts'
import { merge } from './merge.ts'
import { boundedNames } from './names.ts'
import { schemasOf } from './schemas-of.ts'

const groupUrn = groupType.schema.id.toLowerCase()

/**
 * The body of a POST or PUT as the resource to store (RFC 7644 §3.3, §3.5.1), `schemas` first: names and values in their
 * canonical form, what only the service provider sets left out, what no schema knows kept. A password is forgotten;
 * a group's members are read by `membersOf`; a user without userName gets the e-mail address for one.
 *
 * @throws ScimError 400 `invalidSyntax` when it is no object, `invalidValue` when a value is missing or does not fit
 */
export function parseResource(resourceType: ResourceType, body: unknown): JsonObject {
  if (!isObject(body))
    throw new ScimError(400, 'invalidSyntax', `The body must be a JSON object: a ${resourceType.name}.`)
  const resource: JsonObject = { schemas: [] }
  for (const key of boundedNames(body, resourceType.name)) put(resource, key, body[key] ?? null, resourceType)
  if (resourceType.name === userType.name) deriveUserName(resource)
  requireAttributes(resource, resourceType)
  resource['schemas'] = schemasOf(resource, resourceType)
  return resource
}

/** The `members` of a Group's body as they were sent, null as []; undefined when the body does not mention them. */
export function membersOf(body: unknown): Json | undefined {
  if (!isObject(body)) return undefined
  const key = Object.keys(body).find(isMembers)
  if (key !== undefined) return body[key] ?? []
  const core = Object.keys(body).find((name) => name.toLowerCase() === groupUrn)
  return core === undefined ? undefined : membersIn(body[core])
}

/** The members in an object under the core schema's URN; null as []. */
function membersIn(core: Json | undefined): Json | undefined {
  if (!isObject(core)) return undefined
  const key = Object.keys(core).find((name) => name.toLowerCase() === 'members')
  return key === undefined ? undefined : (core[key] ?? [])
}

function isMembers(key: string): boolean {
  const folded = key.toLowerCase()
  return folded === 'members' || folded === `${groupUrn}:members`
}

function put(resource: JsonObject, key: string, value: Json, resourceType: ResourceType): void {
  const attribute = coreAttribute(key, resourceType)
  if (attribute !== undefined) putAttribute(resource, attribute, value, resourceType)
  else if (keepAsSent(value, key) !== undefined) putElsewhere(resource, key, value, resourceType)
}

/** Puts the value of a key that is not simply the name of a core attribute. */
function putElsewhere(resource: JsonObject, key: string, value: Json, resourceType: ResourceType): void {
  const { extension, name } = readAttributeKey(key, value, resourceType)
  if (extension === undefined) {
    if (name === undefined) putCoreObject(resource, key, value, resourceType)
    else putNamed(resource, name, value, resourceType)
  } else {
    const object = name === undefined ? value : objectWith(name, value)
    putExtension(resource, extension, object, resourceType)
  }
}

/** Takes the core attributes out of an object under the core schema's URN, which has no object of its own. */
function putCoreObject(resource: JsonObject, urn: string, value: Json, resourceType: ResourceType): void {
  if (!isObject(value)) throw wrongType(urn, 'an object', value)
  for (const name of boundedNames(value, urn)) putNamed(resource, name, value[name] ?? null, resourceType)
}

function putNamed(resource: JsonObject, dotted: string, given: Json, resourceType: ResourceType): void {
  const { name, value } = undotted(dotted, given)
  putAttribute(resource, coreAttribute(name, resourceType) ?? unknownAttribute(name), value, resourceType)
}

function putAttribute(resource: JsonObject, attribute: Attribute, value: Json, resourceType: ResourceType): void {
  if (!isIgnored(attribute, resourceType)) putCoerced(resource, attribute.name, coerceAttribute(attribute, value))
}

function putExtension(resource: JsonObject, urn: string, value: Json, resourceType: ResourceType): void {
  const attributes = extensionAttributes(urn, resourceType)
  putCoerced(resource, urn, attributes === undefined ? keepAsSent(value, urn) : coerceExtension(attributes, value, urn))
}

function coerceExtension(attributes: AttributeTable, value: Json, urn: string): JsonObject | undefined {
  if (Array.isArray(value) && value.length === 0) return undefined
  if (!isObject(value)) throw wrongType(urn, 'an object', value)
  const extension: JsonObject = {}
  for (const key of boundedNames(value, urn)) {
    const { name, value: given } = undotted(key, value[key] ?? null)
    const attribute = attributeNamed(attributes, name) ?? unknownAttribute(name)
    putCoerced(extension, attribute.name, coerceAttribute(attribute, given, `${urn}:${attribute.name}`))
  }
  return Object.keys(extension).length === 0 ? undefined : extension
}

/** Puts a value beside what an earlier key said of the same attribute; `__proto__` is no name of an attribute. */
function putCoerced(holder: JsonObject, name: string, value: Json | undefined): void {
  if (value === undefined || name === '__proto__') return
  const earlier = own(holder, name)
  holder[name] = earlier === undefined ? value : merge(earlier, value)
}

function objectWith(dotted: string, given: Json): JsonObject {
  const { name, value } = undotted(dotted, given)
  return { [name]: value }
}

/** What the service provider sets itself, or never stores. */
function isIgnored({ name, mutability }: Attribute, resourceType: ResourceType): boolean {
  if (mutability === 'readOnly' || mutability === 'writeOnly' || name === 'schemas') return true
  return name === 'members' && resourceType.name === groupType.name
}

function deriveUserName(user: JsonObject): void {
  const email = own(user, 'userName') === undefined ? preferredEmail(user) : undefined
  if (email !== undefined) user['userName'] = email
}

function requireAttributes(resource: JsonObject, { name: typeName, schema }: ResourceType): void {
  for (const { name, required } of schema.attributes.values()) {
    if (required && own(resource, name) === undefined)
      throw invalidValue(`${name} is required: a ${typeName} must have one.`)
  }
}
