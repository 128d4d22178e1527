import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface TokenAnswer {
  readonly status: number
  readonly body: object
}

/**
 * A token endpoint with responses chosen by the test, and the users of the customer `C0acme` with the domain
 * `acme.example`.
 */
export interface OAuthServer extends AsyncDisposable {
  /** The settings that lead there. */
  readonly settings: Readonly<Record<string, string>>
  /** The received forms, oldest first. */
  readonly forms: readonly URLSearchParams[]
  /** Sets the response from now on. */
  answer(how: (form: URLSearchParams) => TokenAnswer): void
}

/** The scopes that Google grants for a code when the administrator leaves every box checked. */
export const wholeGrant = {
  access_token: 'ya29.a0-invented',
  refresh_token: '1//0g-invented',
  expires_in: 3599,
  scope: ['user', 'group', 'group.member']
    .map((name) => `https://www.googleapis.com/auth/admin.directory.${name}.readonly`)
    .join(' '),
  token_type: 'Bearer',
}

/** Starts a token endpoint on a free port. */
export async function startOAuthServer(): Promise<OAuthServer> {
  const forms: URLSearchParams[] = []
  let how: (form: URLSearchParams) => TokenAnswer = () => ({ status: 200, body: wholeGrant })
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/admin/directory/v1/users') {
      const isOthers = (searchParams.get('domain') ?? 'acme.example') !== 'acme.example'
      const found = { kind: 'admin#directory#users', users: [{ id: '1', customerId: 'C0acme' }] }
      const body = isOthers ? { error: { code: 404, errors: [{ reason: 'domainNotFound' }] } } : found
      response.writeHead(isOthers ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      return
    }
    const form = new URLSearchParams(await text(request))
    forms.push(form)
    const { status, body } = how(form)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    settings: {
      DSYNC_EXTDIR_CLIENT_ID: 'client-1',
      DSYNC_EXTDIR_CLIENT_SECRET: 'secret-of-client-1',
      DSYNC_EXTDIR_AUTH_URL: `${origin}/auth`,
      DSYNC_EXTDIR_TOKEN_URL: `${origin}/token`,
      DSYNC_EXTDIR_API_URL: origin,
    },
    forms,
    answer(given) {
      how = given
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
