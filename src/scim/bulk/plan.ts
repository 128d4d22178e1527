import { quote, ScimError } from '../errors.ts'
import type { BulkOperation, Creation } from './operation.ts'
import { rejectOperation } from './operation.ts'
import { orderSteps } from './order.ts'

/** POSTs that refer to each other. */
export interface Cycle {
  readonly kind: 'cycle'
  /** The POSTs in the order of execution. */
  readonly creations: readonly Creation[]
  /** POSTs that refer to a resource which does not exist yet when they run. */
  readonly incomplete: readonly Creation[]
}

/** The operations of one step. */
export type BulkStep = { readonly kind: 'single'; readonly operation: BulkOperation } | Cycle

/** The order of execution of a bulk request. */
export interface BulkPlan {
  /** The operations in the order of the request. */
  readonly operations: readonly BulkOperation[]
  /** The steps: each operation comes after the ones it refers to, otherwise in the order of the request. */
  readonly steps: readonly BulkStep[]
  /** The POST behind each bulkId. */
  readonly creators: ReadonlyMap<string, BulkOperation>
}

/**
 * Plans a bulk request (RFC 7644 §3.7.1, §3.7.2). Rejects a POST that repeats a bulkId and an operation that refers to
 * a bulkId no POST has.
 */
export function planBulk(parsed: readonly BulkOperation[]): BulkPlan {
  const places = creatorPositions(parsed)
  const operations = parsed.map((operation, place) => validated(operation, place, places))
  const steps = orderSteps(operations.map((operation) => dependenciesOf(operation, places)))
  return {
    operations,
    steps: steps.flatMap((step) => stepOf(step.flatMap((place) => operations[place] ?? []))),
    creators: new Map(places.entries().flatMap(([bulkId, place]) => creatorAt(operations, bulkId, place))),
  }
}

type Positions = ReadonlyMap<string, number>

/**
 * The position of the first POST with each bulkId. Rejected ones count, so that operations that refer to them can
 * report why they fail.
 */
function creatorPositions(operations: readonly BulkOperation[]): Positions {
  const places = new Map<string, number>()
  for (const [place, { method, bulkId }] of operations.entries()) {
    if (method === 'POST' && bulkId !== undefined && !places.has(bulkId)) places.set(bulkId, place)
  }
  return places
}

function validated(operation: BulkOperation, place: number, places: Positions): BulkOperation {
  if (operation.kind === 'rejected') return operation
  const { kind, bulkId, references } = operation
  if (kind === 'create' && places.get(bulkId) !== place) {
    const detail = `Another POST in this request already has the bulkId ${quote(bulkId)}.`
    return rejectOperation(operation, new ScimError(400, 'invalidValue', detail))
  }
  const unknown = references.values().find((reference) => !places.has(reference))
  if (unknown === undefined) return operation
  return rejectOperation(
    operation,
    new ScimError(409, undefined, `No POST in this request has the bulkId ${quote(unknown)}.`),
  )
}

function dependenciesOf(operation: BulkOperation, places: Positions): number[] {
  if (operation.kind === 'rejected') return []
  const dependencies = [...operation.references].flatMap((bulkId) => places.get(bulkId) ?? [])
  return dependencies.sort((a, b) => a - b)
}

function creatorAt(operations: readonly BulkOperation[], bulkId: string, place: number): [string, BulkOperation][] {
  const maker = operations[place]
  return maker === undefined ? [] : [[bulkId, maker]]
}

/** References point to POSTs, so only POSTs can form a cycle. */
function stepOf(operations: readonly BulkOperation[]): BulkStep[] {
  const creations = operations.filter((operation) => operation.kind === 'create')
  const incomplete = incompleteOf(creations)
  if (incomplete.length > 0) return [{ kind: 'cycle', creations, incomplete }]
  return operations.map((operation) => ({ kind: 'single', operation }))
}

function incompleteOf(creations: readonly Creation[]): Creation[] {
  const places = new Map(creations.map(({ bulkId }, place) => [bulkId, place]))
  return creations.filter(({ references }, place) => references.values().some((id) => (places.get(id) ?? -1) >= place))
}
