import type { JSONWebKeySet, JWK, JWTVerifyGetKey } from 'jose'
import { createBoundedMap } from '../concurrency/bounded-map.ts'
import { createFairSemaphore } from '../concurrency/fair-semaphore.ts'
import type { EgressPolicy } from '../delivery/endpoint/egress-policy.ts'
import { isObject, own } from '../scim/json.ts'
import { isKeyUrl } from './inputs.ts'
import { createJsonClient } from './json-client.ts'
import type { FederatedClient } from './oauth-client.ts'

/** The time that fetching the keys of an issuer may take, in milliseconds. */
const fetchTimeoutMs = 5_000
/** The minimum time between two attempts to fetch the keys of an issuer, in milliseconds. */
const retryMs = 60_000
/** Keys are fetched again after this time, so that a revoked one is forgotten, in milliseconds. */
const refreshMs = 3_600_000
/** Keys remain in use for this time while their issuer cannot be reached, in milliseconds. */
const keepMs = 24 * 3_600_000
const maxIssuers = 1_000
const maxKeys = 100
/** Issuers whose keys are fetched at the same time; directories take turns. */
const fetchedAtOnce = 16

/** The key of an assertion, or why there is none. */
export type FoundKey = { readonly getKey: JWTVerifyGetKey } | { readonly problem: string }

/**
 * The public keys of issuers. They are held by the address that they come from: keys that one directory has fetched from an
 * address of its own are never those of the same issuer for another directory.
 */
export interface IssuerKeys {
  /** Finds the key of an issuer with a `kid`. Fetches the keys if it is unknown, but at most once a minute per address. */
  find(client: FederatedClient, kid: string): Promise<FoundKey>
  close(): Promise<void>
}

export interface IssuerKeysParts {
  readonly egress: EgressPolicy
  readonly timeoutMs?: number
  /** Unix milliseconds. */
  readonly clock: () => number
}

interface Fetched {
  readonly kids: ReadonlySet<string>
  readonly getKey: JWTVerifyGetKey
  readonly fetchedAt: number
}

interface Source {
  known: Fetched | undefined
  triedAt: number
  /** Why the last attempt failed. */
  problem: string | undefined
  fetching: Promise<void> | undefined
}

export function createIssuerKeys({ egress, timeoutMs = fetchTimeoutMs, clock }: IssuerKeysParts): IssuerKeys {
  const http = createJsonClient(egress, timeoutMs)
  const sources = createBoundedMap<Source>(maxIssuers)
  const places = createFairSemaphore(fetchedAtOnce)

  function sourceOf({ jwksUrl, issuer }: FederatedClient): Source {
    const address = jwksUrl ?? `discovery ${issuer}`
    const source = sources.get(address) ?? {
      ...{ known: undefined, triedAt: Number.NEGATIVE_INFINITY, problem: undefined, fetching: undefined },
    }
    sources.set(address, source)
    return source
  }

  async function refresh(source: Source, client: FederatedClient): Promise<void> {
    source.triedAt = clock()
    try {
      source.known = await fetchKeys(client)
      source.problem = undefined
    } catch (error) {
      source.problem = error instanceof Error ? error.message : String(error)
    }
    source.fetching = undefined
  }

  async function fetchKeys(client: FederatedClient): Promise<Fetched> {
    const signal = AbortSignal.timeout(timeoutMs)
    const leave = await places.acquire(client.directoryId, signal)
    try {
      const keys = usableKeys(await http.get(client.jwksUrl ?? (await discover(client.issuer, signal)), signal))
      const { createLocalJWKSet } = await import('jose')
      return { kids: new Set(keys.map(({ kid = '' }) => kid)), getKey: createLocalJWKSet({ keys }), fetchedAt: clock() }
    } finally {
      leave()
    }
  }

  /** The address of an issuer's keys, as its discovery document says (OpenID Connect Discovery §4). */
  async function discover(issuer: string, signal: AbortSignal): Promise<string> {
    const found = await http.get(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, signal)
    if (!isObject(found) || own(found, 'issuer') !== issuer) {
      throw new Error('the discovery document is not the one of this issuer')
    }
    const url = own(found, 'jwks_uri')
    if (typeof url === 'string' && isKeyUrl(url)) return url
    throw new Error('the discovery document has no https URL of the keys')
  }

  return {
    async find(client, kid) {
      const source = sourceOf(client)
      const now = clock()
      if (isDue(source, kid, now)) source.fetching ??= refresh(source, client)
      await source.fetching
      const { known, problem } = source
      if (known?.kids.has(kid) === true && now - known.fetchedAt < keepMs) return known
      if (problem !== undefined) return { problem: `the keys of the issuer could not be fetched: ${problem}` }
      return { problem: `the issuer has no key \`${kid}\`` }
    },
    close: http.close,
  }
}

function isDue({ known, triedAt }: Source, kid: string, now: number): boolean {
  if (now - triedAt < retryMs) return false
  return known === undefined || !known.kids.has(kid) || now - known.fetchedAt >= refreshMs
}

const publicMembers = ['kty', 'kid', 'use', 'alg', 'n', 'e', 'crv', 'x', 'y'] as const

/**
 * The public RSA and EC keys of a key set (RFC 7517 §5); others cannot verify an assertion.
 *
 * @throws Error when it is none
 */
function usableKeys(found: unknown): JSONWebKeySet['keys'] {
  const keys = isObject(found) ? own(found, 'keys') : undefined
  if (!Array.isArray(keys)) throw new Error('the response is not a JSON Web Key Set')
  if (keys.length > maxKeys) throw new Error(`the key set has more than ${maxKeys} keys`)
  return keys.filter(isObject).flatMap((key): JWK[] => {
    const texts = publicMembers.map((name) => [name, own(key, name)] as const)
    const { kty, kid, ...others } = Object.fromEntries(texts.filter(([, value]) => typeof value === 'string'))
    const isUsable = (kty === 'RSA' || kty === 'EC') && kid !== undefined
    return isUsable ? [{ kty: String(kty), kid: String(kid), ...(others as Partial<JWK>) }] : []
  })
}
