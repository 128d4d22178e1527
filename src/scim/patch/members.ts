import { ScimError } from '../errors.ts'
import type { Filter } from '../filter/ast.ts'
import { equalityConditions } from '../filter/ast.ts'
import { fold } from '../fold.ts'
import type { Json } from '../json.ts'
import { coerceAttribute } from '../resource/coerce.ts'
import type { MemberValue } from '../resource/members.ts'
import { parseMemberValues } from '../resource/members.ts'
import type { Attribute } from '../schema/schema.ts'
import type { AttributeTarget, PatchOperation } from './operation.ts'
import { isMembers } from './operation.ts'

/** A change of a group's members. The filter of `remove-where` is over one member: value, type, display, $ref. */
export type MemberOperation =
  | { readonly op: 'add'; readonly members: readonly MemberValue[] }
  | { readonly op: 'remove'; readonly ids: readonly string[] }
  | { readonly op: 'remove-all' }
  | { readonly op: 'replace'; readonly members: readonly MemberValue[] }
  | { readonly op: 'remove-where'; readonly filter: Filter }

/** The operations of a request on a group, each list in the request's order. */
export interface SplitOperations {
  readonly members: MemberOperation[]
  readonly others: PatchOperation[]
}

/**
 * Takes the operations on `members` out of those of a request: a group's members are not part of its stored resource,
 * as reading and writing thousands of them for every change would not do.
 *
 * @throws ScimError `mutability` when a member's value, type or $ref might change (RFC 7643 §4.2), `invalidValue` when
 *   members are not what `parseMemberValues` takes, `noTarget` when nothing says whom to add
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

/** What is said of a part of members: of one that is immutable nothing new can be said, others are not kept. */
function subAttributeOperations(
  { filter }: AttributeTarget,
  part: Attribute,
  { op, value }: Pick<PatchOperation, 'op' | 'value'>,
): MemberOperation[] {
  const isImmutable = part.mutability === 'immutable'
  if (!isImmutable || (op !== 'remove' && isAlreadyTrue(filter, part, value))) return []
  throw immutable()
}

/** Whether the members that a filter picks have that value already: the others would become other members. */
function isAlreadyTrue(filter: Filter | undefined, part: Attribute, value: Json | undefined): boolean {
  const said = filter && equalityConditions(filter)?.[part.name]
  const given = coerceAttribute(part, value ?? null, `members.${part.name}`)
  if (typeof said !== 'string' || typeof given !== 'string') return false
  return part.caseExact ? said === given : fold(said) === fold(given)
}

function filteredOperations(op: PatchOperation['op'], filter: Filter, value: Json | undefined): MemberOperation[] {
  const ids = idsOf(filter)
  if (op === 'remove') return [ids === undefined ? { op: 'remove-where', filter } : { op, ids }]
  if (ids === undefined) throw new ScimError(400, 'noTarget', `To ${op} members, the filter must say value eq "…".`)
  const members = memberValues(value ?? null, ids)
  const picked = new Set(ids)
  if (members.some((member) => !picked.has(member.value))) throw immutable()
  return [{ op: 'add', members }]
}

/** The members that a filter picks by id, as they are described, if they are; what is said of nobody, is of each. */
function memberValues(value: Json, ids: readonly string[]): readonly MemberValue[] {
  const namesNobody = value === null || (Array.isArray(value) ? value.length === 0 : isWithoutValue(value))
  return namesNobody ? ids.map((id) => ({ value: id })) : parseMemberValues(value)
}

function isWithoutValue(value: Json): boolean {
  return (
    typeof value === 'object' && value !== null && !Object.keys(value).some((name) => name.toLowerCase() === 'value')
  )
}

function idsIn(value: Json): string[] {
  return parseMemberValues(value).map((member) => member.value)
}

/** The ids of a filter that consists of `value eq "…"` joined by `or`; undefined for any other. */
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
  return new ScimError(400, 'mutability', 'A member cannot become another: remove it and add the other.')
}

/** A change that can be worked out without knowing the present members. */
export type FoldableMemberOperation = Exclude<MemberOperation, { op: 'remove-where' }>

/** What several changes come to; members are keyed by id, and none is both added and removed. */
export type MemberChanges =
  | {
      readonly kind: 'delta'
      readonly add: ReadonlyMap<string, MemberValue>
      readonly remove: ReadonlySet<string>
    }
  | { readonly kind: 'replace'; readonly members: ReadonlyMap<string, MemberValue> }

/** Sums up changes that are made one after the other: of two that name the same member the last one counts. */
export function foldMemberOperations(operations: readonly FoldableMemberOperation[]): MemberChanges {
  const sum: Accumulator = { replaces: false, add: new Map(), remove: new Set() }
  for (const operation of operations) accumulate(sum, operation)
  return sum.replaces ? { kind: 'replace', members: sum.add } : { kind: 'delta', add: sum.add, remove: sum.remove }
}

interface Accumulator {
  /** Whether the members from before are all gone. */
  replaces: boolean
  readonly add: Map<string, MemberValue>
  readonly remove: Set<string>
}

function accumulate(sum: Accumulator, operation: FoldableMemberOperation): void {
  if (operation.op === 'replace' || operation.op === 'remove-all') clear(sum)
  if (operation.op === 'remove') removeFrom(sum, operation.ids)
  else if (operation.op !== 'remove-all') addTo(sum, operation.members)
}

function clear(sum: Accumulator): void {
  sum.replaces = true
  sum.add.clear()
  sum.remove.clear()
}

function addTo({ add, remove }: Accumulator, members: readonly MemberValue[]): void {
  for (const member of members) {
    add.set(member.value, member)
    remove.delete(member.value)
  }
}

function removeFrom({ replaces, add, remove }: Accumulator, ids: readonly string[]): void {
  for (const id of ids) {
    add.delete(id)
    if (!replaces) remove.add(id)
  }
}
