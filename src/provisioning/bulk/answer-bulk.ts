import { locationOf } from '../../directory/representation.ts'
import type { OperationResult } from '../../scim/bulk/messages.ts'
import { bulkResponse, parseBulkRequest } from '../../scim/bulk/messages.ts'
import type { BulkOperation } from '../../scim/bulk/operation.ts'
import type { BulkStep } from '../../scim/bulk/plan.ts'
import { planBulk } from '../../scim/bulk/plan.ts'
import { resolveReference } from '../../scim/bulk/references.ts'
import { ScimError } from '../../scim/errors.ts'
import type { ScimResponse } from '../request.ts'
import type { BulkParts, BulkRun, Done } from './bulk-run.ts'
import { beginRun } from './bulk-run.ts'
import { runCycle } from './run-cycle.ts'
import { runOperation } from './run-operation.ts'

export type { BulkParts, BulkRefusal } from './bulk-run.ts'

/** A bulk request, apart from how it came in. */
export interface BulkMessage {
  /** Parsed JSON. */
  readonly body: unknown
  readonly requestId: string
  /** The address of the directory, which the paths of the operations are relative to. */
  readonly scimUrl: string
}

/**
 * Answers a bulk request (RFC 7644 §3.7): one operation after the other, each atomic by itself, what is referred to first.
 *
 * @throws ScimError 400, 413 when the request as a whole is wrong: nothing of it is executed
 */
export async function answerBulk(parts: BulkParts, { body, requestId, scimUrl }: BulkMessage): Promise<ScimResponse> {
  const { failOnErrors, operations: parsed } = parseBulkRequest(body)
  const { operations, steps, creators: makers } = planBulk(parsed)
  const run = beginRun(parts, requestId, makers, failOnErrors)
  for (const step of steps) {
    if (run.isStopped()) break
    await runStep(run, step)
  }
  const answers = operations.flatMap((operation) => answerOf(run, operation, scimUrl))
  return { status: 200, headers: {}, body: JSON.stringify(bulkResponse(answers)), ...run.effects() }
}

function runStep(run: BulkRun, step: BulkStep): Promise<void> {
  return step.kind === 'cycle' ? runCycle(run, step) : runOperation(run, step.operation)
}

/** The answer to an operation; none when it was not executed. */
function answerOf(run: BulkRun, operation: BulkOperation, scimUrl: string): OperationResult[] {
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

/** The id of the resource that an operation was to change; that of a POST was still to be made. */
function targetId({ idOf }: BulkRun, method: string | undefined, id: string | undefined): string | undefined {
  return id === undefined || method === 'POST' ? undefined : resolveReference(id, idOf)
}
