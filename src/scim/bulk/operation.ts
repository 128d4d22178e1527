import { invalidValue, quote, ScimError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { maxBulkIdLength, maxIdLength } from '../limits.ts'
import type { Parameters } from '../parameters.ts'
import { readParameters } from '../parameters.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import { resourceTypes } from '../schema/resource-type.ts'
import { findReferences } from './references.ts'

/** A POST, which other operations can refer to by its bulkId. */
export interface Creation {
  readonly kind: 'create'
  readonly method: 'POST'
  readonly bulkId: string
  readonly target: BulkTarget
  readonly data: JsonObject
  /** The bulkIds this operation refers to. */
  readonly references: ReadonlySet<string>
}

/** A PUT, PATCH or DELETE of one resource. */
export interface Change {
  readonly kind: 'change'
  readonly method: 'PUT' | 'PATCH' | 'DELETE'
  readonly bulkId: string | undefined
  readonly target: BulkTarget & { readonly id: string }
  /** Undefined for a DELETE. */
  readonly data: JsonObject | undefined
  /** The required version of the resource, as in `If-Match` (RFC 7644 §3.14). */
  readonly version: string | undefined
  readonly references: ReadonlySet<string>
}

/** An operation that cannot be run; it fails when its turn comes, without failing the others. */
export interface RejectedOperation {
  readonly kind: 'rejected'
  /** The first 20 characters, in upper case. */
  readonly method: string | undefined
  readonly bulkId: string | undefined
  /** Undefined when the path is invalid. */
  readonly target: BulkTarget | undefined
  readonly error: ScimError
}

/** One operation of a bulk request (RFC 7644 §3.7). */
export type BulkOperation = Creation | Change | RejectedOperation

/** Parses one operation; names and the method are case-insensitive. An error becomes part of the result. */
export function parseOperation(operation: JsonObject): BulkOperation {
  const parameters = readParameters(operation)
  const target = parseTarget(parameters.get('path'))
  try {
    return parseRunnable(parameters, target)
  } catch (error) {
    if (!(error instanceof ScimError)) throw error
    const method = methodIn(parameters)
    const readable = target instanceof ScimError ? undefined : target
    return { kind: 'rejected', method, bulkId: bulkIdIn(parameters), target: readable, error }
  }
}

/** The same operation with an error instead of its data. */
export function rejectOperation({ method, bulkId, target }: BulkOperation, error: ScimError): RejectedOperation {
  return { kind: 'rejected', method, bulkId, target, error }
}

function parseRunnable(parameters: Parameters, target: BulkTarget | ScimError): Creation | Change {
  requireBulkIdLength(parameters)
  const method = methodIn(parameters)
  switch (method) {
    case 'POST':
      return creation(parameters, collection(target))
    case 'PUT':
    case 'PATCH':
    case 'DELETE':
      return change(method, parameters, single(target, method))
    default: {
      const given = method === undefined ? '' : `, not ${quote(method)}`
      throw new ScimError(400, 'invalidSyntax', `The method must be POST, PUT, PATCH or DELETE${given}.`)
    }
  }
}

function creation(parameters: Parameters, target: BulkTarget): Creation {
  const bulkId = bulkIdIn(parameters)
  if (bulkId === undefined || bulkId === '') {
    throw new ScimError(400, 'invalidValue', 'A POST needs a bulkId: text that is unique in the request.')
  }
  const data = dataIn(parameters, 'POST')
  return { kind: 'create', method: 'POST', bulkId, target, data, references: findReferences({ method: 'POST', data }) }
}

function change(method: Change['method'], parameters: Parameters, target: Change['target']): Change {
  const data = method === 'DELETE' ? undefined : dataIn(parameters, method)
  const references = findReferences({ method, data, id: target.id })
  const bulkId = bulkIdIn(parameters)
  return { kind: 'change', method, bulkId, target, data, version: versionIn(parameters), references }
}

function collection(target: BulkTarget | ScimError): BulkTarget {
  if (target instanceof ScimError) throw target
  if (target.id === undefined) return target
  throw new ScimError(405, undefined, `A POST must go to ${target.resourceType.endpoint}, not to a single resource.`)
}

function single(target: BulkTarget | ScimError, method: string): Change['target'] {
  if (target instanceof ScimError) throw target
  const { resourceType, id } = target
  if (id !== undefined) return { resourceType, id }
  throw new ScimError(405, undefined, `A ${method} must go to a single resource, not to ${resourceType.endpoint}.`)
}

const longestMethod = 20

function methodIn(parameters: Parameters): string | undefined {
  return textOf(parameters.get('method'))?.slice(0, longestMethod).toUpperCase()
}

function requireBulkIdLength(parameters: Parameters): void {
  if ((textOf(parameters.get('bulkid'))?.length ?? 0) <= maxBulkIdLength) return
  throw invalidValue(`A bulkId must not be longer than ${maxBulkIdLength} characters.`)
}

/** The bulkId; undefined also when it is too long to be repeated in the response. */
function bulkIdIn(parameters: Parameters): string | undefined {
  const bulkId = textOf(parameters.get('bulkid'))
  return bulkId !== undefined && bulkId.length <= maxBulkIdLength ? bulkId : undefined
}

function dataIn(parameters: Parameters, method: string): JsonObject {
  const data = parameters.get('data')
  if (isObject(data)) return data
  throw new ScimError(400, 'invalidSyntax', `A ${method} needs data: a JSON object.`)
}

/** Rejects an unreadable version: ignoring it would skip the precondition. */
function versionIn(parameters: Parameters): string | undefined {
  const version = parameters.get('version')
  if (version === undefined || typeof version === 'string') return version
  throw new ScimError(400, 'invalidValue', 'version must be a string: the entity tag of the resource.')
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The target of a bulk operation's path. */
export interface BulkTarget {
  readonly resourceType: ResourceType
  /** The id of a resource, or a reference such as `bulkId:abc`; undefined for a collection. */
  readonly id: string | undefined
}

/**
 * Parses the path of a bulk operation, relative to the directory's SCIM URL (RFC 7644 §3.7): `/Users`,
 * `/Groups/2819c223`. The resource type is case-insensitive, leading and trailing slashes are optional, doubled ones
 * count as one, and the id is percent-decoded.
 *
 * @returns the error for a path that matches nothing: 404 for an unknown endpoint, else 400 `invalidValue`
 */
export function parseTarget(path: unknown): BulkTarget | ScimError {
  if (typeof path !== 'string') return invalidPath('An operation needs a path: text such as "/Users".')
  const [endpoint = '', id, ...tooDeep] = withoutOuterSlashes(path.trim())
    .replace(/\/{2,}/g, '/')
    .split('/', 3)
  const resourceType = resourceTypes.find((one) => one.endpoint.toLowerCase() === `/${endpoint.toLowerCase()}`)
  if (resourceType === undefined) {
    return new ScimError(404, undefined, `The path must begin with /Users or /Groups: ${quote(path)} does not.`)
  }
  const decoded = id === undefined ? undefined : percentDecoded(id)
  if (decoded !== undefined && decoded.length > maxIdLength)
    return invalidPath(`The id in a path must not be longer than ${maxIdLength} characters.`)
  const isOne = tooDeep.length === 0 && decoded !== '' && (id === undefined || decoded !== undefined)
  return isOne ? { resourceType, id: decoded } : invalidPath(`The path ${quote(path)} is not the path of a resource.`)
}

function withoutOuterSlashes(path: string): string {
  let [start, end] = [0, path.length]
  while (path[start] === '/') start += 1
  while (end > start && path[end - 1] === '/') end -= 1
  return path.slice(start, end)
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function invalidPath(detail: string): ScimError {
  return new ScimError(400, 'invalidValue', detail)
}
