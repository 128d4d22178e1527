import { RollcallError } from '../client/error.ts'
import { CursorDiverged } from '../delivery/feed/divergence.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { ErrorResponse } from '../error-response.ts'
import { errorCodeOf, errorResponseOf } from '../error-response.ts'
import type { Listing } from '../reads/page.ts'
import { eachItem, wholeText } from '../scim/json-list.ts'

/** The outcome of a call: data or an error. */
export type Result<T> =
  | { readonly data: T; readonly error: null; readonly pageToken?: string }
  | { readonly data: null; readonly error: RollcallError }

/** Calls a function and returns errors of the caller as a value; throws every other error. */
export async function resultOf<T>(call: () => Promise<T>): Promise<Result<T>> {
  try {
    return { data: await call(), error: null }
  } catch (error) {
    const response = errorResponseOf(error)
    if (response === undefined) throw error
    return { data: null, error: rollcallError(error, response) }
  }
}

function rollcallError(error: unknown, { message, status, headers }: ErrorResponse): RollcallError {
  const { 'retry-after': retryAfter } = headers ?? {}
  return new RollcallError(message, {
    code: errorCodeOf(error, status),
    status,
    problems: error instanceof DirectoryError ? error.problems : [],
    diverged: error instanceof CursorDiverged ? { directoryIds: error.directoryIds, next: error.next } : undefined,
    retryAfterSeconds: retryAfter === undefined ? undefined : Number(retryAfter),
  })
}

/** The result of a call that reads one object as JSON text. */
export function objectResult<T>(read: () => Promise<string | AsyncIterable<string>>): Promise<Result<T>> {
  return resultOf(async () => JSON.parse(await wholeText(await read())) as T)
}

/** The result of a call that reads a list as rows of JSON text. */
export async function listResult<T>(read: () => Promise<Listing>): Promise<Result<T[]>> {
  const result = await resultOf(async () => {
    const { rows, pageToken } = await read()
    const texts = await Array.fromAsync(eachItem(rows), wholeText)
    return { data: texts.map((row) => JSON.parse(row) as T), pageToken }
  })
  if (result.error !== null) return result
  const { data, pageToken } = result.data
  return { data, error: null, ...(pageToken === undefined ? {} : { pageToken }) }
}
