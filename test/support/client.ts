import { Pool } from 'undici'
import type { DirectoryView } from '../../src/directory/directory-view.ts'
import type { ErrorCode } from '../../src/error-response.ts'
import { descriptionProblem } from './described-answers.ts'

/** The response to a request; `body` is parsed JSON, text if it is not JSON, undefined if it is empty. */
export interface Answer<Body = Loose> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Body
  readonly text: string
}

/** The path of a directory's authorization URL. */
export function authorizationPath({ extdir_authorization_url: url = '' }: DirectoryView): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The cookie that a browser would send back after a response that sets one. */
export function cookieOf({ headers }: Pick<Answer, 'headers'>): { readonly cookie: string } {
  return { cookie: String(headers['set-cookie'] ?? '').replace(/;.*/, '') }
}

/** The fields that tests read from bodies; a missing one fails the test. */
export interface Loose {
  readonly data: Data
  readonly error: ApiError
  readonly pageToken?: string
  readonly id: string
  readonly userName: string
  readonly displayName: string
  readonly active: boolean
  readonly schemas: readonly string[]
  readonly meta: {
    readonly location: string
    readonly version: string
    readonly resourceType: string
    readonly created: string
    readonly lastModified: string
  }
  readonly members?: readonly { readonly value: string; readonly type: string; readonly display: string }[]
  readonly groups?: readonly { readonly value: string }[]
  readonly totalResults: number
  readonly itemsPerPage: number
  readonly startIndex: number
  readonly Resources: readonly Loose[]
  readonly status: string
  readonly scimType?: string
  readonly detail: string
}

export type Data = readonly Row[] & Row

/** A directory, user, group or member of the directory-sync API. */
export interface Row extends DirectoryView {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly active: boolean
  readonly raw: Readonly<Record<string, unknown>>
  readonly members: readonly { readonly group_id: string; readonly user_id: string }[]
  readonly user_id: string
  readonly directory_id: string
  readonly created_at: string
  readonly updated_at: string
}

export interface ApiError {
  readonly message: string
  readonly code: number
  readonly reason: ErrorCode
  readonly request_id: string
  readonly problems?: readonly { readonly field: string; readonly message: string }[]
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Strings and buffers are sent as they are, anything else as JSON. */
  readonly body?: unknown
}

/** Sends requests to a service. */
export interface Client extends AsyncDisposable {
  /** Sends a request without credentials; the path is not normalized. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
  /** Calls the directory-sync API; `path` is relative to its prefix, or complete. */
  api(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Sends a SCIM request to a directory with its secret; `path` is relative to its SCIM endpoint. */
  scim(
    directory: Pick<DirectoryView, 'scim'>,
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  /** Creates a directory, by default of the tenant `acme` and the product `crm`. */
  createDirectory(fields?: Readonly<Record<string, unknown>>): Promise<DirectoryView>
}

export const apiPrefix = '/api/v1/directory-sync'

/** Opens a client; `origin` is `http://host:port`, and `timeoutMs` the timeout of a response. */
export function openClient(origin: string, apiKey: string, timeoutMs?: number): Client {
  const timeouts = timeoutMs === undefined ? {} : { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  const pool = new Pool(origin, { connections: 64, pipelining: 1, ...timeouts })

  async function request(method: string, path: string, { headers = {}, body }: RequestOptions = {}): Promise<Answer> {
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    const sent = isRaw ? body : JSON.stringify(body)
    const type: Record<string, string> = sent === undefined ? {} : { 'content-type': 'application/json' }
    const response = await pool.request({
      method: method as 'GET',
      path,
      headers: { ...type, ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const text = await response.body.text()
    const { statusCode: status, headers: received } = response
    const answer = { status, headers: received, body: parsed(text) as Loose, text }
    const contentType = String(received['content-type'] ?? '')
    const problem = descriptionProblem({ method, path, status, contentType, body: answer.body })
    if (problem !== undefined) throw new Error(problem)
    return answer
  }

  const api: Client['api'] = (method, path, body, headers) =>
    request(method, path.startsWith('/api/') ? path : apiPrefix + path, {
      body,
      headers: { authorization: `Api-Key ${apiKey}`, ...headers },
    })

  return {
    request,
    api,
    scim: ({ scim: { path: base, secret } }, method, path, body, headers) =>
      request(method, base + path, {
        body,
        headers: {
          authorization: `Bearer ${secret}`,
          ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
          ...headers,
        },
      }),
    async createDirectory(fields = {}) {
      const { status, body, text } = await api('POST', '', { tenant: 'acme', product: 'crm', ...fields })
      if (status !== 201) throw new Error(`no directory was created: ${text}`)
      return body.data
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
