import type { Dispatcher } from 'undici'
import { request } from 'undici'
import { isObject, own } from '../../scim/json.ts'

/** A failed call to the admin API; the message is for the operator. */
export class AdminApiError extends Error {
  override readonly name = 'AdminApiError'
}

export interface AdminClientOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly rootToken: string
  readonly email: string
  readonly signal?: AbortSignal | undefined
}

/** Calls the admin API as a logged-in admin; disposing of it logs out. */
export interface AdminClient extends AsyncDisposable {
  /** The body of a successful response; `path` is below `/auditlog/admin/v1`. */
  call(method: 'GET' | 'POST', path: string): Promise<Dispatcher.ResponseData['body']>
}

interface Sent {
  readonly body?: object
  readonly signal?: AbortSignal | undefined
}

/** No timeouts: the service responds when the work is done. */
const timeouts = { headersTimeout: 0, bodyTimeout: 0 }

/** @throws AdminApiError when the service rejects the login or cannot be reached */
export async function logIn({ baseUrl, rootToken, email, signal }: AdminClientOptions): Promise<AdminClient> {
  const prefix = `${baseUrl}/auditlog/admin/v1`

  async function send(method: 'GET' | 'POST', path: string, authorization: string, { body, signal }: Sent) {
    const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const options = { ...timeouts, method, headers, ...sent, signal: signal ?? null }
    const response = await request(prefix + path, options).catch((cause: unknown) => {
      throw new AdminApiError(`${baseUrl} cannot be reached: pass the address of the service with --url.`, { cause })
    })
    if (response.statusCode < 300) return response.body
    throw new AdminApiError(await failureText(response, `${method} ${prefix}${path}`))
  }

  const claims = { upstreamToken: rootToken, email }
  const login = await send('POST', '/user/_login', `token=${rootToken}`, { body: { claims }, signal })
  const { id, token } = adminTokenOf(await login.json())
  const authorization = `id=${id} token=${token} admin_token=${rootToken}`
  return {
    call: (method, path) => send(method, path, authorization, { signal }),
    async [Symbol.asyncDispose]() {
      // Without the signal, so that an interrupted command logs out as well.
      await send('POST', '/user/_logout', authorization, {}).then(
        (body) => body.dump(),
        () => {},
      )
    },
  }
}

function adminTokenOf(response: unknown) {
  const adminToken = isObject(response) ? own(response, 'adminToken') : undefined
  const [id, token] = isObject(adminToken) ? [own(adminToken, 'id'), own(adminToken, 'token')] : []
  if (typeof id === 'string' && typeof token === 'string') return { id, token }
  throw new AdminApiError('The service sent a login response that this version of Rollcall does not understand.')
}

async function failureText({ statusCode, body }: Dispatcher.ResponseData, call: string): Promise<string> {
  const message = messageOf(await body.text())
  const hint = hints[statusCode]
  return `${call} failed with ${statusCode}: ${message}${hint === undefined ? '' : `\n${hint}`}`
}

const hints: Readonly<Record<number, string>> = {
  401: 'ADMIN_ROOT_TOKEN must be the one that the service uses.',
  404: 'The admin API is off while ADMIN_ROOT_TOKEN is unset for the service: set it and restart, or stop the service and try again.',
}

function messageOf(text: string): string {
  try {
    const response: unknown = JSON.parse(text)
    const error = isObject(response) ? own(response, 'error') : undefined
    const message = isObject(error) ? own(error, 'message') : undefined
    return typeof message === 'string' ? message : 'no error message'
  } catch {
    return 'no error message'
  }
}
