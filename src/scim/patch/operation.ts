import type { Filter } from '../filter/ast.ts'
import type { Json } from '../json.ts'
import { groupSchema } from '../schema/group.ts'
import type { AttributePath } from '../schema/resource-type.ts'

/** What an operation does with the value (RFC 7644 §3.5.2). */
export type Op = 'add' | 'replace' | 'remove'

/** Assigns a value; null, `[]` and `""` unassign. */
export interface AssignOperation {
  readonly op: 'add' | 'replace'
  readonly path: PatchPath
  readonly value: Json
}

/** Unassigns; of a list, only the values given, if there are any. */
export interface RemoveOperation {
  readonly op: 'remove'
  readonly path: PatchPath
  readonly value: Json | undefined
}

/** One change of a PATCH request. */
export type PatchOperation = AssignOperation | RemoveOperation

/** An attribute, those of its values that a filter picks, or a sub-attribute of either. */
export interface AttributeTarget extends AttributePath {
  readonly kind: 'attribute'
  /** Over the sub-attributes; undefined picks every value. */
  readonly filter: Filter | undefined
}

/** All attributes of an extension together. */
export interface ExtensionTarget {
  readonly kind: 'extension'
  readonly extension: string
}

/** What the path of a PATCH operation leads to (RFC 7644 §3.5.2). */
export type PatchPath = AttributeTarget | ExtensionTarget

const members = groupSchema.attributes.get('members')

/** Whether a path leads to a group's members, or into them. */
export function isMembers({ extension, attribute }: AttributePath): boolean {
  return extension === undefined && attribute === members
}

/** Whether writing an attribute is accepted and forgotten: a password is not kept, and `schemas` is worked out. */
export function isIgnored({ extension, attribute }: AttributePath): boolean {
  return attribute.mutability === 'writeOnly' || (extension === undefined && attribute.name === 'schemas')
}

/** Whether only the service provider sets an attribute. The `display` of a member counts as ignored, not as refused. */
export function isReadOnly(path: AttributePath): boolean {
  const { attribute, subAttribute } = path
  if (attribute.mutability === 'readOnly') return true
  return subAttribute?.mutability === 'readOnly' && !isMembers(path)
}
