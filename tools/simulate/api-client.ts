import { request } from 'undici'
import type { JsonObject } from '../../src/scim/json.ts'
import { isObject, own } from '../../src/scim/json.ts'

type ApiMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Calls to the directory-sync API. */
export interface ApiClient {
  /**
   * The `data` of a successful answer.
   * @throws ApiError when the service refuses or cannot be reached
   */
  call(method: ApiMethod, path: string, body?: JsonObject): Promise<unknown>
}

export interface ApiClientOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string
}

/** A call to the directory-sync API that did not succeed; the message is for the person at the terminal. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
}

/** A client of the directory-sync API; paths are below `/api/v1/directory-sync`. */
export function createApiClient({ baseUrl, apiKey }: ApiClientOptions): ApiClient {
  return {
    async call(method, path, body) {
      const url = `${baseUrl}/api/v1/directory-sync${path}`
      const { status, answer } = await exchange(url, method, apiKey, body)
      if (status >= 200 && status < 300) return own(answer, 'data')
      throw new ApiError(`${method} ${url} was answered with ${status}: ${messageOf(answer)}`)
    },
  }
}

async function exchange(url: string, method: ApiMethod, apiKey: string, body: JsonObject | undefined) {
  const headers = { authorization: `Api-Key ${apiKey}`, accept: 'application/json' }
  const sent =
    body === undefined
      ? { headers }
      : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await request(url, { method, ...sent }).catch((cause: unknown) => {
    throw new ApiError(`${url} cannot be reached: is the service running there?`, { cause })
  })
  return { status: response.statusCode, answer: parseAnswer(await response.body.text()) }
}

function parseAnswer(text: string): JsonObject {
  try {
    const answer: unknown = JSON.parse(text)
    return isObject(answer) ? answer : {}
  } catch {
    return {}
  }
}

function messageOf(answer: JsonObject): string {
  const error = own(answer, 'error')
  const message = isObject(error) ? own(error, 'message') : undefined
  return typeof message === 'string' ? message : 'without saying why'
}

/** Where a directory's users and groups are provisioned, and with which secret. */
export interface ScimAddress {
  readonly scimUrl: string
  readonly secret: string
}

/**
 * Asks the API for a directory's SCIM address.
 * @throws ApiError when there is no such directory, or it is one that is pulled
 */
export async function fetchScimAddress(api: ApiClient, directoryId: string): Promise<ScimAddress> {
  return scimAddressOf(await api.call('GET', `/${encodeURIComponent(directoryId)}`))
}

/**
 * Reads the SCIM address from a directory as the API gives it.
 * @throws ApiError when it has none: a directory that is pulled is not provisioned
 */
export function scimAddressOf(directory: unknown): ScimAddress {
  const scim = isObject(directory) ? own(directory, 'scim') : undefined
  const [scimUrl, secret] = isObject(scim) ? [own(scim, 'endpoint'), own(scim, 'secret')] : []
  if (typeof scimUrl === 'string' && scimUrl !== '' && typeof secret === 'string') return { scimUrl, secret }
  throw new ApiError('This directory has no SCIM address: Rollcall pulls from it, nothing provisions it.')
}
