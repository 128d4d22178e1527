import { errorResponseOf } from '../../error-response.ts'
import type { Listing } from '../../reads/page.ts'
import { eachItem, wholeText } from '../../scim/json-list.ts'
import type { ApiError, Response } from './types.ts'

/** An error that a controller throws, with the status that its product would respond with. */
export class PolisError extends Error {
  override readonly name = 'PolisError'
  readonly statusCode: number

  constructor(message: string, statusCode: number) {
    super(message)
    this.statusCode = statusCode
  }
}

/** The messages of Polis, by status. */
export type Messages = Readonly<Record<number, string>>

/** Calls a function and returns errors of the caller as a value; throws every other error. */
export async function responseOf<T>(call: () => Promise<T>, messages: Messages = {}): Promise<Response<T>> {
  try {
    return { data: await call(), error: null }
  } catch (error) {
    return { data: null, error: apiError(error, messages) }
  }
}

/** Like `responseOf`, for a list. */
export async function listOf<T>(call: () => Promise<Listing>, messages: Messages = {}): Promise<Response<T[]>> {
  const response = await responseOf(async () => {
    const { rows, pageToken } = await call()
    const texts = await Array.fromAsync(eachItem(rows), wholeText)
    return { rows: texts.map((text) => JSON.parse(text) as T), pageToken }
  }, messages)
  if (response.error !== null) return response
  const { rows: data, pageToken } = response.data
  return pageToken === undefined ? { data, error: null } : { data, error: null, pageToken }
}

/** Like `responseOf`, but throws errors of the caller as a `PolisError`. */
export async function thrown<T>(call: () => Promise<T>, messages: Messages = {}): Promise<T> {
  const { data, error } = await responseOf(call, messages)
  if (error !== null) throw new PolisError(error.message, error.code)
  return data as T
}

function apiError(error: unknown, messages: Messages): ApiError {
  if (error instanceof PolisError) return { message: error.message, code: error.statusCode }
  const response = errorResponseOf(error)
  if (response === undefined) throw error
  return { message: messages[response.status] ?? response.message, code: response.status }
}

/**
 * A method of Polis that Rollcall does not offer.
 *
 * @throws PolisError 501, which says what to do instead
 */
export function notOffered(method: string, instead: string): never {
  throw new PolisError(`Rollcall does not offer ${method}: ${instead}`, 501)
}
