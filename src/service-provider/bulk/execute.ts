import { scimPath } from '../../directory/directory-view.ts'
import { locationOf } from '../../directory/references.ts'
import type { OperationResult } from '../../scim/bulk/messages.ts'
import { bulkResponse, parseBulkRequest } from '../../scim/bulk/messages.ts'
import type { BulkOperation } from '../../scim/bulk/operation.ts'
import { planBulk } from '../../scim/bulk/plan.ts'
import { resolveReference } from '../../scim/bulk/references.ts'
import { ScimError } from '../../scim/errors.ts'
import type { ScimProfile } from '../../scim/schema/resource-type.ts'
import { perform } from '../operations.ts'
import type { ScimCaller, ScimRequest, ScimResponse, ServiceProvider } from '../request.ts'
import { beginBudget } from './budget.ts'
import { createCycle, runOperation } from './operations.ts'
import type { BulkParts, BulkRun, Done } from './run.ts'
import { beginRun } from './run.ts'

/** A bulk request: its parsed body, its id and time of arrival, and whether its client has disconnected. */
export type BulkInput = Pick<ScimRequest, 'body' | 'requestId' | 'receivedAt' | 'isAbandoned'> & {
  /** Called after each call that an operation made. */
  readonly onOperation?: (end: BulkOperationEnd) => void
}

/** The response. The events of the operations are not collected: `perform` has reported them after each commit. */
export type BulkResponse = Pick<ScimResponse, 'status' | 'headers' | 'body'>

/**
 * Performs a bulk request for an authorized caller (RFC 7644 §3.7).
 *
 * @throws ScimError 400, 413 when the request as a whole is invalid: nothing of it is executed
 */
export function performBulk(provider: ServiceProvider, caller: ScimCaller, input: BulkInput): Promise<BulkResponse> {
  const parts: BulkParts = {
    perform: numberedPerform(provider, caller, input),
    nextSlice: () => provider.slices.next(caller.directory.tenant),
    clock: provider.clock,
    onError: provider.onOperationError,
  }
  const { id, scimProfile } = caller.directory
  return executeBulk(parts, input, `${provider.externalUrl()}${scimPath(id)}`, scimProfile)
}

/** The end of a call on behalf of an operation of a bulk request, with its response or error. */
export interface BulkOperationEnd {
  /** Its request id is that of the bulk request, followed by `.` and the number of the call. */
  readonly request: ScimRequest
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly durationMs: number
  readonly response: ScimResponse | undefined
  readonly error: unknown
}

/** Gives each call a request id of its own, in the order of execution, and reports its end. */
function numberedPerform(
  provider: ServiceProvider,
  caller: ScimCaller,
  { requestId, onOperation = () => {} }: BulkInput,
): BulkParts['perform'] {
  let count = 0
  return async (call) => {
    count += 1
    const request = { ...call, requestId: `${requestId}.${String(count).padStart(4, '0')}` }
    const startedAt = provider.clock()
    const times = () => ({ startedAt, durationMs: Math.max(0, provider.clock() - startedAt) })
    try {
      const response = await perform(provider, caller, request)
      onOperation({ request, ...times(), response, error: undefined })
      return response
    } catch (error) {
      onOperation({ request, ...times(), response: undefined, error })
      throw error
    }
  }
}

/**
 * Executes the operations of a bulk request one after the other, starting with those that others refer to. Each is
 * atomic. When the budget of the request is used up, the response says so for each operation that was not executed.
 *
 * @param scimUrl the address of the directory, which the paths of the operations are relative to
 * @throws ScimError 400, 413 when the request as a whole is invalid: nothing of it is executed
 */
export async function executeBulk(
  parts: BulkParts,
  { body, requestId, receivedAt, isAbandoned }: BulkInput,
  scimUrl: string,
  profile: ScimProfile = 'tolerant',
): Promise<BulkResponse> {
  const { failOnErrors, operations: parsed } = parseBulkRequest(body, profile)
  const { operations, steps, creators } = planBulk(parsed)
  const run = beginRun(
    parts,
    { requestId, receivedAt },
    { creators, failOnErrors },
    beginBudget(parts.clock, isAbandoned),
  )
  for (const step of steps) {
    if (run.isStopped()) break
    await (step.kind === 'cycle' ? createCycle(run, step) : runOperation(run, step.operation))
  }
  const results = operations.flatMap((operation) => resultOf(run, operation, scimUrl))
  return { status: 200, headers: {}, body: JSON.stringify(bulkResponse(results)) }
}

/** The result of an operation; empty if it was not executed. */
function resultOf(run: BulkRun, operation: BulkOperation, scimUrl: string): OperationResult[] {
  const outcome = run.outcomeOf(operation)
  if (outcome === undefined) return []
  const { method, bulkId } = operation
  const location = locationFor(run, operation, outcome, scimUrl)
  if (outcome instanceof ScimError) return [{ location, method, bulkId, version: undefined, outcome }]
  return [{ location, method, bulkId, version: outcome.version, outcome: outcome.status }]
}

function locationFor(
  run: BulkRun,
  { method, target }: BulkOperation,
  outcome: Done | ScimError,
  scimUrl: string,
): string | undefined {
  if (target === undefined) return undefined
  const id = outcome instanceof ScimError ? targetId(run, method, target.id) : outcome.id
  return id === undefined ? undefined : locationOf(target.resourceType.endpoint, id, scimUrl)
}

/** The id of the resource that a failed operation named; a POST names none. */
function targetId({ idOf }: BulkRun, method: string | undefined, id: string | undefined): string | undefined {
  return id === undefined || method === 'POST' ? undefined : resolveReference(id, idOf)
}
