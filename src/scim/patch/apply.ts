import { ScimError } from '../errors.ts'
import { attributeValue, containerOf, existingKey } from '../filter/read.ts'
import type { JsonObject } from '../json.ts'
import { isObject, own, sameJson } from '../json.ts'
import { invalidValue } from '../resource/invalid-value.ts'
import { schemasOf } from '../resource/schemas-of.ts'
import type { Attribute } from '../schema/attribute.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import { changeAttribute } from './change-attribute.ts'
import { expandExtension } from './expand-object.ts'
import type { PatchOperation } from './operation.ts'
import type { AttributeTarget } from './path.ts'
import { settlePath } from './settle-path.ts'
import { isUnassigned, unlessEmpty, unwrapped, withValue } from './values.ts'

/**
 * The resource after all operations, one on the result of the other (RFC 7644 §3.5.2). The given resource stays as it
 * is, so that an error leaves nothing behind. Members of groups are not changed here: see `splitMemberOperations`.
 *
 * @returns a resource equal to the given one when nothing changes
 * @throws ScimError `invalidValue` when a value does not fit or a required attribute is unassigned at the end,
 *   `mutability` when one has been removed, `noTarget` when a filter picks nothing and says nothing to create
 */
export function applyPatch(
  resourceType: ResourceType,
  resource: JsonObject,
  operations: readonly PatchOperation[],
): JsonObject {
  const patched = operations.reduce((current, operation) => applyOperation(resourceType, current, operation), resource)
  requireAttributes(resourceType, patched, operations)
  return { ...patched, schemas: schemasOf(patched, resourceType) }
}

function applyOperation(resourceType: ResourceType, resource: JsonObject, operation: PatchOperation): JsonObject {
  const path = settlePath(operation, resource, resourceType)
  return path.kind === 'attribute'
    ? applyToAttribute(resource, path, operation)
    : applyToExtension(resourceType, resource, path.extension, operation)
}

function applyToAttribute(resource: JsonObject, path: AttributeTarget, operation: PatchOperation): JsonObject {
  const before = attributeValue(resource, path)
  const after = changeAttribute(before, path, operation)
  if (sameJson(before, after)) return resource
  const container = containerOf(resource, path) ?? {}
  const { name, type } = path.attribute
  const changed = withValue(container, type === 'any' ? existingKey(container, name) : name, after)
  if (path.extension === undefined) return changed
  return withValue(resource, existingKey(resource, path.extension), unlessEmpty(changed))
}

/** Add and replace alike merge the attributes that are named. */
function applyToExtension(
  resourceType: ResourceType,
  resource: JsonObject,
  extension: string,
  { op, value }: PatchOperation,
): JsonObject {
  const urn = existingKey(resource, extension)
  if (op === 'remove') return withValue(resource, urn, undefined)
  const object = unwrapped(value)
  if (isUnassigned(object)) return withValue(resource, urn, undefined)
  if (!isObject(object)) throw invalidValue(`${extension} must be an object.`)
  const parts = expandExtension(op, object, urn, resourceType)
  return parts.reduce((current, part) => applyToAttribute(current, part.path, part), resource)
}

function requireAttributes(
  { schema }: ResourceType,
  resource: JsonObject,
  operations: readonly PatchOperation[],
): void {
  for (const attribute of schema.attributes.values()) {
    if (!attribute.required || !isUnassigned(own(resource, attribute.name))) continue
    throw isRemoved(attribute, operations)
      ? new ScimError(400, 'mutability', `${attribute.name} is required and cannot be removed.`)
      : invalidValue(`${attribute.name} is required.`)
  }
}

function isRemoved(attribute: Attribute, operations: readonly PatchOperation[]): boolean {
  return operations.some(({ op, path }) => op === 'remove' && path.kind === 'attribute' && path.attribute === attribute)
}
