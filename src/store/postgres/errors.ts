import { DatabaseError } from 'pg'
import { StoreUnavailable } from '../errors.ts'

/**
 * SQLSTATE classes and codes of trouble with the server, not with the statement: connections, resources, shutdowns, limits
 * that passed (of a statement, a lock, or a transaction), a standby, I/O and internal errors; conflicts that remain after
 * repetitions.
 */
const unavailable = /^(08(?!P01)|53|57P|58|XX|25006|25P03|25P04|26000|40001|40P01|55P03|57014)/

/** A lock that was not available in time, serialization failure, and deadlock: nothing was committed. */
const conflicts: ReadonlySet<string> = new Set(['55P03', '40001', '40P01'])

/** The error of a transaction for its caller: `StoreUnavailable` if the server is the reason. */
export function transactionError(error: unknown): unknown {
  const isTrouble = error instanceof DatabaseError && (unavailable.test(error.code ?? '') || isFatalViolation(error))
  return isTrouble ? storeUnavailable(error) : error
}

/**
 * Whether PgBouncer has closed the connection: it reports whatever happens to it as a violation of the protocol (08P01). A
 * violation that does not close the connection is a mistake in a statement, such as a missing parameter.
 */
function isFatalViolation({ code, severity }: DatabaseError): boolean {
  return code === '08P01' && severity !== 'ERROR'
}

/** The error of a statement: the server's, or `StoreUnavailable` when there is none. */
export function statementError(error: unknown): unknown {
  return error instanceof DatabaseError ? error : storeUnavailable(error)
}

/** Throws `StoreUnavailable`: there is no connection. */
export function rejectConnection(error: unknown): never {
  throw storeUnavailable(error)
}

function storeUnavailable(error: unknown): StoreUnavailable {
  const reason = error instanceof Error ? error.message : String(error)
  return new StoreUnavailable(`The database is not available: ${reason}`, { cause: error })
}

/**
 * Whether the connection can be used after this error: the server rejected a statement and continues. A prepared statement
 * that does not exist (26000) will not exist for the next one either.
 */
export function isConnectionGood(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR' && error.code !== '26000'
}

/** Whether a transaction was rolled back because of another one, and may succeed when it is repeated. */
export function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && conflicts.has(error.code ?? '')
}

/** The index of the names of users. PostgreSQL names that of a partition after its columns. */
const nameIndex = /^users_by_name$|_user_name_folded_idx\d*$/

/** Whether the index on names rejected a user. */
export function isNameTaken(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23505' && nameIndex.test(error.constraint ?? '')
}

/** Whether the server rejected a statement because of its content; nothing of it was committed. */
export function isRejected(error: unknown): boolean {
  return error instanceof DatabaseError
}
