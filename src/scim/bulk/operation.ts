import { quote, ScimError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import type { Parameters } from '../parameters.ts'
import { readParameters } from '../parameters.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import { resourceTypes } from '../schema/resource-type.ts'
import { findReferences } from './references.ts'

/** The POST of a resource, which others may refer to by its bulkId. */
export interface Creation {
  readonly kind: 'create'
  readonly method: 'POST'
  readonly bulkId: string
  readonly target: BulkTarget
  readonly data: JsonObject
  /** The bulkIds that the operation refers to. */
  readonly references: ReadonlySet<string>
}

/** A change of one resource. */
export interface Change {
  readonly kind: 'change'
  readonly method: 'PUT' | 'PATCH' | 'DELETE'
  readonly bulkId: string | undefined
  readonly target: BulkTarget & { readonly id: string }
  /** Undefined for a DELETE. */
  readonly data: JsonObject | undefined
  /** The version that the resource must have: as `If-Match` (RFC 7644 §3.14). */
  readonly version: string | undefined
  readonly references: ReadonlySet<string>
}

/** An operation that cannot be run; it fails by itself when its turn comes. */
export interface RejectedOperation {
  readonly kind: 'refused'
  /** As it was named, in upper case. */
  readonly method: string | undefined
  readonly bulkId: string | undefined
  /** Where it would have led; undefined when its path does not say. */
  readonly target: BulkTarget | undefined
  readonly refusal: ScimError
}

/** One operation of a bulk request (RFC 7644 §3.7). */
export type BulkOperation = Creation | Change | RejectedOperation

/** Reads an operation: its names and method in any letter case. What is wrong with it is a part of the outcome. */
export function parseOperation(operation: JsonObject): BulkOperation {
  const parameters = readParameters(operation)
  const target = parseTarget(parameters.get('path'))
  try {
    return parseRunnable(parameters, target)
  } catch (error) {
    if (!(error instanceof ScimError)) throw error
    const method = methodIn(parameters)
    const readable = target instanceof ScimError ? undefined : target
    return { kind: 'refused', method, bulkId: bulkIdIn(parameters), target: readable, refusal: error }
  }
}

/** The same operation, refused. */
export function rejectOperation({ method, bulkId, target }: BulkOperation, refusal: ScimError): RejectedOperation {
  return { kind: 'refused', method, bulkId, target, refusal }
}

function parseRunnable(parameters: Parameters, target: BulkTarget | ScimError): Creation | Change {
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
    throw new ScimError(400, 'invalidValue', 'A POST needs a bulkId: text that no other one of the request has.')
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
  throw new ScimError(405, undefined, `A POST goes to ${target.resourceType.endpoint}, not to one resource.`)
}

function single(target: BulkTarget | ScimError, method: string): Change['target'] {
  if (target instanceof ScimError) throw target
  const { resourceType, id } = target
  if (id !== undefined) return { resourceType, id }
  throw new ScimError(405, undefined, `A ${method} goes to one resource: ${resourceType.endpoint} is all of them.`)
}

function methodIn(parameters: Parameters): string | undefined {
  return textOf(parameters.get('method'))?.toUpperCase()
}

function bulkIdIn(parameters: Parameters): string | undefined {
  return textOf(parameters.get('bulkid'))
}

function dataIn(parameters: Parameters, method: string): JsonObject {
  const data = parameters.get('data')
  if (isObject(data)) return data
  throw new ScimError(400, 'invalidSyntax', `A ${method} needs data: a JSON object.`)
}

/** A precondition that is not understood must not be passed over. */
function versionIn(parameters: Parameters): string | undefined {
  const version = parameters.get('version')
  if (version === undefined || typeof version === 'string') return version
  throw new ScimError(400, 'invalidValue', 'version must be text: the entity tag of the resource.')
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** What the path of a bulk operation leads to. */
export interface BulkTarget {
  readonly resourceType: ResourceType
  /** The id of one resource, or a reference to it such as `bulkId:abc`; undefined for the collection. */
  readonly id: string | undefined
}

/**
 * Reads the path of a bulk operation, relative to the address of the directory (RFC 7644 §3.7): `/Users`, `/Groups/2819c223`.
 * The type may be in any letter case, the slashes at either end are optional, and the id is percent-decoded.
 *
 * @returns the refusal of a path that leads nowhere: 404 for an unknown endpoint, else 400 `invalidValue`
 */
export function parseTarget(path: unknown): BulkTarget | ScimError {
  if (typeof path !== 'string') return invalidPath('An operation needs a path: text such as "/Users".')
  const [endpoint = '', id, ...tooDeep] = withoutOuterSlashes(path.trim()).split('/', 3)
  const resourceType = resourceTypes.find((one) => one.endpoint.toLowerCase() === `/${endpoint.toLowerCase()}`)
  if (resourceType === undefined) {
    return new ScimError(404, undefined, `The path must begin with /Users or /Groups: ${quote(path)} does not.`)
  }
  const decoded = id === undefined ? undefined : percentDecoded(id)
  const isOne = tooDeep.length === 0 && decoded !== '' && (id === undefined || decoded !== undefined)
  return isOne ? { resourceType, id: decoded } : invalidPath(`The path ${quote(path)} leads to no resource.`)
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
