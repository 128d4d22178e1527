import { errorBody, ScimError } from '../errors.ts'
import { isObject } from '../json.ts'
import { maxBulkOperations } from '../limits.ts'
import { messageUrns, requireMessage } from '../messages.ts'
import type { Parameters } from '../parameters.ts'
import { invalidParameter, readParameters } from '../parameters.ts'
import type { ScimProfile } from '../schema/resource-type.ts'
import type { BulkOperation } from './operation.ts'
import { parseOperation } from './operation.ts'

/** A parsed bulk request (RFC 7644 §3.7). */
export interface BulkRequest {
  /** The number of errors after which no further operation begins; infinite when the request sets no limit. */
  readonly failOnErrors: number
  readonly operations: readonly BulkOperation[]
}

/**
 * Parses the body of a bulk request. Names are case-insensitive, `schemas` is only checked in the strict profile, and the list of
 * operations may be empty. An invalid operation is rejected on its own and does not fail the others.
 *
 * @throws ScimError 400 `invalidSyntax` when there is no list of operations, 400 `invalidValue` when `failOnErrors` is
 *   not a positive integer, 413 when there are more than `maxBulkOperations`
 */
export function parseBulkRequest(body: unknown, profile: ScimProfile = 'tolerant'): BulkRequest {
  if (!isObject(body)) throw invalidSyntax('The body must be a JSON object: a BulkRequest.')
  requireMessage(body, messageUrns.bulkRequest, profile)
  const parameters = readParameters(body)
  return { failOnErrors: failOnErrorsIn(parameters), operations: operationsIn(parameters).map(operationFrom) }
}

function operationsIn(parameters: Parameters): unknown[] {
  const operations = parameters.get('operations')
  if (!Array.isArray(operations)) throw invalidSyntax('A bulk request needs a list of Operations.')
  if (operations.length <= maxBulkOperations) return operations
  const detail = `A bulk request may have at most ${maxBulkOperations} operations; this one has ${operations.length}.`
  throw new ScimError(413, undefined, detail)
}

function operationFrom(operation: unknown): BulkOperation {
  if (!isObject(operation)) throw invalidSyntax('Every operation must be an object with method, path and data.')
  return parseOperation(operation)
}

function failOnErrorsIn(parameters: Parameters): number {
  const value = parameters.get('failonerrors')
  if (value === undefined) return Number.POSITIVE_INFINITY
  const count = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1) return count
  throw invalidParameter('failOnErrors', 'an integer of 1 or more')
}

function invalidSyntax(detail: string): ScimError {
  return new ScimError(400, 'invalidSyntax', detail)
}

/** The result of one operation. */
export interface OperationResult {
  readonly method: string | undefined
  readonly bulkId: string | undefined
  /** The resource's entity tag after the operation. */
  readonly version: string | undefined
  /** The resource's URL; undefined for a POST that failed. */
  readonly location: string | undefined
  /** The status, or the error. */
  readonly outcome: number | ScimError
}

/** The body of a bulk response (RFC 7644 §3.7.3): the executed operations, in the order of the request. */
export function bulkResponse(answers: readonly OperationResult[]) {
  return { schemas: [messageUrns.bulkResponse], Operations: answers.map(operationResponse) }
}

/** `status` is a string; undefined properties are dropped when the body is serialized. */
function operationResponse({ outcome, ...result }: OperationResult) {
  if (typeof outcome === 'number') return { ...result, status: String(outcome) }
  return { ...result, status: String(outcome.status), response: errorBody(outcome) }
}
