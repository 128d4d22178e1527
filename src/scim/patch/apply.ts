import { invalidValue, ScimError, wrongType } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { isObject, own, sameJson } from '../json.ts'
import { endsInPassword } from '../resource/attribute-key.ts'
import { isUnassigned, unwrapSingle } from '../resource/attribute-value.ts'
import { requireVisible, schemasOf } from '../resource/parse-resource.ts'
import { extensionAttributes, isInUnknownExtension } from '../schema/attribute-path.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'
import { unknownAttribute } from '../schema/schema.ts'
import { changeAttribute } from './change-attribute.ts'
import type { Draft } from './draft.ts'
import { createDraft } from './draft.ts'
import { expandExtension } from './expand-object.ts'
import type { GrowingLists } from './growing-lists.ts'
import { createGrowingLists, isAddition } from './growing-lists.ts'
import { requireAcceptableWork } from './limits.ts'
import type { AttributeTarget, ExtensionTarget, PatchOperation, PatchPath } from './operation.ts'
import { isIgnored } from './operation.ts'

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
  const path = resolveAmbiguousPath(operation, draft, resourceType)
  if (path.kind === 'extension' ? endsInPassword(path.extension) : isIgnored(path)) return
  if (path.kind === 'attribute') applyToAttribute(draft, path, operation)
  else applyToExtension(resourceType, draft, path.extension, operation)
}

function applyToAttribute(draft: Draft, path: AttributeTarget, operation: PatchOperation): void {
  const before = draft.valueOf(path)
  const after = changeAttribute(before, path, operation, draft.owned)
  if (!sameJson(before, after)) draft.assign(path, after)
}

/** Applies an operation to an extension: `add` and `replace` both merge the named attributes. */
function applyToExtension(
  resourceType: ResourceType,
  draft: Draft,
  extension: string,
  { op, value }: PatchOperation,
): void {
  if (op === 'remove' || isUnassigned(value)) {
    draft.removeExtension(extension)
    return
  }
  const object = unwrapSingle(value)
  if (!isObject(object)) throw wrongType(extension, 'an object', value)
  const parts = expandExtension(op, object, draft.keyOf(extension), resourceType)
  for (const part of parts) applyToAttribute(draft, part.path, part)
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

/**
 * Resolves an unknown URN such as `urn:acme:2.0:User:badge`, which may be an extension or the attribute `badge` of the
 * extension before it. The content of the resource decides, then the type of the value.
 */
export function resolveAmbiguousPath(
  { path, value }: PatchOperation,
  draft: Pick<Draft, 'holds'>,
  resourceType: ResourceType,
): PatchPath {
  const afterDot = afterDottedUrn(path, resourceType)
  if (afterDot?.extension !== undefined && draft.holds(afterDot.extension)) return afterDot
  const readings = interpretationsOf(path, resourceType)
  if (readings === undefined) return path
  const { whole, part } = readings
  if (draft.holds(whole.extension)) return whole
  if (part.extension !== undefined && draft.holds(part.extension)) return part
  const canBeWhole = isUnassigned(value) || isObject(value)
  return canBeWhole ? path : part
}

interface Interpretations {
  readonly whole: ExtensionTarget
  readonly part: AttributeTarget
}

/** Both interpretations of an ambiguous path; undefined for any other path. */
function interpretationsOf(path: PatchPath, resourceType: ResourceType): Interpretations | undefined {
  if (path.kind === 'extension') {
    const part = asAttribute(path.extension, resourceType)
    return part && { whole: path, part }
  }
  const { extension, attribute, subAttribute, filter } = path
  const isSingleName = subAttribute === undefined && filter === undefined
  if (!isSingleName || !isInUnknownExtension(path, resourceType)) return undefined
  return { whole: { kind: 'extension', extension: `${extension}:${attribute.name}` }, part: path }
}

/**
 * The path with the dot read as a colon: `urn:acme:2.0:User.badge` may be the attribute `badge` of `urn:acme:2.0:User`.
 */
function afterDottedUrn(path: PatchPath, resourceType: ResourceType): AttributeTarget | undefined {
  if (path.kind === 'extension' || path.subAttribute === undefined || path.filter !== undefined) return undefined
  if (!isInUnknownExtension(path, resourceType)) return undefined
  const extension = `${path.extension}:${path.attribute.name}`
  return { ...path, extension, attribute: path.subAttribute, subAttribute: undefined }
}

function asAttribute(urn: string, resourceType: ResourceType): AttributeTarget | undefined {
  if (extensionAttributes(urn, resourceType)) return undefined
  const colon = urn.lastIndexOf(':')
  const attribute = unknownAttribute(urn.slice(colon + 1))
  return { kind: 'attribute', extension: urn.slice(0, colon), attribute, subAttribute: undefined, filter: undefined }
}
