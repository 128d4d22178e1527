import { invalidValue } from '../errors.ts'
import { countTerms } from '../filter/ast.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { maxPatchOperations } from '../limits.ts'
import type { PatchOperation } from './operation.ts'

/** Each change copies what it is a part of, so that the operations alone do not say what a request costs. */
export function requireChangeLimit(operations: readonly PatchOperation[]): void {
  const changes = operations.reduce((sum, operation) => sum + changesIn(operation), 0)
  if (changes <= maxPatchOperations) return
  throw invalidValue(`A PATCH request may name ${maxPatchOperations} attributes; this one names ${changes}.`)
}

/** How many attributes an operation changes: an object may stand for those of a whole extension. */
function changesIn({ path, value }: PatchOperation): number {
  return path.kind === 'extension' && isObject(value) ? Object.keys(value).length : 1
}

/** How many characters the operations of a request may have to look at, all together. */
const maxCharacters = 20_000_000

/** So few looks are brief at any resource that is stored, whatever its size. */
const cheapPasses = 20

/**
 * Makes sure that a request does not keep everybody waiting: every operation, and every condition of its filter, may look
 * at all of the resource and at what the request brings.
 *
 * @throws ScimError 400 `invalidValue`
 */
export function requireAcceptableWork(resource: JsonObject, operations: readonly PatchOperation[]): void {
  let passes = operations.length
  let characters = 0
  for (const { path, value } of operations) {
    if (path.kind === 'attribute' && path.filter !== undefined) passes += countTerms(path.filter)
    if (value !== undefined) characters += countCharacters(value)
  }
  if (passes > cheapPasses) characters += countCharacters(resource)
  if (passes * characters <= maxCharacters) return
  throw invalidValue('This PATCH asks for too much work: send fewer operations, conditions or values at a time.')
}

/** About how many: nothing is written out for it. */
function countCharacters(value: Json): number {
  if (typeof value === 'string') return value.length
  let sum = 5
  if (Array.isArray(value)) for (const element of value) sum += countCharacters(element)
  else if (isObject(value))
    for (const name of Object.keys(value)) sum += name.length + countCharacters(value[name] ?? null)
  return sum
}
