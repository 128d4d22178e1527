import type { Creation } from '../../scim/bulk/operation.ts'
import type { Cycle } from '../../scim/bulk/plan.ts'
import { ScimError } from '../../scim/errors.ts'
import type { BulkRun } from './bulk-run.ts'
import { complete, dependsOn, runOperation } from './run-operation.ts'

/**
 * Creates resources that refer to each other (RFC 7644 §3.7.1): first without what is not there yet, then completed. As each
 * depends on every other, all of them stay or none does.
 */
export async function runCycle(run: BulkRun, { creations, incomplete }: Cycle): Promise<void> {
  const references = creations.values().flatMap((creation) => creation.references)
  const missing = references.find((bulkId) => run.hasFailed(bulkId))
  if (missing !== undefined) return failAll(run, creations, missing)
  const failed = (await createAll(run, creations)) ?? (await completeAll(run, incomplete))
  if (failed === undefined) return
  const refusal = dependsOn(failed, ': the resource was created and deleted again')
  for (const creation of creations) await undo(run, creation, refusal)
}

/** Fails operations without trying them, as far as errors are still counted. */
function failAll(run: BulkRun, creations: readonly Creation[], bulkId: string): void {
  for (const creation of creations) {
    if (!run.isStopped()) run.settle(creation, dependsOn(bulkId))
  }
}

/** @returns the bulkId of the one that failed, if one did: those behind it are not tried */
async function createAll(run: BulkRun, creations: readonly Creation[]): Promise<string | undefined> {
  for (const [place, creation] of creations.entries()) {
    await runOperation(run, creation)
    if (run.hasFailed(creation.bulkId)) {
      failAll(run, creations.slice(place + 1), creation.bulkId)
      return creation.bulkId
    }
  }
  return undefined
}

/** @returns the bulkId of the one that could not be completed, if there is one; it is undone */
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

/** Deletes what an operation created, if it did; the operation has failed with the refusal. */
async function undo(run: BulkRun, creation: Creation, refusal: ScimError): Promise<void> {
  const { bulkId, target } = creation
  const id = run.idOf(bulkId)
  if (id === undefined) return
  const { resourceType } = target
  const answer = await run.send({ method: 'DELETE', target: { resourceType, id }, body: undefined })
  const remains = answer instanceof ScimError && answer.status !== 404
  run.settle(creation, remains ? notUndone(id, refusal, answer) : refusal)
}

function notUndone(id: string, refusal: ScimError, { status, scimType, message }: ScimError): ScimError {
  return new ScimError(
    status,
    scimType,
    `${refusal.message} It is still there with the id ${id}, as deleting it failed: ${message}`,
  )
}
