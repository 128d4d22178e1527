import { createHash, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CryptoKey, JWK, JWTPayload } from 'jose'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** The lifetime of the assertions of Entra ID, in seconds. */
const assertionLifetime = 65 * 60

export interface FakeEntraOptions {
  /** The id of the Entra tenant. Default: a new one. */
  readonly tenantId?: string | undefined
  /** The application id of the workload identity. Default: a new one. */
  readonly appId?: string | undefined
  /** Unix milliseconds, for the times of assertions. */
  readonly clock?: (() => number) | undefined
  /** Default: a free port. */
  readonly port?: number | undefined
}

/** The parts of an assertion that differ from those of Entra ID. */
export interface AssertionChanges {
  readonly claims?: JWTPayload | undefined
  /** Signs with a key that the issuer does not publish. */
  readonly unpublished?: boolean | undefined
}

/** A running fake of an Entra tenant, which publishes its keys and signs the assertions of one workload identity. */
export interface FakeEntra extends AsyncDisposable {
  /** Without a trailing slash, like all URLs here. */
  readonly url: string
  /** The four values that Entra ID shows to its administrator. */
  readonly issuer: string
  readonly jwksUrl: string
  readonly subject: string
  readonly audience: string
  /** The number of requests for the keys and for the discovery document. */
  readonly requests: { readonly keys: number; readonly discovery: number }
  /** While it is true, every request is answered with 503. */
  isDown: boolean
  /** Signs an assertion (RFC 7523 §2.2) with the present key. */
  assertion(changes?: AssertionChanges): Promise<string>
  /** Signs with the next key from now on, which is already published, and publishes another one in place of the present. */
  rotateKeys(): Promise<void>
}

interface SigningKey {
  readonly id: string
  readonly privateKey: CryptoKey
  readonly published: JWK & { readonly issuer: string }
}

/** Starts a fake Entra tenant on a loopback port, which stops when it is disposed. */
export async function startFakeEntra(options: FakeEntraOptions = {}): Promise<FakeEntra> {
  const { tenantId = randomUUID(), appId = randomUUID(), clock = Date.now } = options
  const objectId = randomUUID()
  const requests = { keys: 0, discovery: 0 }
  let isDown = false
  const server = createServer(({ url = '' }, response) => {
    const path = new URL(url, 'http://entra').pathname
    if (path === `/${tenantId}/discovery/v2.0/keys`) requests.keys += 1
    if (path === `/${tenantId}/v2.0/.well-known/openid-configuration`) requests.discovery += 1
    sendJson(response, isDown ? undefined : documents()[path])
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const addresses = addressesOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, tenantId)
  const { issuer, jwksUrl } = addresses
  /** The present key and the next one, which Entra ID publishes before it signs. */
  let keys: readonly [SigningKey, SigningKey] = [await newKey(issuer), await newKey(issuer)]

  function documents(): Readonly<Record<string, object>> {
    return {
      [`/${tenantId}/v2.0/.well-known/openid-configuration`]: discoveryOf(issuer, jwksUrl),
      [`/${tenantId}/discovery/v2.0/keys`]: { keys: keys.map(({ published }) => published) },
    }
  }
  return {
    ...addresses,
    subject: objectId,
    audience: `api://${appId}/.default`,
    requests,
    get isDown() {
      return isDown
    },
    set isDown(given) {
      isDown = given
    },
    async assertion({ claims = {}, unpublished = false } = {}) {
      const key = unpublished ? await newKey(issuer) : keys[0]
      const now = Math.floor(clock() / 1000)
      const usual = { ...claimsOf({ issuer, tenantId, appId, objectId }), ...lifetimeFrom(now) }
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ typ: 'JWT', alg: 'RS256', kid: key.id })
        .sign(key.privateKey)
    },
    async rotateKeys() {
      keys = [keys[1], await newKey(issuer)]
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function addressesOf(url: string, tenantId: string) {
  return { url, issuer: `${url}/${tenantId}/v2.0`, jwksUrl: `${url}/${tenantId}/discovery/v2.0/keys` }
}

function discoveryOf(issuer: string, jwksUrl: string): object {
  return {
    issuer,
    jwks_uri: jwksUrl,
    token_endpoint: issuer.replace('/v2.0', '/oauth2/v2.0/token'),
    id_token_signing_alg_values_supported: ['RS256'],
    subject_types_supported: ['pairwise'],
  }
}

interface Identity {
  readonly issuer: string
  readonly tenantId: string
  readonly appId: string
  readonly objectId: string
}

/** The claims of Entra ID, whose audience has no `/.default`. */
function claimsOf({ issuer, tenantId, appId, objectId }: Identity): JWTPayload {
  return {
    ...{ aud: `api://${appId}`, iss: issuer, sub: objectId, oid: objectId, tid: tenantId },
    ...{ appid: appId, appidacr: '2', idp: issuer, ver: '2.0' },
  }
}

function lifetimeFrom(now: number): JWTPayload {
  return { iat: now, nbf: now, exp: now + assertionLifetime }
}

/** A key of 2,048 bits. Entra ID publishes no `alg`, and its ids are thumbprints. */
async function newKey(issuer: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const { kty = 'RSA', n = '', e = '' } = await exportJWK(publicKey)
  const id = createHash('sha1').update(n).digest('base64url')
  return { id, privateKey, published: { kty, use: 'sig', kid: id, x5t: id, n, e, issuer } }
}

function sendJson(response: ServerResponse, body: object | undefined): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'max-age=86400, private' }
  if (body === undefined) response.writeHead(503, headers).end('{}')
  else response.writeHead(200, headers).end(JSON.stringify(body))
}
