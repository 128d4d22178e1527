import type { Dispatcher } from 'undici'
import { request } from 'undici'
import { isObject, own } from '../../scim/json.ts'

/** A call to the admin API that did not succeed; the message is for the person at the terminal. */
export class AdminApiError extends Error {
  override readonly name = 'AdminApiError'
}

export interface AdminClientOptions {
  /** Of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly rootToken: string
  readonly email: string
  readonly signal?: AbortSignal | undefined
}

/** Calls to the admin API of a running service, as an admin who is logged in until the end. */
export interface AdminClient extends AsyncDisposable {
  /** The body of a successful answer; the path is below `/auditlog/admin/v1`. */
  call(method: 'GET' | 'POST', path: string): Promise<Dispatcher.ResponseData['body']>
}

interface Sent {
  readonly body?: object
  readonly signal?: AbortSignal | undefined
}

/** Long work is answered when it is done. */
const patience = { headersTimeout: 0, bodyTimeout: 0 }

/** @throws AdminApiError when the service refuses or cannot be reached */
export async function logIn({ baseUrl, rootToken, email, signal }: AdminClientOptions): Promise<AdminClient> {
  const prefix = `${baseUrl}/auditlog/admin/v1`

  async function send(method: 'GET' | 'POST', path: string, authorization: string, { body, signal }: Sent) {
    const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const options = { ...patience, method, headers, ...sent, signal: signal ?? null }
    const response = await request(prefix + path, options).catch((cause: unknown) => {
      throw new AdminApiError(`${baseUrl} cannot be reached: give the address of the service (--url).`, { cause })
    })
    if (response.statusCode < 300) return response.body
    throw new AdminApiError(await refusalText(response, `${method} ${prefix}${path}`))
  }

  const claims = { upstreamToken: rootToken, email }
  const login = await send('POST', '/user/_login', `token=${rootToken}`, { body: { claims }, signal })
  const { id, token } = adminTokenOf(await login.json())
  const authorization = `id=${id} token=${token} admin_token=${rootToken}`
  return {
    call: (method, path) => send(method, path, authorization, { signal }),
    async [Symbol.asyncDispose]() {
      // also when the command was interrupted; a token that is left behind is good for 30 days at most
      await send('POST', '/user/_logout', authorization, {}).then(
        (body) => body.dump(),
        () => {},
      )
    },
  }
}

function adminTokenOf(answer: unknown) {
  const adminToken = isObject(answer) ? own(answer, 'adminToken') : undefined
  const [id, token] = isObject(adminToken) ? [own(adminToken, 'id'), own(adminToken, 'token')] : []
  if (typeof id === 'string' && typeof token === 'string') return { id, token }
  throw new AdminApiError('The login was answered in a form that this version of Rollcall does not know.')
}

async function refusalText({ statusCode, body }: Dispatcher.ResponseData, what: string): Promise<string> {
  const message = messageOf(await body.text())
  const hint = hints[statusCode]
  return `${what} was answered with ${statusCode}: ${message}${hint === undefined ? '' : `\n${hint}`}`
}

const hints: Readonly<Record<number, string>> = {
  401: 'ADMIN_ROOT_TOKEN must be the one that the service was started with.',
  404: 'The admin API is on when ADMIN_ROOT_TOKEN is set for the service: set it and restart, or stop the service and run this again.',
}

function messageOf(text: string): string {
  try {
    const answer: unknown = JSON.parse(text)
    const error = isObject(answer) ? own(answer, 'error') : undefined
    const message = isObject(error) ? own(error, 'message') : undefined
    return typeof message === 'string' ? message : 'without saying why'
  } catch {
    return 'without saying why'
  }
}
