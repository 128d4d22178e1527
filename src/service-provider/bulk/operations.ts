import type { BulkOperation, Change, Creation } from '../../scim/bulk/operation.ts'
import type { Cycle } from '../../scim/bulk/plan.ts'
import { resolveReference, resolveReferences } from '../../scim/bulk/references.ts'
import { quote, ScimError } from '../../scim/errors.ts'
import type { JsonObject } from '../../scim/json.ts'
import type { ScimResponse } from '../request.ts'
import type { BulkRun, Done } from './run.ts'

/** Executes an operation. The operations that it refers to have been executed, except for those of its own cycle. */
export async function runOperation(run: BulkRun, operation: BulkOperation): Promise<void> {
  run.settle(operation, await execute(run, operation))
}

async function execute(run: BulkRun, operation: BulkOperation): Promise<Done | ScimError> {
  const exhausted = run.exhausted()
  if (exhausted !== undefined) return exhausted
  if (operation.kind === 'rejected') return operation.error
  const failed = operation.references.values().find((bulkId) => run.hasFailed(bulkId))
  if (failed !== undefined) return dependencyFailed(failed)
  return operation.kind === 'create' ? create(run, operation) : change(run, operation)
}

/** The error of an operation that refers to a POST that failed. */
function dependencyFailed(bulkId: string, consequence = ''): ScimError {
  const detail = `The operation depends on the one with the bulkId ${quote(bulkId)}, which failed${consequence}.`
  return new ScimError(409, undefined, detail)
}

async function create(run: BulkRun, creation: Creation): Promise<Done | ScimError> {
  const { method, target } = creation
  const response = await run.send({ method, target, body: bodyOf(run, creation) })
  return response instanceof ScimError ? response : done(response, idIn(response))
}

async function change(run: BulkRun, operation: Change): Promise<Done | ScimError> {
  const { method, target, version: ifMatch } = operation
  const id = resolveReference(target.id, run.idOf) ?? target.id
  const response = await run.send({ method, target: { ...target, id }, body: bodyOf(run, operation), ifMatch })
  return response instanceof ScimError ? response : done(response, id)
}

/** The data with its references resolved; copied only if there are any. */
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

/**
 * Creates resources that refer to each other (RFC 7644 §3.7.1): first without the references that cannot be resolved
 * yet, then replaced by the complete ones. Either all of them are created or none.
 */
export async function createCycle(run: BulkRun, { creations, incomplete }: Cycle): Promise<void> {
  const references = creations.values().flatMap((creation) => creation.references)
  const missing = references.find((bulkId) => run.hasFailed(bulkId))
  if (missing !== undefined) return failAll(run, creations, missing)
  const failed = (await createAll(run, creations)) ?? (await completeAll(run, incomplete))
  if (failed === undefined) return
  const error = dependencyFailed(failed, ': the resource was created and deleted again')
  for (const creation of creations) await undo(run, creation, error)
}

/** Fails operations without executing them, until `failOnErrors` is reached. */
function failAll(run: BulkRun, creations: readonly Creation[], bulkId: string): void {
  for (const creation of creations) {
    if (!run.isStopped()) run.settle(creation, dependencyFailed(bulkId))
  }
}

/** @returns the bulkId of the creation that failed, if any; those after it are not executed */
async function createAll(run: BulkRun, creations: readonly Creation[]): Promise<string | undefined> {
  for (const [index, creation] of creations.entries()) {
    await runOperation(run, creation)
    if (run.hasFailed(creation.bulkId)) {
      failAll(run, creations.slice(index + 1), creation.bulkId)
      return creation.bulkId
    }
  }
  return undefined
}

/** @returns the bulkId of the creation that could not be completed, if any; it is undone */
async function completeAll(run: BulkRun, incomplete: readonly Creation[]): Promise<string | undefined> {
  for (const creation of incomplete) {
    const created = run.outcomeOf(creation)
    if (created === undefined || created instanceof ScimError) continue
    const outcome = await complete(run, creation, created)
    if (outcome instanceof ScimError) {
      await undo(run, creation, outcome)
      return creation.bulkId
    }
    run.settle(creation, outcome)
  }
  return undefined
}

/** Replaces a resource that was created without some of its references; all of them can be resolved by now. */
async function complete(run: BulkRun, creation: Creation, { id, status }: Done): Promise<Done | ScimError> {
  const exhausted = run.exhausted()
  if (exhausted !== undefined) return exhausted
  const { resourceType } = creation.target
  const response = await run.send({ method: 'PUT', target: { resourceType, id }, body: bodyOf(run, creation) })
  return response instanceof ScimError ? response : { ...done(response, id), status }
}

/** Deletes the resource that an operation created, if any, and fails the operation. */
async function undo(run: BulkRun, creation: Creation, error: ScimError): Promise<void> {
  const id = run.idOf(creation.bulkId)
  if (id === undefined) return
  const { resourceType } = creation.target
  const response = await run.send({ method: 'DELETE', target: { resourceType, id }, body: undefined })
  const remains = response instanceof ScimError && response.status !== 404
  run.settle(creation, remains ? notUndone(id, error, response) : error)
}

function notUndone(id: string, error: ScimError, { status, scimType, message }: ScimError): ScimError {
  return new ScimError(
    status,
    scimType,
    `${error.message} It still exists with the id ${id}, as deleting it failed: ${message}`,
  )
}
