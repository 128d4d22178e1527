import type { BulkOperation, Change, Creation } from '../../scim/bulk/operation.ts'
import { resolveReference, resolveReferences } from '../../scim/bulk/references.ts'
import { quote, ScimError } from '../../scim/errors.ts'
import type { JsonObject } from '../../scim/json.ts'
import type { ScimResponse } from '../request.ts'
import type { BulkRun, Done } from './bulk-run.ts'

/** Executes an operation. What it refers to has been executed, but for what its cycle does not have yet. */
export async function runOperation(run: BulkRun, operation: BulkOperation): Promise<void> {
  run.settle(operation, await execute(run, operation))
}

async function execute(run: BulkRun, operation: BulkOperation): Promise<Done | ScimError> {
  if (operation.kind === 'refused') return operation.refusal
  const failed = operation.references.values().find((bulkId) => run.hasFailed(bulkId))
  if (failed !== undefined) return dependsOn(failed)
  return operation.kind === 'create' ? create(run, operation) : change(run, operation)
}

/** The refusal of an operation that refers to a POST that failed. */
export function dependsOn(bulkId: string, consequence = ''): ScimError {
  const detail = `The operation depends on the one with the bulkId ${quote(bulkId)}, which failed${consequence}.`
  return new ScimError(409, undefined, detail)
}

async function create(run: BulkRun, creation: Creation): Promise<Done | ScimError> {
  const { method, target } = creation
  const answer = await run.send({ method, target, body: bodyOf(run, creation) })
  return answer instanceof ScimError ? answer : done(answer, idIn(answer))
}

async function change(run: BulkRun, operation: Change): Promise<Done | ScimError> {
  const { method, target, version: ifMatch } = operation
  const id = resolveReference(target.id, run.idOf) ?? target.id
  const answer = await run.send({ method, target: { ...target, id }, body: bodyOf(run, operation), ifMatch })
  return answer instanceof ScimError ? answer : done(answer, id)
}

/** Replaces a resource that was created without all that it refers to; by now that is there. */
export async function complete(run: BulkRun, creation: Creation, { id, status }: Done): Promise<Done | ScimError> {
  const { resourceType } = creation.target
  const answer = await run.send({ method: 'PUT', target: { resourceType, id }, body: bodyOf(run, creation) })
  return answer instanceof ScimError ? answer : { ...done(answer, id), status }
}

/** The data, copied only when it refers to something. */
function bodyOf({ idOf }: BulkRun, { method, data, references }: Creation | Change): JsonObject | undefined {
  return data === undefined || references.size === 0 ? data : resolveReferences(method, data, idOf)
}

function done({ status, headers }: ScimResponse, id: string): Done {
  return { status, id, version: headers['etag'] }
}

/** The id of a new resource: the end of its address. */
function idIn({ headers: { location = '' } }: ScimResponse): string {
  return decodeURIComponent(location.slice(location.lastIndexOf('/') + 1))
}
