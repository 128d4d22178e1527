import type { StoredEvent } from '../../directory/event.ts'
import type { BulkOperation, BulkTarget } from '../../scim/bulk/operation.ts'
import type { BulkPlan } from '../../scim/bulk/plan.ts'
import type { ResolveId } from '../../scim/bulk/references.ts'
import type { ScimType } from '../../scim/errors.ts'
import { ScimError } from '../../scim/errors.ts'
import type { ScimRequest, ScimResponse } from '../request.ts'

/** What the operations of a bulk request are run with. */
export interface BulkParts {
  /** Answers one request; throws the refusals. */
  readonly run: (request: ScimRequest) => Promise<ScimResponse>
  /** How an error is answered; undefined when it is nobody's but ours. */
  readonly refusalOf: (error: unknown) => BulkRefusal | undefined
  /** Told of the errors that are ours. */
  readonly onError: (error: unknown, requestId: string) => void
}

/** An error as an operation is answered with it. */
export interface BulkRefusal {
  readonly status: number
  readonly scimType?: ScimType | undefined
  readonly message: string
}

/** What an operation came to when it did not fail. */
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

/** How far the execution of a bulk request has come. */
export interface BulkRun {
  /** What an operation came to; undefined before it was executed. */
  outcomeOf(operation: BulkOperation): Done | ScimError | undefined
  settle(operation: BulkOperation, outcome: Done | ScimError): void
  /** The id that a bulkId stands for; undefined unless its POST has made one. */
  readonly idOf: ResolveId
  /** Whether the POST that a bulkId stands for has failed. */
  hasFailed(bulkId: string): boolean
  /** Whether there were so many errors that nothing more may be started. */
  isStopped(): boolean
  /** Sends a request; a refusal is a value here, as one that fails does not end the others. */
  send(call: BulkCall): Promise<ScimResponse | ScimError>
  /** What all requests together changed. */
  effects(): Required<Pick<ScimResponse, 'events' | 'skippedMembers'>>
}

/** Begins the execution of a bulk request. */
export function beginRun(
  parts: BulkParts,
  requestId: string,
  makers: BulkPlan['creators'],
  failOnErrors: number,
): BulkRun {
  const outcomes = new Map<BulkOperation, Done | ScimError>()
  const events: (readonly StoredEvent[])[] = []
  let skippedMembers = 0
  let errors = 0

  const madeBy = (bulkId: string) => {
    const maker = makers.get(bulkId)
    return maker && outcomes.get(maker)
  }
  return {
    outcomeOf: (operation) => outcomes.get(operation),
    settle(operation, outcome) {
      outcomes.set(operation, outcome)
      if (outcome instanceof ScimError) errors += 1
    },
    idOf(bulkId) {
      const outcome = madeBy(bulkId)
      return outcome instanceof ScimError ? undefined : outcome?.id
    },
    hasFailed: (bulkId) => madeBy(bulkId) instanceof ScimError,
    isStopped: () => errors >= failOnErrors,
    async send(call) {
      try {
        const answer = await parts.run(requestFor(call, requestId))
        events.push(answer.events)
        skippedMembers += answer.skippedMembers ?? 0
        return answer
      } catch (error) {
        return refusalFor(error, parts, requestId)
      }
    },
    effects: () => ({ events: events.flat(), skippedMembers }),
  }
}

/** Nothing is left out of the answer, as its entity tag tells of all; its body is not read. */
function requestFor({ method, target, body, ifMatch }: BulkCall, requestId: string): ScimRequest {
  const resourceType = target.resourceType.name === 'User' ? 'users' : 'groups'
  const { id: resourceId } = target
  const call = { method, resourceType, resourceId, body, ifMatch, requestId } as const
  return { ...call, isSearch: false, query: {}, ifNoneMatch: undefined }
}

/** What was executed before is on disk and must be told of: our own fault, too, is answered as the operation's. */
function refusalFor(error: unknown, { refusalOf, onError }: BulkParts, requestId: string): ScimError {
  const refusal = refusalOf(error)
  if (refusal !== undefined) return new ScimError(refusal.status, refusal.scimType, refusal.message)
  onError(error, requestId)
  return new ScimError(500, undefined, `Something went wrong here; it is logged with the request id ${requestId}.`)
}
