import { ScimError } from '../errors.ts'
import type { Filter } from '../filter/ast.ts'
import { equalityConditions } from '../filter/ast.ts'
import { fold } from '../fold.ts'
import type { Json } from '../json.ts'
import { isObject } from '../json.ts'
import { isUnassigned } from '../resource/attribute-value.ts'
import { coerceAttribute } from '../resource/coerce.ts'
import type { MemberValue } from '../resource/members.ts'
import { parseMemberValues } from '../resource/members.ts'
import type { Attribute } from '../schema/schema.ts'
import type { AttributeTarget, PatchOperation } from './operation.ts'
import { isMembers } from './operation.ts'

/**
 * A change to a group's members. The filter of `remove-where` applies to a single member: value, type, display, $ref.
 * `require` changes nothing: one of the ids must be a member at that point, otherwise the request fails with `noTarget`.
 */
export type MemberOperation =
  | { readonly op: 'add'; readonly members: readonly MemberValue[] }
  | { readonly op: 'remove'; readonly ids: readonly string[] }
  | { readonly op: 'remove-all' }
  | { readonly op: 'replace'; readonly members: readonly MemberValue[] }
  | { readonly op: 'remove-where'; readonly filter: Filter }
  | { readonly op: 'require'; readonly ids: readonly string[] }

/** The operations of a PATCH on a group; both lists are in the order of the request. */
export interface SplitOperations {
  readonly members: MemberOperation[]
  readonly others: PatchOperation[]
}

/**
 * Separates the operations on `members` from the others: members are stored in rows of their own, so that a change does
 * not read and write the whole list.
 *
 * @throws ScimError `mutability` when a member's value, type or $ref would change (RFC 7643 §4.2), `invalidValue` when
 *   `parseMemberValues` rejects a member, `noTarget` when nothing says which member to add
 */
export function splitMemberOperations(operations: readonly PatchOperation[]): SplitOperations {
  const split: SplitOperations = { members: [], others: [] }
  for (const operation of operations) {
    const { path } = operation
    if (path.kind === 'extension' || !isMembers(path)) split.others.push(operation)
    else split.members.push(...memberOperations(path, operation))
  }
  return split
}

function memberOperations(path: AttributeTarget, { op, value }: PatchOperation): MemberOperation[] {
  const { subAttribute, filter } = path
  if (subAttribute !== undefined) return subAttributeOperations(path, subAttribute, { op, value })
  if (filter !== undefined) return filteredOperations(op, filter, value)
  if (op !== 'remove') return [{ op, members: parseMemberValues(value) }]
  return [value === undefined || value === null ? { op: 'remove-all' } : { op, ids: idsIn(value) }]
}

/** Changes to a sub-attribute of members: immutable ones must stay equal, changes to others are ignored. */
function subAttributeOperations(
  { filter }: AttributeTarget,
  part: Attribute,
  { op, value }: Pick<PatchOperation, 'op' | 'value'>,
): MemberOperation[] {
  const isImmutable = part.mutability === 'immutable'
  if (isImmutable && (op === 'remove' || !isAlreadyTrue(filter, part, value))) throw immutable()
  const ids = op === 'replace' && filter !== undefined ? idsOf(filter) : undefined
  return ids === undefined ? [] : [{ op: 'require', ids }]
}

/** Whether the filter already requires that value of the members it matches. */
function isAlreadyTrue(filter: Filter | undefined, part: Attribute, value: Json | undefined): boolean {
  const required = filter && equalityConditions(filter)?.[part.name]
  const sent = coerceAttribute(part, value ?? null, `members.${part.name}`)
  if (typeof required !== 'string' || typeof sent !== 'string') return false
  return part.caseExact ? required === sent : fold(required) === fold(sent)
}

