import assert from 'node:assert/strict'
import type { DirectoryView } from '../../../../src/directory/directory-view.ts'
import type { NewOAuthClient } from '../../../../src/oauth/clients.ts'
import type { Answer, Client } from '../../../support/client.ts'
import { newAddress } from '../../admin/support/admin.ts'

export const tokenPath = '/api/scim/oauth/token'
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Creates an OAuth client of a directory. */
export async function createClient(
  service: Client,
  { id }: Pick<DirectoryView, 'id'>,
  fields: object = { type: 'secret' },
): Promise<NewOAuthClient> {
  const { status, body, text } = await service.api('POST', `/${id}/oauth-clients`, fields)
  assert.equal(status, 201, text)
  return body.data as unknown as NewOAuthClient
}

/** Sends a form to the token endpoint, where proxies are trusted from an address that no other request has. */
export function requestToken(
  service: Client,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<TokenBody>> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString()
  return service.request('POST', tokenPath, {
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': newAddress(), ...headers },
  }) as Promise<unknown> as Promise<Answer<TokenBody>>
}

/** What the token endpoint responds with: a token or an error. */
export interface TokenBody {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
  readonly error?: string
  readonly error_description?: string
}

/** Requests a token with the secret of a client. */
export async function tokenOf(service: Client, { client_id, client_secret = '' }: NewOAuthClient): Promise<string> {
  const { status, body, text } = await requestToken(service, { client_id, client_secret })
  assert.equal(status, 200, text)
  return body.access_token
}

/** Sends an assertion to the token endpoint. */
export function presentAssertion(
  service: Client,
  client_assertion: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer<TokenBody>> {
  return requestToken(service, { client_assertion, client_assertion_type: assertionType, ...more })
}

/** Sends a SCIM request with an access token. */
export function scimWith(
  service: Client,
  directory: Pick<DirectoryView, 'scim'>,
  token: string,
  method = 'GET',
  path = '/Users?count=1',
  body?: unknown,
): Promise<Answer> {
  return service.scim(directory, method, path, body, { authorization: `Bearer ${token}` })
}

/** The problem that health names of the last failed authentication, once it is written. */
export async function lastProblem(service: Client, { id }: Pick<DirectoryView, 'id'>): Promise<string | null> {
  const { body } = await service.api('GET', `/${id}/health`)
  const { failed_authentications: failed } = body.data as unknown as {
    failed_authentications: { last_problem: string | null }
  }
  return failed.last_problem
}
