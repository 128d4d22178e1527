import { invalidValue, quote, ScimError } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { maxPatchOperations, maxPatchPathLength } from '../limits.ts'
import { messageUrns, requireMessage } from '../messages.ts'
import { addsMemberOfPath } from '../providers/onelogin.ts'
import { unwrapSingle } from '../resource/attribute-value.ts'
import { lengthOf, requireNamesLength, requireValueLimit } from '../resource/limits.ts'
import { readObjectShape } from '../resource/value-shape.ts'
import { pathName } from '../schema/attribute-path.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import { expandObject } from './expand-object.ts'
import { requireChangeCount, requireChangeLimit } from './limits.ts'
import type { Op, PatchOperation, PatchPath } from './operation.ts'
import { isIgnored, isMembers, isReadOnly, requireDefinedValue, shapedFor } from './operation.ts'
import { parsePath } from './path.ts'

/**
 * Parses the body of a PATCH request (RFC 7644 §3.5.2). Names and `op` are case-insensitive, and `schemas` is only
 * checked in the strict profile. An operation without a path becomes one per attribute of its value, in an
 * order that does not depend on the order of its properties; in the strict profile, these can only be simple ones. Changes to `password` and `schemas` are dropped, and so
 * are changes to read-only attributes in an operation without a path.
 *
 * @throws ScimError `invalidSyntax`, `invalidPath`, `invalidFilter`, `invalidValue`, `noTarget`, or `mutability` for a
 *   path to a read-only attribute. Values are checked when they are applied.
 */
export function parsePatch(body: unknown, resourceType: ResourceType): PatchOperation[] {
  requireMessage(body, messageUrns.patchOp, resourceType.profile)
  const operations = isObject(body) ? property(body, 'Operations') : undefined
  if (!Array.isArray(operations) || operations.length === 0) {
    throw invalidSyntax('A PATCH request needs Operations, a list of at least one operation.')
  }
  if (operations.length > maxPatchOperations) {
    throw invalidValue(
      `A PATCH request may have at most ${maxPatchOperations} operations; this one has ${operations.length}.`,
    )
  }
  requirePathLength(operations)
  const parsed: PatchOperation[] = []
  for (const operation of operations) {
    const changes = parseOperation(operation, resourceType)
    requireChangeCount(parsed.length + changes.length)
    parsed.push(...changes)
  }
  requireChangeLimit(parsed)
  requireValueLimit(parsed.filter(({ path }) => path.kind === 'extension' || !isMembers(path)).map(assignedValue))
  return parsed
}

function requirePathLength(operations: readonly Json[]): void {
  let [length, namesLength] = [0, 0]
  for (const operation of operations) {
    if (!isObject(operation)) continue
    const path = property(operation, 'path')
    if (typeof path === 'string') length += path.length
    namesLength += namesLengthOf(property(operation, 'value') ?? null)
  }
  requireNamesLength(namesLength)
  if (length <= maxPatchPathLength) return
  throw invalidValue(`The paths of a PATCH request may have at most ${maxPatchPathLength} characters together.`)
}

/** The characters of the names that lead to attributes in a value: without a path, each is one. */
function namesLengthOf(value: Json): number {
  const object = unwrapSingle(value)
  if (!isObject(object)) return 0
  return Object.values(object).reduce((sum: number, part) => sum + namesLengthOf(part), lengthOf(Object.keys(object)))
}

function parseOperation(operation: Json, resourceType: ResourceType): PatchOperation[] {
  if (!isObject(operation)) throw invalidSyntax('Every operation must be an object with op, path and value.')
  const op = parseOp(property(operation, 'op'))
  const path = property(operation, 'path') ?? ''
  const value = property(operation, 'value')
  if (typeof path !== 'string') throw new ScimError(400, 'invalidPath', 'A path must be a string.')
  if (path.trim() !== '' && !isCore(path, resourceType)) return withPath(op, path.trim(), value, resourceType)
  return withoutPath(op, value, resourceType)
}

function assignedValue({ value = null }: PatchOperation): Json {
  return value
}

function parseOp(op: Json | undefined): Op {
  const folded = typeof op === 'string' && op.length <= 'replace'.length ? op.toLowerCase() : undefined
  if (folded === 'add' || folded === 'replace' || folded === 'remove') return folded
  throw invalidSyntax(`The op must be add, replace or remove${typeof op === 'string' ? `, not ${quote(op)}` : ''}.`)
}

/** A path that is the core schema's URN means the resource itself. */
function isCore(path: string, { schema }: ResourceType): boolean {
  const text = path.trim()
  return text.length === schema.id.length && text.toLowerCase() === schema.id.toLowerCase()
}

function withPath(op: Op, text: string, value: Json | undefined, resourceType: ResourceType): PatchOperation[] {
  const path = parsePath(text, resourceType, value)
  if (path.kind === 'attribute') {
    if (isIgnored(path)) return []
    if (isReadOnly(path)) throw new ScimError(400, 'mutability', `${pathName(path)} is read-only.`)
  }
  const shaped = value === undefined ? undefined : shapedFor(path, value, resourceType)
  if (op === 'remove') return [{ op, path, value: shaped }]
  const assigned = requiredValue(op, path, text, shaped)
  if (resourceType.profile === 'strict') requireDefinedValue(path, assigned)
  return [{ op, path, value: assigned }]
}

function requiredValue(op: Op, path: PatchPath, text: string, value: Json | undefined): Json {
  if (value !== undefined) return value
  if (addsMemberOfPath(op, path)) return null
  throw invalidValue(`To ${op} ${quote(text)}, the operation needs a value.`)
}

function withoutPath(op: Op, value: Json | undefined, resourceType: ResourceType): PatchOperation[] {
  if (op === 'remove') throw new ScimError(400, 'noTarget', 'A remove operation needs a path.')
  const object = readObjectShape(value ?? null, resourceType)
  if (!isObject(object)) throw invalidValue(`To ${op} without a path, the operation needs an object as its value.`)
  return expandObject(object, resourceType).map((part) => ({ op, ...part }))
}

/** A property by its exact name, else by the alphabetically first spelling in another letter case. */
function property(object: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(object, name)) return object[name]
  const folded = name.toLowerCase()
  const spellings = Object.keys(object).filter((key) => key.length === name.length && key.toLowerCase() === folded)
  const [first] = spellings.sort()
  return first === undefined ? undefined : object[first]
}

function invalidSyntax(detail: string): ScimError {
  return new ScimError(400, 'invalidSyntax', detail)
}
