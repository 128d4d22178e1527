import assert from 'node:assert/strict'
import type { LoginResponse } from '../../../../src/admin/accounts/login.ts'
import { adminPrefix } from '../../../../src/http/admin/routes.ts'
import type { Answer, Client } from '../../../support/client.ts'

export const rootToken = 'root-token-of-a-hostile-test-0123456789'

/** The settings of a service with the admin API on and a trusted proxy. */
export const adminSettings = { ADMIN_ROOT_TOKEN: rootToken, TRUST_PROXY: '1' }

/** Calls the admin API; `path` is relative to its prefix. */
export function admin(
  client: Client,
  authorization: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return client.request(method, adminPrefix + path, { headers: { authorization }, body })
}

/** A logged-in admin and their two valid headers. */
export interface LoggedIn {
  readonly answer: LoginResponse
  readonly threePart: string
  readonly bearer: string
}

export async function logIn(client: Client, email = 'ada@example.com'): Promise<LoggedIn> {
  const body = { claims: { upstreamToken: rootToken, email } }
  const { status, text } = await admin(client, `token=${rootToken}`, 'POST', '/user/_login', body)
  assert.equal(status, 200, text)
  const response = JSON.parse(text) as LoginResponse
  const { adminToken, token: jwt } = response
  return {
    answer: response,
    threePart: `id=${adminToken.id} token=${adminToken.token} admin_token=${rootToken}`,
    bearer: `Bearer ${jwt}`,
  }
}
