import { ScimError } from '../errors.ts'
import type { Filter } from '../filter/ast.ts'
import { equalityConditions } from '../filter/ast.ts'
import { fold } from '../fold.ts'
import type { Json } from '../json.ts'
import { isObject } from '../json.ts'
import { isUnassigned } from '../resource/attribute-value.ts'
import { coerceAttribute } from '../resource/coerce.ts'
import { memberText, parseMemberIds } from '../resource/members.ts'
import type { Attribute } from '../schema/schema.ts'
import type { AttributeTarget, PatchOperation } from './operation.ts'
import { isMembers } from './operation.ts'

/**
 * A change to a group's members. The filter of `remove-where` applies to a single member: value, type, display, $ref.
 * `require` changes nothing: one of the ids must be a member at that point, otherwise the request fails with
 * `noTarget`.
 */
export type MemberOperation =
  | { readonly op: 'add' | 'remove' | 'replace'; readonly ids: ReadonlySet<string> }
  | { readonly op: 'remove-all' }
  | { readonly op: 'remove-where'; readonly filter: Filter }
  | { readonly op: 'require'; readonly ids: ReadonlySet<string> }

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
 * `parseMemberIds` rejects a member, `noTarget` when the operation does not name the member to add
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

/** The texts that operations have in place of a list of members: see `memberText`. */
export function memberTexts(operations: readonly PatchOperation[]): string[] {
  return operations.flatMap(({ path, value }) => {
    const isWhole = path.kind === 'attribute' && isMembers(path) && path.subAttribute === undefined
    return (isWhole && path.filter === undefined ? memberText(value ?? null) : undefined) ?? []
  })
}

function memberOperations(path: AttributeTarget, { op, value }: PatchOperation): MemberOperation[] {
  const { subAttribute, filter } = path
  if (subAttribute !== undefined) return subAttributeOperations(path, subAttribute, { op, value })
  if (filter !== undefined) return filteredOperations(op, filter, value)
  if (op === 'remove' && (value === undefined || value === null)) return [{ op: 'remove-all' }]
  return [{ op, ids: parseMemberIds(value ?? null, path.attribute) }]
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

/** Returns whether the filter already requires that value of the members it matches. */
function isAlreadyTrue(filter: Filter | undefined, part: Attribute, value: Json | undefined): boolean {
  const required = filter && equalityConditions(filter)?.[part.name]
  const sent = coerceAttribute(part, value ?? null, `members.${part.name}`)
  if (typeof required !== 'string' || typeof sent !== 'string') return false
  return part.caseExact ? required === sent : fold(required) === fold(sent)
}

function filteredOperations(op: PatchOperation['op'], filter: Filter, value: Json | undefined): MemberOperation[] {
  const ids = idsOf(filter)
  if (op === 'remove') {
    if (ids === undefined) return [{ op: 'remove-where', filter }]
    return [{ op, ids: isUnassigned(value) ? ids : ids.intersection(parseMemberIds(value ?? null)) }]
  }
  if (ids === undefined)
    throw new ScimError(400, 'noTarget', `To ${op} members, the filter must have the form value eq "…".`)
  if (op === 'replace' && isUnassigned(value))
    return [
      { op: 'require', ids },
      { op: 'remove', ids },
    ]
  const named = idsAmong(ids, value ?? null)
  return [op === 'replace' ? { op: 'require', ids } : { op: 'add', ids: named }]
}

/**
 * The ids in a value; one without ids means all that the filter selects.
 *
 * @throws ScimError `mutability` when the filter does not select one of them
 */
function idsAmong(selected: ReadonlySet<string>, value: Json): ReadonlySet<string> {
  if (isUnassigned(value) || isWithoutValue(value)) return selected
  const ids = parseMemberIds(value)
  if (ids.isSubsetOf(selected)) return ids
  throw immutable()
}

function isWithoutValue(value: Json): boolean {
  return isObject(value) && !Object.keys(value).some((name) => name.toLowerCase() === 'value')
}

/** The ids in a filter made of `value eq "…"` joined by `or`; undefined for any other filter. */
function idsOf(filter: Filter): ReadonlySet<string> | undefined {
  if (filter.kind === 'compare') {
    const { path, operator, value } = filter
    return path.attribute.name === 'value' && operator === 'eq' && typeof value === 'string'
      ? new Set([value])
      : undefined
  }
  if (filter.kind !== 'or') return undefined
  const [left, right] = [idsOf(filter.left), idsOf(filter.right)]
  return left && right && left.union(right)
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

/** The combined effect of several changes on the ids of members; no id is both added and removed. */
export type MemberChanges =
  | {
      readonly kind: 'delta'
      readonly add: ReadonlySet<string>
      readonly remove: ReadonlySet<string>
    }
  | { readonly kind: 'replace'; readonly members: ReadonlySet<string> }

/** Combines changes that are made one after the other; the last one that names a member wins. */
export function foldMemberOperations(operations: readonly FoldableMemberOperation[]): MemberChanges {
  const [only] = operations
  if (only !== undefined && operations.length === 1) return changesOf(only)
  const fold = createMemberFold()
  for (const operation of operations) fold.apply(operation)
  return fold.changes()
}

const none: ReadonlySet<string> = new Set()

/** The effect of one operation. Its ids are not copied, because there may be many. */
function changesOf(operation: FoldableMemberOperation): MemberChanges {
  switch (operation.op) {
    case 'add':
      return { kind: 'delta', add: operation.ids, remove: none }
    case 'remove':
      return { kind: 'delta', add: none, remove: operation.ids }
    case 'replace':
      return { kind: 'replace', members: operation.ids }
    case 'remove-all':
      return { kind: 'replace', members: none }
  }
}

/** Combines changes of members one by one. */
export interface MemberFold {
  apply(operation: FoldableMemberOperation): void
  /** Returns whether a user or group is a member after the changes so far; undefined when they do not affect it. */
  decides(id: string): boolean | undefined
  changes(): MemberChanges
}

export function createMemberFold(): MemberFold {
  const add = new Set<string>()
  const remove = new Set<string>()
  /** Whether all previous members are removed. */
  let replaces = false

  function clear(): void {
    replaces = true
    add.clear()
    remove.clear()
  }
  function addAll(ids: ReadonlySet<string>): void {
    for (const id of ids) {
      add.add(id)
      remove.delete(id)
    }
  }
  function removeAll(ids: ReadonlySet<string>): void {
    for (const id of ids) {
      add.delete(id)
      if (!replaces) remove.add(id)
    }
  }
  return {
    apply(operation) {
      if (operation.op === 'replace' || operation.op === 'remove-all') clear()
      if (operation.op === 'remove') removeAll(operation.ids)
      else if (operation.op !== 'remove-all') addAll(operation.ids)
    },
    decides(id) {
      if (add.has(id)) return true
      return replaces || remove.has(id) ? false : undefined
    },
    changes: () => (replaces ? { kind: 'replace', members: add } : { kind: 'delta', add, remove }),
  }
}