function filteredOperations(op: PatchOperation['op'], filter: Filter, value: Json | undefined): MemberOperation[] {
  const ids = idsOf(filter)
  if (op === 'remove') return [ids === undefined ? { op: 'remove-where', filter } : { op, ids }]
  if (ids === undefined)
    throw new ScimError(400, 'noTarget', `To ${op} members, the filter must have the form value eq "…".`)
  if (op === 'replace' && isUnassigned(value))
    return [
      { op: 'require', ids },
      { op: 'remove', ids },
    ]
  const members = memberValues(value ?? null, ids)
  const picked = new Set(ids)
  if (members.some((member) => !picked.has(member.value))) throw immutable()
  return [op === 'replace' ? { op: 'require', ids } : { op: 'add', members }]
}

/**
 * The members that a filter selects by id, with details when the value has some; a value without ids applies to each.
 */
function memberValues(value: Json, ids: readonly string[]): readonly MemberValue[] {
  const namesNobody = isUnassigned(value) || isWithoutValue(value)
  return namesNobody ? ids.map((id) => ({ value: id })) : parseMemberValues(value)
}

function isWithoutValue(value: Json): boolean {
  return isObject(value) && !Object.keys(value).some((name) => name.toLowerCase() === 'value')
}

function idsIn(value: Json): string[] {
  return parseMemberValues(value).map((member) => member.value)
}

/** The ids in a filter made of `value eq "…"` joined by `or`; undefined for any other filter. */
function idsOf(filter: Filter): string[] | undefined {
  if (filter.kind === 'compare') {
    const { path, operator, value } = filter
    return path.attribute.name === 'value' && operator === 'eq' && typeof value === 'string' ? [value] : undefined
  }
  if (filter.kind !== 'or') return undefined
  const [left, right] = [idsOf(filter.left), idsOf(filter.right)]
  return left && right && [...left, ...right]
}

function immutable(): ScimError {
  return new ScimError(
    400,
    'mutability',
    'A member cannot be changed into another one: remove it and add the other one.',
  )
}

/** A change that can be applied without reading the current members. */
export type FoldableMemberOperation = Exclude<MemberOperation, { op: 'remove-where' | 'require' }>

/** The error for a path that selects no member (RFC 7644 §3.5.2.3). */
export function noMember(): ScimError {
  return new ScimError(400, 'noTarget', 'No member of the group matches the filter of the path.')
}

/** The combined effect of several changes, keyed by member id; no id is both added and removed. */
export type MemberChanges =
  | {
      readonly kind: 'delta'
      readonly add: ReadonlyMap<string, MemberValue>
      readonly remove: ReadonlySet<string>
    }
  | { readonly kind: 'replace'; readonly members: ReadonlyMap<string, MemberValue> }

/** Combines changes that are made one after the other; the last one that names a member wins. */
export function foldMemberOperations(operations: readonly FoldableMemberOperation[]): MemberChanges {
  const fold = createMemberFold()
  for (const operation of operations) fold.apply(operation)
  return fold.changes()
}

/** Combines changes of members one by one. */
export interface MemberFold {
  apply(operation: FoldableMemberOperation): void
  /** Whether somebody is a member after the changes so far; undefined when they do not decide it. */
  decides(id: string): boolean | undefined
  changes(): MemberChanges
}

export function createMemberFold(): MemberFold {
  const add = new Map<string, MemberValue>()
  const remove = new Set<string>()
  /** Whether all previous members are removed. */
  let replaces = false

  function clear(): void {
    replaces = true
    add.clear()
    remove.clear()
  }
  function addAll(members: readonly MemberValue[]): void {
    for (const member of members) {
      add.set(member.value, member)
      remove.delete(member.value)
    }
  }
  function removeAll(ids: readonly string[]): void {
    for (const id of ids) {
      add.delete(id)
      if (!replaces) remove.add(id)
    }
  }
  return {
    apply(operation) {
      if (operation.op === 'replace' || operation.op === 'remove-all') clear()
      if (operation.op === 'remove') removeAll(operation.ids)
      else if (operation.op !== 'remove-all') addAll(operation.members)
    },
    decides(id) {
      if (add.has(id)) return true
      return replaces || remove.has(id) ? false : undefined
    },
    changes: () => (replaces ? { kind: 'replace', members: add } : { kind: 'delta', add, remove }),
  }
}
