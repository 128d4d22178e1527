import { request } from 'undici'
import type { JsonObject } from '../../src/scim/json.ts'
import { isObject, own } from '../../src/scim/json.ts'

type ApiMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Calls to the directory-sync API. */
export interface ApiClient {
  /**
   * The `data` of a successful response.
   * @throws ApiError when the service responds with an error or cannot be reached
   */
  call(method: ApiMethod, path: string, body?: JsonObject): Promise<unknown>
}

export interface ApiClientOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string
}

/** A failed call to the directory-sync API; the message is for the terminal. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
}

/** A client of the directory-sync API; paths are below `/api/v1/directory-sync`. */
export function createApiClient({ baseUrl, apiKey }: ApiClientOptions): ApiClient {
  return {
    async call(method, path, body) {
      const url = `${baseUrl}/api/v1/directory-sync${path}`
      const { status, response } = await exchange(url, method, apiKey, body)
      const data = status >= 200 && status < 300 ? own(response, 'data') : undefined
      if (data !== undefined) return data
      if (status === 401)
        throw new ApiError(`${baseUrl} rejects the API key: pass another one with --api-key or ROLLCALL_API_KEY.`)
      throw new ApiError(`${method} ${url} failed with ${status}: ${messageOf(response)}`)
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
    throw new ApiError(`${url} cannot be reached. Is the service running there?`, { cause })
  })
  return { status: response.statusCode, response: parseResponse(await response.body.text()) }
}

function parseResponse(text: string): JsonObject {
  try {
    const response: unknown = JSON.parse(text)
    return isObject(response) ? response : {}
  } catch {
    return {}
  }
}

function messageOf(response: JsonObject): string {
  const error = own(response, 'error')
  const message = isObject(error) ? own(error, 'message') : undefined
  return typeof message === 'string' ? message : 'the response is not of Rollcall'
}

/** The SCIM endpoint of a directory and its secret. */
export interface ScimAddress {
  readonly scimUrl: string
  readonly secret: string
}

/**
 * Looks up a directory's SCIM address over the API: on the host of the API, which may differ from the public one.
 *
 * @throws ApiError when the directory does not exist or is pulled
 */
export async function fetchScimAddress(options: ApiClientOptions, directoryId: string): Promise<ScimAddress> {
  const directory = await createApiClient(options).call('GET', `/${encodeURIComponent(directoryId)}`)
  const { scimPath, secret } = scimAddressOf(directory)
  return { scimUrl: `${options.baseUrl}${scimPath}`, secret }
}

/**
 * The SCIM address of a directory as the API returns it.
 * @throws ApiError when it has none, because it is pulled
 */
export function scimAddressOf(directory: unknown): ScimAddress & { readonly scimPath: string } {
  const scim = isObject(directory) ? own(directory, 'scim') : undefined
  const [scimUrl, scimPath, secret] = ['endpoint', 'path', 'secret'].map((name) => isObject(scim) && own(scim, name))
  if (isText(scimUrl) && isText(scimPath) && isText(secret)) return { scimUrl, scimPath, secret }
  throw new ApiError('This directory has no SCIM address because Rollcall pulls it.')
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
