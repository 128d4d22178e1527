import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { CryptoKey, JWTPayload } from 'jose'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'

/** What the fake does, which may be changed at any time. */
export interface IssuerKnobs {
  /** The claims of whoever signs in, such as `email`. */
  person: JWTPayload
  /** Claims of the ID token in place of the right ones; one that is undefined is left out. */
  changes: Readonly<Record<string, unknown>>
  /** How the ID token is signed: with the published key, with another one, or not at all. */
  signature: 'right' | 'foreign' | 'none'
  /** Claims that only the UserInfo endpoint returns. */
  userInfo: Readonly<Record<string, unknown>>
  /** The error with which the browser is sent back, such as `access_denied`. */
  refusal: string | undefined
  /** While it is true, every request is answered with 503. */
  isDown: boolean
}

/** A running fake of an OpenID Connect provider with one client, which signs everybody in without asking. */
export interface FakeIssuer extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly knobs: IssuerKnobs
  /** The queries of the requests to the end of the session. */
  readonly signOuts: URLSearchParams[]
  /** The requests to the other addresses, by their path. */
  readonly requests: Readonly<Record<string, number>>
}

export interface FakeIssuerOptions {
  /** Changes of the discovery document; a value that is undefined is left out. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Default: a free port. */
  readonly port?: number
}

interface Code {
  readonly redirectUri: string
  readonly nonce: string
  readonly challenge: string
}

const client = { clientId: 'rollcall-console', clientSecret: 'client secret of a test: +/%=' }

/** Starts a fake issuer on a loopback port, which stops when it is disposed. */
export async function startFakeIssuer({ metadata = {}, port = 0 }: FakeIssuerOptions = {}): Promise<FakeIssuer> {
  const [published, foreign] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const codes = new Map<string, Code>()
  const requests: Record<string, number> = {}
  const signOuts: URLSearchParams[] = []
  const knobs: IssuerKnobs = {
    ...{ person: { email: 'ada@example.com', email_verified: true }, changes: {}, userInfo: {} },
    ...{ signature: 'right', refusal: undefined, isDown: false },
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const redirectUri = query.get('redirect_uri') ?? ''
    const isRight = query.get('client_id') === client.clientId && query.get('code_challenge_method') === 'S256'
    if (!isRight) {
      send(response, 400, { error: 'invalid_request' })
      return
    }
    const code = randomUUID()
    codes.set(code, { redirectUri, nonce: query.get('nonce') ?? '', challenge: query.get('code_challenge') ?? '' })
    const result = knobs.refusal === undefined ? { code } : { error: knobs.refusal }
    const answer = new URLSearchParams({ ...result, state: query.get('state') ?? '' })
    response.writeHead(302, { location: `${redirectUri}?${answer}` }).end()
  }

  /** A code works once, for the redirect URI and the verifier of its attempt. */
  async function redeem(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request))
    if (!isClient(form, request.headers.authorization)) return send(response, 401, { error: 'invalid_client' })
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (code?.redirectUri !== form.get('redirect_uri') || code?.challenge !== challenge)
      return send(response, 400, { error: 'invalid_grant', error_description: 'The code is not valid.' })
    const idToken = await sign({ ...claimsFor(code.nonce), ...knobs.changes })
    send(response, 200, { access_token: 'access-token', token_type: 'Bearer', expires_in: 300, id_token: idToken })
  }

  function claimsFor(nonce: string): JWTPayload {
    const now = Math.floor(Date.now() / 1000)
    return { iss: issuer, aud: client.clientId, sub: 'person-1', iat: now, exp: now + 300, nonce, ...knobs.person }
  }

  function sign(claims: JWTPayload): Promise<string> | string {
    if (knobs.signature === 'none') return new UnsecuredJWT(claims).encode()
    const key: CryptoKey = knobs.signature === 'right' ? published.privateKey : foreign.privateKey
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(key)
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer)
    requests[pathname] = (requests[pathname] ?? 0) + 1
    if (knobs.isDown) return send(response, 503, {})
    if (pathname === '/tenant/authorize') return authorize(searchParams, response)
    if (pathname === '/tenant/token') return void redeem(request, response)
    if (pathname === '/tenant/logout') {
      signOuts.push(searchParams)
      const location = searchParams.get('post_logout_redirect_uri') ?? '/'
      return void response.writeHead(302, { location }).end()
    }
    const body = documents[pathname]?.()
    send(response, body === undefined ? 404 : 200, body ?? {})
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tenant`
  const key = { ...(await exportJWK(published.publicKey)), kid: 'key-1', use: 'sig' }
  const documents: Readonly<Record<string, () => object>> = {
    '/tenant/.well-known/openid-configuration': () => ({ ...metadataOf(issuer), ...metadata }),
    '/tenant/keys': () => ({ keys: [key] }),
    '/tenant/userinfo': () => ({ sub: 'person-1', ...knobs.userInfo }),
  }
  return {
    ...{ issuer, ...client, knobs, signOuts, requests },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function metadataOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    end_session_endpoint: `${issuer}/logout`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    scopes_supported: ['openid', 'email', 'groups'],
  }
}

/** Whether the client sends its secret, in the form or the header (RFC 6749 §2.3.1). */
function isClient(form: URLSearchParams, authorization = ''): boolean {
  const [id, secret] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':')
  const decoded = (part = '') => new URLSearchParams(`part=${part}`).get('part')
  const given =
    authorization === '' ? [form.get('client_id'), form.get('client_secret')] : [decoded(id), decoded(secret)]
  return given[0] === client.clientId && given[1] === client.clientSecret
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
