import { request } from 'undici'
import type { JsonObject } from '../scim/json.ts'
import { isObject, own } from '../scim/json.ts'

/** A failed call to the directory-sync API; the message is for the operator. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
}

export interface ApiClientOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly signal?: AbortSignal | undefined
}

/** Reads from the directory-sync API of a running service. */
export interface ApiClient {
  readonly baseUrl: string
  /**
   * The body of a successful response. `path` is below the prefix of the API; undefined values of the query are left
   * out.
   *
   * @throws ApiError when the service rejects the call or cannot be reached
   */
  get(path: string, query: Readonly<Record<string, string | undefined>>): Promise<JsonObject>
}

export function createApiClient({ baseUrl, apiKey, signal }: ApiClientOptions): ApiClient {
  const headers = { authorization: `Api-Key ${apiKey}` }
  return {
    baseUrl,
    async get(path, query) {
      const parameters = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
      const url = `${baseUrl}/api/v1/directory-sync${path}?${new URLSearchParams(parameters)}`
      const response = await request(url, { headers, signal: signal ?? null }).catch((cause: unknown) => {
        throw new ApiError(`${baseUrl} cannot be reached: pass the address of the service with --url.`, { cause })
      })
      const body = parsed(await response.body.text())
      if (response.statusCode < 300 && body !== undefined) return body
      throw new ApiError(failureText(response.statusCode, body, baseUrl))
    },
  }
}

function parsed(text: string): JsonObject | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

function failureText(status: number, body: JsonObject | undefined, baseUrl: string): string {
  const error = body && own(body, 'error')
  const message = isObject(error) ? own(error, 'message') : undefined
  if (status === 401) return `${baseUrl} rejects the API key: pass another one with --api-key or ROLLCALL_API_KEY.`
  return typeof message === 'string'
    ? message
    : `${baseUrl} sent a response (${status}) that this version does not understand.`
}
