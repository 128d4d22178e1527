import { invalidValue, ScimError, wrongType } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { isObject, own, sameJson } from '../json.ts'
import { endsInPassword } from '../resource/attribute-key.ts'
import { isUnassigned } from '../resource/attribute-value.ts'
import { requireVisible, schemasOf } from '../resource/parse-resource.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'
import { changeAttribute } from './change-attribute.ts'
import type { Draft } from './draft.ts'
import { createDraft } from './draft.ts'
import { expandExtension } from './expand-object.ts'
import type { GrowingLists } from './growing-lists.ts'
import { createGrowingLists, isAddition } from './growing-lists.ts'
import { requireAcceptableWork } from './limits.ts'
import type { AttributeTarget, PatchOperation, PatchPath } from './operation.ts'
import { isIgnored } from './operation.ts'
import { parsePath } from './path.ts'

/**
 * Applies operations one after the other (RFC 7644 §3.5.2) and returns the new resource; the input is not modified.
 * Group members are handled separately: see `splitMemberOperations`.
 *
 * @returns a resource equal to the input when nothing changes
 * @throws ScimError `invalidValue` when a value does not fit, a required attribute has no value at the end, or the
 *   request is too much work; `mutability` when a required attribute was removed; `noTarget` when a filter matches no
 *   element and none can be created from it
 */
export function applyPatch(
  resourceType: ResourceType,
  resource: JsonObject,
  operations: readonly PatchOperation[],
): JsonObject {
  requireAcceptableWork(resource, operations)
  const draft = createDraft(resource)
  const growing = createGrowingLists(draft.valueOf)
  for (const operation of operations) {
    if (isAddition(operation)) growing.add(operation)
    else {
      assignLists(draft, growing)
      applyOperation(resourceType, draft, operation)
    }
  }
  assignLists(draft, growing)
  const changed = draft.resource()
  requireAttributes(resourceType, changed, operations)
  return { ...changed, schemas: schemasOf(changed, resourceType) }
}

function assignLists(draft: Draft, growing: GrowingLists): void {
  for (const { path, after } of growing.take()) {
    if (!sameJson(draft.valueOf(path), after)) draft.assign(path, after)
  }
}

function applyOperation(resourceType: ResourceType, draft: Draft, operation: PatchOperation): void {
  const path = currentPath(operation, draft, resourceType)
  if (path.kind === 'extension' ? endsInPassword(path.extension) : isIgnored(path)) return
  if (path.kind === 'attribute') applyToAttribute(draft, path, operation)
  else applyToExtension(resourceType, draft, path.extension, operation)
}

/** The path under an unknown URN as the extensions decide that the resource has by now. */
function currentPath({ path, value }: PatchOperation, draft: Draft, resourceType: ResourceType): PatchPath {
  return path.written === undefined ? path : parsePath(path.written, resourceType, value, draft.holds)
}

function applyToAttribute(draft: Draft, path: AttributeTarget, operation: PatchOperation): void {
  const before = draft.valueOf(path)
  const after = changeAttribute(before, path, operation, draft.owned)
  if (!sameJson(before, after)) draft.assign(path, after)
}

/** Applies an operation to an extension: `add` and `replace` both merge the named attributes, `remove` removes them. */
function applyToExtension(
  resourceType: ResourceType,
  draft: Draft,
  extension: string,
  { op, value }: PatchOperation,
): void {
  if (value === undefined || isUnassigned(value)) {
    draft.removeExtension(extension)
    return
  }
  if (!isObject(value)) throw wrongType(extension, 'an object', value)
  for (const part of expandExtension(value, draft.keyOf(extension), resourceType))
    applyToAttribute(draft, part.path, { op, ...part })
}

function requireAttributes(
  { schema }: ResourceType,
  resource: JsonObject,
  operations: readonly PatchOperation[],
): void {
  for (const attribute of schema.attributes.values()) {
    if (!attribute.required) continue
    const value = own(resource, attribute.name)
    requireVisible(attribute.name, value ?? null)
    if (!isUnassigned(value)) continue
    throw isRemoved(attribute, operations)
      ? new ScimError(400, 'mutability', `${attribute.name} is required and cannot be removed.`)
      : invalidValue(`${attribute.name} is required.`)
  }
}

function isRemoved(attribute: Attribute, operations: readonly PatchOperation[]): boolean {
  return operations.some(({ op, path }) => op === 'remove' && path.kind === 'attribute' && path.attribute === attribute)
}
