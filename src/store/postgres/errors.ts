import { DatabaseError } from 'pg'
import { StoreUnavailable } from '../errors.ts'

/** SQLSTATE classes and codes that say the server, not the statement, is the trouble. */
const unavailable = /^(08|53|57P|25006|57014|58|XX)/

/** Two transactions got in each other's way; nothing was committed. */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01'])

/** Rejects with what callers see of an error of the driver: `StoreUnavailable` when the database is the trouble. */
export function rejectStatement(error: unknown): never {
  if (error instanceof DatabaseError && !unavailable.test(error.code ?? '')) throw error
  rejectConnection(error)
}

/** Rejects with what callers see when there is no connection. */
export function rejectConnection(error: unknown): never {
  const why = error instanceof Error ? error.message : String(error)
  throw new StoreUnavailable(`The database is not available: ${why}`, { cause: error })
}

/** Whether the connection can be used again after this error: the server refused a statement and goes on. */
export function isConnectionGood(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR'
}

/** Whether the same work may succeed when it is repeated, being certain that nothing of it was committed. */
export function isWorthRepeating(error: unknown): boolean {
  return isNameTaken(error) || (error instanceof DatabaseError && conflicts.has(error.code ?? ''))
}

/** Whether a userName was taken when its row was written. */
export function isNameTaken(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23505' && error.constraint === 'users_by_name'
}

/** Whether the server refused a statement for what is in it; nothing of it was committed. */
export function isRefused(error: unknown): boolean {
  return error instanceof DatabaseError
}
