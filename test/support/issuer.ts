import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CryptoKey, JWK, JWTPayload } from 'jose'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** A key of an issuer. */
export interface IssuerKey {
  readonly kid: string
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly jwk: JWK
}

/** An issuer of assertions on a free port, with an OpenID discovery document and a key set. */
export interface TestIssuer extends AsyncDisposable {
  readonly issuer: string
  readonly jwksUrl: string
  /** The published keys; the first one signs. */
  keys: IssuerKey[]
  /** The number of requests to the key set. */
  readonly fetches: number
  /** Answers requests to the key set in place of the issuer. */
  answer: ((response: ServerResponse) => void) | undefined
  /** An assertion with these changes of what Entra ID sends; a claim that is undefined is left out. */
  sign(changes?: Readonly<Record<string, unknown>>, key?: IssuerKey): Promise<string>
  /** Closes all connections, which ends the requests that have no answer. */
  closeConnections(): void
  close(): Promise<void>
}

export const subject = 'c0c4b9e4-1f0a-4a0e-9d5e-2b8f4d1f7a10'
export const audience = 'api://6f1f2a3c-7d0e-4a55-8e51-4f0d5cb0a9aa'

/** The fields of a federated client that trusts the issuer. */
export const federated = ({ issuer, jwksUrl }: TestIssuer) => ({
  ...{ type: 'federated', issuer, subject, audience: `${audience}/.default`, jwks_url: jwksUrl },
})

export async function newIssuerKey(kid: string, alg = 'RS256'): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig' } }
}

/** The claims that Entra ID sends, at a time in Unix milliseconds. */
export function claimsAt(now: number, issuer: string): JWTPayload {
  const iat = Math.floor(now / 1_000) - 30
  return {
    ...{ aud: audience, iss: issuer, sub: subject, oid: subject, iat, nbf: iat, exp: iat + 3_900 },
    ...{ appid: 'a7b1c9d2', appidacr: '2', idp: issuer, tid: 'e0e3', ver: '2.0' },
  }
}

export async function startIssuer(): Promise<TestIssuer> {
  const keys = [await newIssuerKey('key-1')]
  let fetches = 0
  const server = createServer((request, response) => {
    const json = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (request.url === '/tenant/.well-known/openid-configuration') {
      return json({ issuer: issuer.issuer, jwks_uri: issuer.jwksUrl })
    }
    fetches += 1
    if (issuer.answer !== undefined) return issuer.answer(response)
    json({ keys: issuer.keys.map(({ jwk }) => jwk) })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  const issuer: TestIssuer = {
    issuer: `${origin}/tenant`,
    jwksUrl: `${origin}/keys`,
    keys,
    answer: undefined,
    get fetches() {
      return fetches
    },
    async sign(changes = {}, key = issuer.keys[0]) {
      assert(key !== undefined)
      const claims = { ...claimsAt(Date.now(), issuer.issuer), ...changes }
      const { kid, alg, privateKey } = key
      return new SignJWT(claims).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(privateKey)
    },
    closeConnections: () => server.closeAllConnections(),
    close,
    [Symbol.asyncDispose]: close,
  }
  return issuer
}
