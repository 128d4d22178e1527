import { Readable } from 'node:stream'
import { request } from 'undici'
import { plainText } from '../directory/audit.ts'
import type { JsonObject } from '../scim/json.ts'
import { isObject, own, parseObject } from '../scim/json.ts'

/** A failed call to the directory-sync API; the message is for the operator. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The status of the response; undefined when there was none. */
  readonly status: number | undefined

  constructor(message: string, options: ErrorOptions & { readonly status?: number } = {}) {
    super(message, options)
    this.status = options.status
  }
}

export interface ApiClientOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly signal?: AbortSignal | undefined
}

/** Calls the directory-sync API of a running service. */
export interface ApiClient {
  readonly baseUrl: string
  /**
   * The body of a successful response. `path` is below the prefix of the API; undefined values of the query are left
   * out.
   *
   * @throws ApiError when the service rejects the call or cannot be reached
   */
  get(path: string, query: Readonly<Record<string, string | undefined>>): Promise<JsonObject>
  /** The same for a call that changes something. A stream is sent as it is, with its content type. */
  send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object | Readable, type?: string): Promise<JsonObject>
}

export function createApiClient({ baseUrl, apiKey, signal }: ApiClientOptions): ApiClient {
  const root = `${baseUrl}/api/v1/directory-sync`
  const authorization = `Api-Key ${apiKey}`

  async function call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    sent?: object,
    type = 'application/json',
  ) {
    const headers = { authorization, ...(sent === undefined ? {} : { 'content-type': type }) }
    const body = sent === undefined ? null : sent instanceof Readable ? sent : JSON.stringify(sent)
    const options = { method, headers, signal: signal ?? null, body }
    const response = await request(root + path, options).catch((cause: unknown) => {
      throw new ApiError(`${baseUrl} cannot be reached: pass the address of the service with --url.`, { cause })
    })
    const { statusCode: status, headers: received } = response
    const text = await response.body.text().catch((cause: unknown) => {
      throw new ApiError(`The response of ${baseUrl} broke off: send the command again.`, { cause })
    })
    const answer = parseObject(text)
    if (status < 300 && answer !== undefined && own(answer, 'data') !== undefined) return answer
    throw new ApiError(failureText({ status, type: received['content-type'], text }, answer, baseUrl), { status })
  }

  return {
    baseUrl,
    get(path, query) {
      const parameters = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
      return call('GET', `${path}?${new URLSearchParams(parameters)}`)
    },
    send: call,
  }
}

interface Received {
  readonly status: number
  readonly type: string | string[] | undefined
  readonly text: string
}

const shownLength = 100

function failureText({ status, type, text }: Received, body: JsonObject | undefined, baseUrl: string): string {
  const error = body && own(body, 'error')
  const message = isObject(error) ? own(error, 'message') : undefined
  if (status === 401) return `${baseUrl} rejects the API key: pass another one with --api-key or ROLLCALL_API_KEY.`
  if (typeof message === 'string') return message
  const beginning = plainText(text.replaceAll(/\s+/g, ' ').trim(), shownLength)
  const shown = `${status}, ${type ?? 'no content type'}${beginning === '' ? '' : `, “${beginning}”`}`
  return `${baseUrl} sent a response that is not of this service (${shown}): is a proxy or a login page in between?`
}
