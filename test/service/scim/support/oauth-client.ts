import type { DirectoryView } from '../../../../src/directory/directory-view.ts'
import type { TestService } from '../../../support/service.ts'

/** An OAuth client as its creation returns it. */
interface CreatedClient {
  readonly client_id: string
  readonly client_secret?: string
}

/** Creates an OAuth client of a directory. */
export async function createClient(
  service: TestService,
  { id }: DirectoryView,
  fields: object,
): Promise<CreatedClient> {
  const { status, body, text } = await service.api('POST', `/${id}/oauth-clients`, fields)
  if (status !== 201) throw new Error(`no client was created: ${text}`)
  return body.data as unknown as CreatedClient
}

interface IssuedToken {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
}

/**
 * Requests an access token.
 *
 * @throws Error with the status when it is refused
 */
export async function tokenOf(
  service: Pick<TestService, 'request'>,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<IssuedToken> {
  const { status, body, text } = await service.request('POST', '/api/scim/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
  })
  if (status !== 200) throw new Error(`${status} ${text}`)
  return body as unknown as IssuedToken
}

/** The header of a client with a secret (RFC 6749 §2.3.1). */
export function basicAuth(clientId: string, secret: string): { readonly authorization: string } {
  const pair = [clientId, secret].map(encodeURIComponent).join(':')
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** The form of a federated client (RFC 7523 §2.2). */
export function assertionForm(clientId: string, assertion: string): Readonly<Record<string, string>> {
  return {
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
    scope: 'scim',
  }
}

/** A directory whose requests are sent with an access token. */
export function withToken({ scim }: DirectoryView, token: string): Pick<DirectoryView, 'scim'> {
  return { scim: { ...scim, secret: token } }
}
