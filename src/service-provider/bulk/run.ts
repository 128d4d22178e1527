import { errorResponseOf } from '../../error-response.ts'
import type { BulkOperation, BulkTarget } from '../../scim/bulk/operation.ts'
import type { BulkPlan } from '../../scim/bulk/plan.ts'
import type { ResolveId } from '../../scim/bulk/references.ts'
import { ScimError } from '../../scim/errors.ts'
import type { ScimRequest, ScimResponse } from '../request.ts'
import type { BulkBudget } from './budget.ts'

/** The parts that execute the operations of a bulk request. */
export interface BulkParts {
  readonly perform: (request: ScimRequest) => Promise<ScimResponse>
  /** Resolves when the next operation may run, after other requests. */
  readonly nextSlice: () => Promise<void>
  /** Milliseconds. */
  readonly clock: () => number
  /** Called with unexpected errors. */
  readonly onError: (error: unknown, requestId: string) => void
}

/** The outcome of a successful operation. */
export interface Done {
  readonly status: number
  readonly id: string
  /** The entity tag; undefined after a DELETE. */
  readonly version: string | undefined
}

/** One request on behalf of an operation; `target.id` is an id, not a reference. */
export type BulkCall = Pick<ScimRequest, 'method' | 'body'> & {
  readonly target: BulkTarget
  readonly ifMatch?: string | undefined
}

/** The state of a bulk request during its execution. */
export interface BulkRun {
  /** Undefined before the operation was executed. */
  outcomeOf(operation: BulkOperation): Done | ScimError | undefined
  settle(operation: BulkOperation, outcome: Done | ScimError): void
  /** The id of the resource that the POST with this bulkId created; undefined unless it succeeded. */
  readonly idOf: ResolveId
  /** Returns whether the POST with this bulkId failed. */
  hasFailed(bulkId: string): boolean
  /** Returns whether `failOnErrors` is reached, so that nothing more may begin. */
  isStopped(): boolean
  /** The reason why the remaining operations are not executed; undefined while the budget lasts. */
  exhausted(): ScimError | undefined
  /**
   * Sends a request after other requests were served. Errors are returned, because the failure of one operation does
   * not end the others.
   */
  send(call: BulkCall): Promise<ScimResponse | ScimError>
}

/** The bulk request that an operation belongs to. */
type Origin = Pick<ScimRequest, 'requestId' | 'receivedAt'>

/** Begins the execution of a bulk request. */
export function beginRun(
  parts: BulkParts,
  origin: Origin,
  { creators, failOnErrors }: Pick<BulkPlan, 'creators'> & { readonly failOnErrors: number },
  budget: BulkBudget,
): BulkRun {
  const outcomes = new Map<BulkOperation, Done | ScimError>()
  let errors = 0

  const creationOutcome = (bulkId: string) => {
    const creator = creators.get(bulkId)
    return creator && outcomes.get(creator)
  }
  return {
    outcomeOf: (operation) => outcomes.get(operation),
    settle(operation, outcome) {
      outcomes.set(operation, outcome)
      if (outcome instanceof ScimError && outcome !== budget.exhausted()) errors += 1
    },
    idOf(bulkId) {
      const outcome = creationOutcome(bulkId)
      return outcome instanceof ScimError ? undefined : outcome?.id
    },
    hasFailed: (bulkId) => creationOutcome(bulkId) instanceof ScimError,
    isStopped: () => errors >= failOnErrors,
    exhausted: budget.exhausted,
    async send(call) {
      await parts.nextSlice()
      try {
        const response = await parts.perform(requestFor(call, origin))
        budget.spend(response)
        return response
      } catch (error) {
        return operationError(error, parts, origin.requestId)
      }
    },
  }
}

/** The body of the response is not needed: a bulk response only has the entity tag and the location. */
function requestFor({ method, target, body, ifMatch }: BulkCall, origin: Origin): ScimRequest {
  const { endpoint: collection } = target.resourceType
  const endpoint = target.id === undefined ? collection : (`${collection}/:id` as const)
  return { method, endpoint, resourceId: target.id ?? '', body, query: {}, ifMatch, ifNoneMatch: undefined, ...origin }
}

/**
 * Unexpected errors fail only their own operation: the response must still report the operations that were committed.
 */
function operationError(error: unknown, { onError }: BulkParts, requestId: string): ScimError {
  const expected = errorResponseOf(error)
  if (expected !== undefined) return new ScimError(expected.status, expected.scimType, expected.message)
  onError(error, requestId)
  return new ScimError(500, undefined, `Something went wrong here; it is logged with the request id ${requestId}.`)
}
