import { wrongType } from '../errors.ts'
import type { Filter } from '../filter/ast.ts'
import type { Json } from '../json.ts'
import { isObject } from '../json.ts'
import { coerceAttribute } from '../resource/coerce.ts'
import { readObjectShape, readShape } from '../resource/value-shape.ts'
import { membersAttribute } from '../schema/group.ts'
import type { AttributePath, ResourceType } from '../schema/resource-type.ts'

/** The types of operations (RFC 7644 §3.5.2). */
export type Op = 'add' | 'replace' | 'remove'

/** Sets a value; null, `[]` and `""` unassign the attribute. */
export interface AssignOperation {
  readonly op: 'add' | 'replace'
  readonly path: PatchPath
  readonly value: Json
}

/** Unassigns an attribute, or removes the given values from a list. */
export interface RemoveOperation {
  readonly op: 'remove'
  readonly path: PatchPath
  readonly value: Json | undefined
}

/** One change of a PATCH request. */
export type PatchOperation = AssignOperation | RemoveOperation

/** An attribute, the elements of it that match a filter, or a sub-attribute of either. */
export interface AttributeTarget extends AttributePath {
  readonly kind: 'attribute'
  /** A filter over the sub-attributes; undefined selects every element. */
  readonly filter: Filter | undefined
  /** See `ExtensionTarget`. */
  readonly written?: string
}

/** An extension as a whole. */
export interface ExtensionTarget {
  readonly kind: 'extension'
  readonly extension: string
  /** The path as written, if it begins with an unknown URN: the extensions of the resource decide how it is read. */
  readonly written?: string
}

/** The target of a PATCH operation's path (RFC 7644 §3.5.2). */
export type PatchPath = AttributeTarget | ExtensionTarget

/** The value of an operation in the shape that its target has. */
export function shapedFor(path: PatchPath, value: Json, resourceType: ResourceType): Json {
  return path.kind === 'extension'
    ? readObjectShape(value, resourceType)
    : readShape(path.subAttribute ?? path.attribute, value)
}

/**
 * Checks the value of an operation in the strict profile: the value of what the path selects.
 *
 * @throws ScimError 400 `invalidValue`, `invalidSyntax`
 */
export function requireDefinedValue(path: PatchPath, value: Json): void {
  if (path.kind === 'attribute') {
    const { attribute, subAttribute, filter } = path
    coerceAttribute(subAttribute ?? { ...attribute, multiValued: attribute.multiValued && filter === undefined }, value)
  } else if (value !== null && !isObject(value)) throw wrongType(path.extension, 'an object', value)
}

/** Returns whether a path points to a group's members or inside them. */
export function isMembers({ extension, attribute }: AttributePath): boolean {
  return extension === undefined && attribute.name === membersAttribute.name && attribute.type === 'complex'
}

/** Returns whether writing an attribute is accepted but has no effect: passwords are not stored and `schemas` is computed. */
export function isIgnored({ extension, attribute, subAttribute }: AttributePath): boolean {
  if (attribute.mutability === 'writeOnly' || subAttribute?.mutability === 'writeOnly') return true
  return extension === undefined && attribute.name === 'schemas'
}

/** Returns whether only the service provider can set an attribute. A member's `display` is ignored instead. */
export function isReadOnly(path: AttributePath): boolean {
  const { attribute, subAttribute } = path
  if (attribute.mutability === 'readOnly') return true
  return subAttribute?.mutability === 'readOnly' && !isMembers(path)
}
