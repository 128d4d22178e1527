import { DatabaseError } from 'pg'
import { StoreUnavailable } from '../errors.ts'
import type { Row } from '../row.ts'

/** SQLSTATE classes and codes of trouble with the server, not with the statement. */
const unavailable = /^(08|53|57P|25006|57014|58|XX)/

/** Serialization failure and deadlock: nothing was committed. */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01'])

/** Throws `StoreUnavailable` when the server is the trouble, else the driver's error. */
export function rejectStatement(error: unknown): never {
  if (error instanceof DatabaseError && !unavailable.test(error.code ?? '')) throw error
  rejectConnection(error)
}

/** Throws `StoreUnavailable`: there is no connection. */
export function rejectConnection(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  throw new StoreUnavailable(`The database is not available: ${reason}`, { cause: error })
}

/** Whether the connection can be used after this error: the server rejected a statement and continues. */
export function isConnectionGood(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR'
}

/** Whether the same work may succeed when it is repeated, and nothing of it was committed. */
export function isWorthRepeating(error: unknown): boolean {
  return isNameTaken(error) || (error instanceof DatabaseError && conflicts.has(error.code ?? ''))
}

function isNameTaken(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23505' && error.constraint === 'users_by_name'
}

/** Turns the error about a userName that was taken into no rows; throws every other error. */
export function noRowsWhenNameTaken(error: unknown): Row[] {
  if (isNameTaken(error)) return []
  throw error
}

/** Whether the server rejected a statement because of its content; nothing of it was committed. */
export function isRejected(error: unknown): boolean {
  return error instanceof DatabaseError
}
