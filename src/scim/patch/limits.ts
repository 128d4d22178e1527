import { invalidValue } from '../errors.ts'
import { countTerms } from '../filter/ast.ts'
import { charactersIn, readingCost } from '../filter/cost.ts'
import type { JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { maxPatchOperations } from '../limits.ts'
import { attributeValue, unwrapSingle } from '../resource/attribute-value.ts'
import type { Attribute } from '../schema/schema.ts'
import { isAddition } from './growing-lists.ts'
import type { PatchOperation } from './operation.ts'

/**
 * Rejects a request that changes too many attributes: each change copies the object it is part of.
 *
 * @throws ScimError 400 `invalidValue`
 */
export function requireChangeLimit(operations: readonly PatchOperation[]): void {
  requireChangeCount(operations.reduce((sum, operation) => sum + changesIn(operation), 0))
}

/**
 * The same for a number of attributes.
 *
 * @throws ScimError 400 `invalidValue`
 */
export function requireChangeCount(changes: number): void {
  if (changes <= maxPatchOperations) return
  throw invalidValue(
    `A PATCH request may change at most ${maxPatchOperations} attributes; this one changes ${changes}.`,
  )
}

/** The number of attributes an operation changes; an object may set all those of an extension. */
function changesIn({ path, value }: PatchOperation): number {
  const object = value === undefined ? undefined : unwrapSingle(value)
  return path.kind === 'extension' && isObject(object) ? Object.keys(object).length : 1
}

/** The maximum product of passes and characters of a request. */
const maxWork = 6_000_000

/** The number of passes that are cheap for any storable resource. */
const cheapPasses = 20

/** Operations, with consecutive additions to the same list counted once: they are applied together. */
function countPasses(operations: readonly PatchOperation[]): number {
  const lists = new Set<Attribute>()
  let passes = 0
  for (const operation of operations) {
    if (!isAddition(operation)) lists.clear()
    else if (lists.has(operation.path.attribute)) continue
    else lists.add(operation.path.attribute)
    passes += 1
  }
  return passes
}

/**
 * Bounds the time a request blocks the event loop: every operation and every condition of its filter may read the whole
 * resource and all values of the request.
 *
 * @throws ScimError 400 `invalidValue`
 */
export function requireAcceptableWork(resource: JsonObject, operations: readonly PatchOperation[]): void {
  let passes = countPasses(operations)
  let characters = 0
  for (const { path, value } of operations) {
    if (path.kind === 'attribute' && path.filter !== undefined) passes += countTerms(path.filter)
    if (value !== undefined) characters += charactersIn(value)
  }
  if (passes > cheapPasses) characters += charactersIn(resource)
  if (passes * characters <= maxWork && comparisonCost(resource, operations) <= maxWork) return
  throw invalidValue('This PATCH is too expensive: send fewer operations, conditions or values at a time.')
}

/** The cost of the conditions: each reads its attribute, with what the request may have added to it. */
function comparisonCost(resource: JsonObject, operations: readonly PatchOperation[]): number {
  const filtered = operations.flatMap(({ path }) =>
    path.kind === 'attribute' && path.filter !== undefined ? [{ path, terms: countTerms(path.filter) }] : [],
  )
  if (filtered.length === 0) return 0
  const added = operations.reduce((sum, { value }) => sum + readingCost(value ?? null), 0)
  return filtered.reduce((sum, { path, terms }) => {
    return sum + terms * (added + readingCost(attributeValue(resource, path) ?? null))
  }, 0)
}
