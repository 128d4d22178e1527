import { ApiError, answerTo } from '../api/http.ts'
import type { Behavior } from './guide.ts'

/** The setup behind a link, as the service returns it. */
export interface PortalState {
  readonly name: string | null
  readonly product: string
  readonly expires_at: string
  readonly portal: {
    readonly name: string | null
    readonly logo_url: string | null
    readonly color: string | null
    readonly listed_in: readonly string[]
    readonly return_url: string | null
  }
  readonly types: readonly { readonly type: string; readonly label: string }[]
  /** The roles that can be given to groups. */
  readonly roles: readonly string[]
  readonly directory: PortalDirectory | null
  /** Only in the answers that make a secret. */
  readonly secret?: string | null
  /** Only in the answer that creates an OAuth client. */
  readonly created?: { readonly client_id: string; readonly client_secret: string | null }
}

export interface PortalDirectory {
  readonly type: string
  readonly label: string
  readonly deactivated: boolean
  readonly scim_endpoint: string | null
  /** The last characters of the current secret. */
  readonly secret_ending: string | null
  /** For providers that can sign in with OAuth 2.0. */
  readonly oauth: PortalOAuth | null
  readonly google: {
    readonly status: 'none' | 'authorized' | 'needs_authorization'
    readonly can_connect: boolean
    readonly error: string | null
    readonly domain: string | null
    /** The only groups and organizational units that are synced; none: everything. */
    readonly groups: readonly string[]
    readonly org_units: readonly string[]
    readonly pending_reason: string | null
    /** Whether syncs repeat without anybody who starts them. */
    readonly is_scheduled: boolean
  } | null
}

export interface PortalOAuth {
  readonly token_endpoint: string
  /** Whether the SCIM secret is refused. */
  readonly is_required: boolean
  /** Newest first. */
  readonly clients: readonly PortalOAuthClient[]
}

export interface PortalOAuthClient {
  readonly client_id: string
  readonly type: 'secret' | 'federated'
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

export interface PortalHealth {
  readonly state: 'waiting' | 'healthy' | 'attention' | 'failing'
  readonly last_request_at: string | null
  readonly signed_in_at: string | null
  readonly failed_authentications: {
    readonly since_last_success: number
    readonly last_at: string | null
    /** The problem, if it was more than a wrong secret. */
    readonly last_problem: string | null
  }
  readonly behaviors: Readonly<Record<Behavior, { readonly first_at: string; readonly last_at: string } | null>>
  readonly last_refused: RefusedRequest | null
  /** The last sync with Google Workspace that has ended. */
  readonly last_sync: { readonly at: string; readonly has_failed: boolean } | null
}

export interface RefusedRequest {
  readonly at: string
  readonly method: string
  readonly subject: string | null
  readonly status: number
  readonly scim_type: string | null
  readonly detail: string | null
  /** Whether an address is outside the domains that the product allows. */
  readonly is_outside_domain: boolean
}

/** The token in the address of the page. */
export const token = location.pathname.split('/').findLast((part) => part !== '') ?? ''

/**
 * Calls the service as the holder of the setup link.
 *
 * @throws ApiError
 */
export async function call<T>(method: Method, path: string, body?: object): Promise<T> {
  return (await callForPage<T>(method, path, body)).data
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** An answer, with the token of the next page if it is a list of which more follows. */
export interface Page<T> {
  readonly data: T
  readonly pageToken: string | undefined
}

/**
 * As `call`, for a list.
 *
 * @throws ApiError
 */
export async function callForPage<T>(method: Method, path: string, body?: object): Promise<Page<T>> {
  const headers: Record<string, string> = { authorization: `Setup ${token}` }
  if (body !== undefined) headers['content-type'] = 'application/json'
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const { response, body: parsed } = await answerTo(`/api/v1/setup${path}`, { method, headers, ...init })
  const answer = (parsed ?? {}) as {
    readonly data?: T
    readonly pageToken?: string
    readonly error?: {
      readonly message: string
      readonly request_id?: string
      readonly problems?: ApiError['problems']
    } | null
  }
  if (response.ok) return { data: answer.data as T, pageToken: answer.pageToken }
  const { message = response.statusText, request_id, problems } = answer.error ?? {}
  throw new ApiError(response.status, message, request_id, problems)
}
