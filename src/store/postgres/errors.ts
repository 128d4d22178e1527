import { DatabaseError } from 'pg'
import { DatabaseUpgraded, StoreUnavailable } from '../errors.ts'

/**
 * SQLSTATE classes and codes of trouble with the server, not with the statement: connections, resources, shutdowns, limits
 * that passed (of a statement, a lock, or a transaction), a standby, prepared statements that a pooler mixed up, I/O and
 * internal errors; conflicts that remain after repetitions.
 */
const unavailable = /^(08(?!P01)|53|57P|58|XX|25006|25P03|25P04|26000|40001|40P01|42P05|55P03|57014)/

/** A lock that was not available in time, serialization failure, and deadlock: nothing was committed. */
const conflicts: ReadonlySet<string> = new Set(['55P03', '40001', '40P01'])

/** The error of a transaction for its caller: `StoreUnavailable` if the server is the reason. */
export function transactionError(error: unknown): unknown {
  const isTrouble = error instanceof DatabaseError && (unavailable.test(error.code ?? '') || isFatalViolation(error))
  return isTrouble ? storeUnavailable(error) : error
}

/**
 * Returns whether PgBouncer has closed the connection: it reports whatever happens to it as a violation of the protocol (08P01). A
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
  if (error instanceof DatabaseUpgraded) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new StoreUnavailable(`The database is not available: ${reason}`, { cause: error })
}

/** The errors of a server that accepts no writes, is shut down, has crashed, is starting, or loses connections. */
const serverLost = /^(25006|57P0[123]|08(?!P01))/

/**
 * Returns whether the connection leads to a server that is gone or accepts no writes, such as a primary server that became a standby:
 * other connections do so as well.
 */
export function isServerLost(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true
  return error instanceof DatabaseError && (serverLost.test(error.code ?? '') || isFatalViolation(error))
}

/** The errors of a prepared statement that does not exist, or is already there. */
const mixedUp: ReadonlySet<string> = new Set(['26000', '42P05'])

/** Returns whether a pooler has lost a prepared statement, or mixed it up with that of another session: the next use would fail as well. */
export function isMixedUp(error: unknown): boolean {
  return error instanceof DatabaseError && mixedUp.has(error.code ?? '')
}

/** Returns whether the connection can be used after this error: the server rejected a statement and continues. */
export function isConnectionGood(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR' && !isServerLost(error) && !isMixedUp(error)
}

/** Returns whether a transaction was rolled back because of another one, and may succeed when it is repeated. */
export function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && conflicts.has(error.code ?? '')
}

/** A division by zero, and a violation of a unique index. */
const wrongAssumptions: ReadonlySet<string> = new Set(['22012', '23505'])

/** Returns whether a commit that was decided without reading found other rows than it assumed: see `assumingStatement`. */
export function isAssumptionWrong(error: unknown): boolean {
  return error instanceof DatabaseError && wrongAssumptions.has(error.code ?? '')
}

/** A column or table that does not exist. */
const missing: ReadonlySet<string> = new Set(['42703', '42P01'])

/** Returns whether a statement names a column or table that does not exist: a newer version may have renamed it. */
export function isMissing(error: unknown): boolean {
  return error instanceof DatabaseError && missing.has(error.code ?? '')
}
