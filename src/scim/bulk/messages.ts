import { errorBody, ScimError } from '../errors.ts'
import { isObject } from '../json.ts'
import { maxBulkOperations } from '../limits.ts'
import { messageUrns } from '../messages.ts'
import type { Parameters } from '../parameters.ts'
import { invalidParameter, readParameters } from '../parameters.ts'
import type { BulkOperation } from './operation.ts'
import { parseOperation } from './operation.ts'

/** What a bulk request asks for (RFC 7644 §3.7). */
export interface BulkRequest {
  /** The number of errors after which nothing more is started; infinite when the request does not say. */
  readonly failOnErrors: number
  readonly operations: readonly BulkOperation[]
}

/**
 * Reads the body of a bulk request; names are taken in any letter case, and `schemas` is not looked at. There may be no
 * operations at all. An operation that is wrong does not fail the others.
 *
 * @throws ScimError 400 `invalidSyntax` when the body is no list of operations, `invalidValue` for another `failOnErrors`
 *   than a whole number from 1, 413 for more than `maxOperations`
 */
export function parseBulkRequest(body: unknown): BulkRequest {
  if (!isObject(body)) throw invalidSyntax('The body must be a JSON object: a BulkRequest.')
  const parameters = readParameters(body)
  return { failOnErrors: failOnErrorsIn(parameters), operations: operationsIn(parameters).map(operationFrom) }
}

function operationsIn(parameters: Parameters): unknown[] {
  const operations = parameters.get('operations')
  if (!Array.isArray(operations)) throw invalidSyntax('A bulk request needs Operations: a list.')
  if (operations.length <= maxBulkOperations) return operations
  const detail = `A bulk request may have ${maxBulkOperations} operations; this one has ${operations.length}.`
  throw new ScimError(413, undefined, detail)
}

function operationFrom(operation: unknown): BulkOperation {
  if (!isObject(operation)) throw invalidSyntax('Every operation must be an object with method, path and data.')
  return parseOperation(operation)
}

function failOnErrorsIn(parameters: Parameters): number {
  const given = parameters.get('failonerrors')
  if (given === undefined) return Number.POSITIVE_INFINITY
  const count = typeof given === 'string' && /^\s*\d+\s*$/.test(given) ? Number(given) : given
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1) return count
  throw invalidParameter('failOnErrors', 'a whole number from 1')
}

function invalidSyntax(detail: string): ScimError {
  return new ScimError(400, 'invalidSyntax', detail)
}

/** What came of one operation. */
export interface OperationResult {
  readonly method: string | undefined
  readonly bulkId: string | undefined
  /** The entity tag of the resource after the operation. */
  readonly version: string | undefined
  /** The address of the resource; a POST that failed has none. */
  readonly location: string | undefined
  /** The status, or why it failed. */
  readonly outcome: number | ScimError
}

/** The answer to a bulk request (RFC 7644 §3.7.3): the operations that were executed, in the order of the request. */
export function bulkResponse(answers: readonly OperationResult[]) {
  return { schemas: [messageUrns.bulkResponse], Operations: answers.map(operationResponse) }
}

/** What is undefined has no place in JSON; `status` is text. */
function operationResponse({ outcome, ...said }: OperationResult) {
  if (typeof outcome === 'number') return { ...said, status: String(outcome) }
  return { ...said, status: String(outcome.status), response: errorBody(outcome) }
}
