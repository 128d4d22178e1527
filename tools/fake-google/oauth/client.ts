import type { FakeRequest } from '../request.ts'
import type { OAuthContext } from './context.ts'
import { TokenRefusal } from './errors.ts'

/**
 * Checks that a request is from the registered client, by form fields or by HTTP Basic.
 *
 * @throws TokenRefusal
 */
export function checkClient({ client }: OAuthContext, request: Pick<FakeRequest, 'form' | 'headers'>): void {
  const { id, secret } = credentialsOf(request)
  if (id === null) throw new TokenRefusal('invalid-request', 'Could not determine client ID from request.')
  if (id !== client.clientId) throw new TokenRefusal('client-not-found')
  if (secret === null) throw new TokenRefusal('invalid-request', 'client_secret is missing.')
  if (secret !== client.clientSecret) throw new TokenRefusal('invalid-client')
}

function credentialsOf({ form, headers }: Pick<FakeRequest, 'form' | 'headers'>) {
  const [, encoded] = /^Basic (.+)$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return { id: form.get('client_id'), secret: form.get('client_secret') }
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':').map(decodeURIComponent)
  return { id, secret }
}
