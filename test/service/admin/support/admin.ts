import assert from 'node:assert/strict'
import type { LoginResponse } from '../../../../src/admin/accounts/login.ts'
import type { NamedEntryView } from '../../../../src/admin/audit/entry-view.ts'
import type { ApiKeyView } from '../../../../src/admin/keys/managed-keys.ts'
import type { Answer, Client } from '../../../support/client.ts'
import type { TestSettings } from '../../../support/service.ts'

export const adminPrefix = '/auditlog/admin/v1'

export const rootToken = 'root-token-of-a-test-0123456789abcdef'

/** The admin API is on; tests choose their address by `X-Forwarded-For`, as failed logins are limited per address. */
export const adminSettings: TestSettings = { ADMIN_ROOT_TOKEN: rootToken, TRUST_PROXY: '127.0.0.1' }

let addresses = 0

/** A documentation address (RFC 5737) that no other test uses. */
export function newAddress(): string {
  addresses += 1
  return `198.51.${100 + Math.floor(addresses / 250)}.${1 + (addresses % 250)}`
}

interface LoginParts {
  readonly authorization?: string | undefined
  readonly body?: unknown
  readonly address?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A valid body with the given changes. */
export const claims = (given: object = {}) => ({
  claims: { upstreamToken: rootToken, email: 'ada@example.com', ...given },
})

/** Sends a valid login with the given changes. */
export function tryLogin({ request }: Client, given: LoginParts = {}): Promise<Answer> {
  const authorization = 'authorization' in given ? given.authorization : `token=${rootToken}`
  const { body = claims(), address = newAddress() } = given
  const credentials = authorization === undefined ? {} : { authorization }
  const headers = { ...credentials, 'x-forwarded-for': address, ...given.headers }
  return request('POST', `${adminPrefix}/user/_login`, { headers, body })
}

/** A logged-in admin. */
export interface TestAdmin extends LoginResponse {
  /** The three-part header. */
  readonly header: string
  /** The header with the JWT. */
  readonly bearer: string
  /** Their address. */
  readonly address: string
  /** Calls the admin API with the three-part header; `path` is relative to its prefix. */
  admin(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
}

/** Logs an admin in. */
export async function login(client: Client, email = 'ada@example.com'): Promise<TestAdmin> {
  const address = newAddress()
  const { status, body, text } = await tryLogin(client, { body: claims({ email }), address })
  assert.equal(status, 200, text)
  const response = body as unknown as LoginResponse
  const header = headerOf(response.adminToken)
  return {
    ...response,
    header,
    bearer: `Bearer ${response.token}`,
    address,
    admin: (method, path, sent, headers) =>
      client.request(method, adminPrefix + path, {
        headers: { authorization: header, 'x-forwarded-for': address, ...headers },
        ...(sent === undefined ? {} : { body: sent }),
      }),
  }
}

/** An admin logged in at the first call, for tests that do not change the token: a login is slow. */
export function sharedAdmin(service: () => Client): () => Promise<TestAdmin> {
  let shared: Promise<TestAdmin> | undefined
  return () => {
    shared ??= login(service(), 'shared@example.com')
    return shared
  }
}

/** The three-part header of an admin token. */
export function headerOf({ id, token }: { readonly id: string; readonly token: string }): string {
  return `id=${id} token=${token} admin_token=${rootToken}`
}

/** The data of a response of the admin API; fails if there is none. */
export function dataOf<T>({ status, body, text }: Answer): T {
  assert(status === 200 || status === 201, text)
  assert.equal(body.error, null)
  return body.data as unknown as T
}

/** Creates an API key. */
export async function makeKey({ admin }: TestAdmin, name: string, scope: object = {}) {
  return dataOf<ApiKeyView & { readonly key: string }>(await admin('POST', '/apikey', { name, scope }))
}

/** A page of the audit trail. */
export async function events({ admin }: TestAdmin, query: Readonly<Record<string, string>> = {}) {
  return dataOf<NamedEntryView[]>(await admin('GET', `/event?${new URLSearchParams(query)}`))
}
