import type { JSONWebKeySet, JWK, JWTVerifyGetKey } from 'jose'
import { createBoundedMap } from '../concurrency/bounded-map.ts'
import { createFairSemaphore } from '../concurrency/fair-semaphore.ts'
import type { EgressPolicy } from '../delivery/endpoint/egress-policy.ts'
import { isObject, own } from '../scim/json.ts'
import type { JsonRequest } from './fetch-json.ts'
import { fetchJson } from './fetch-json.ts'
import { isKeyUrl } from './inputs.ts'
import type { FederatedClient } from './oauth-client.ts'

/** The time that fetching the keys of an issuer may take, in milliseconds. */
const fetchTimeoutMs = 5_000
/** The minimum time between two attempts to fetch the keys of an issuer, in milliseconds. */
const retryMs = 60_000
/** Keys are fetched again after this time, so that a revoked one is forgotten, in milliseconds. */
const refreshMs = 3_600_000
/** Keys remain in use for this time while their issuer cannot be reached, in milliseconds. */
const keepMs = 24 * 3_600_000
/** How long a fetch may wait for its turn, in milliseconds. */
const waitMs = 5_000
/** The addresses whose keys are held for a tenant, and so the most that it causes to be fetched in a minute. */
const maxSourcesOfTenant = 50
/** The tenants whose keys are held; keys of one that has not signed in for the longest time are fetched again. */
const maxTenants = 1_000
const maxKeys = 100
/** Issuers whose keys are fetched at the same time; tenants take turns. */
const fetchedAtOnce = 16

/** The key of an assertion, why there is none, or that too many fetches are under way to tell. */
export type FoundKey = { readonly getKey: JWTVerifyGetKey } | { readonly problem: string } | { readonly busy: true }

/**
 * The public keys of issuers. They are held for each tenant by the address that they come from: no tenant replaces the keys of
 * another, by an address of its own for the same issuer or by many addresses.
 */
export interface IssuerKeys {
  /**
   * Finds the key of an issuer with a `kid`. Fetches the keys if it is unknown, but at most once a minute per address.
   *
   * @param tenant of the client, unique across products
   */
  find(client: FederatedClient, tenant: string, kid: string): Promise<FoundKey>
  close(): Promise<void>
}

export interface IssuerKeysParts {
  readonly egress: EgressPolicy
  readonly timeoutMs?: number
  readonly waitMs?: number
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

/** A client and the tenant that its keys are fetched for. */
interface Asking {
  readonly client: FederatedClient
  readonly tenant: string
}

/**
 * Holds keys by our own rules and leaves finding and importing them to jose. Its remote key set cannot replace this: it
 * repeats failed fetches at once, and drops known keys while the issuer cannot be reached.
 */
export function createIssuerKeys(parts: IssuerKeysParts): IssuerKeys {
  const { egress, timeoutMs = fetchTimeoutMs, clock } = parts
  const tenants = createBoundedMap<Map<string, Source>>(maxTenants)
  const places = createFairSemaphore(fetchedAtOnce)
  const closed = new AbortController()
  const endsAfter = (ms: number) => AbortSignal.any([AbortSignal.timeout(ms), closed.signal])

  /** Undefined while the tenant has its maximum of sources, none of which may be fetched again yet. */
  function sourceOf({ client: { jwksUrl, issuer }, tenant }: Asking): Source | undefined {
    const sources = tenants.get(tenant) ?? new Map<string, Source>()
    tenants.set(tenant, sources)
    const address = jwksUrl ?? `discovery ${issuer}`
    const found = sources.get(address)
    if (found !== undefined) return found
    if (sources.size >= maxSourcesOfTenant) {
      const idle = [...sources].filter(([, one]) => one.fetching === undefined && clock() - one.triedAt >= retryMs)
      const [oldest] = idle.toSorted(([, one], [, other]) => one.triedAt - other.triedAt)
      if (oldest === undefined) return undefined
      sources.delete(oldest[0])
    }
    const added = { known: undefined, triedAt: Number.NEGATIVE_INFINITY, problem: undefined, fetching: undefined }
    sources.set(address, added)
    return added
  }

  /** The time in which a fetch waits for others is not the issuer's: it is no attempt, and no failure. */
  async function refresh(source: Source, asking: Asking): Promise<void> {
    const leave = await places.acquire(asking.tenant, endsAfter(parts.waitMs ?? waitMs)).catch(() => undefined)
    if (leave !== undefined) {
      source.triedAt = clock()
      try {
        source.known = await fetchKeys(asking)
        source.problem = undefined
      } catch (error) {
        source.problem = error instanceof Error ? error.message : String(error)
      }
      leave()
    }
    source.fetching = undefined
  }

  async function fetchKeys({ client: { jwksUrl, issuer } }: Asking): Promise<Fetched> {
    const get = { egress, connectMs: timeoutMs, signal: endsAfter(timeoutMs) }
    const keys = usableKeys(await fetchJson(jwksUrl ?? (await discover(issuer, get)), get))
    const { createLocalJWKSet } = await import('jose')
    return { kids: new Set(keys.map(({ kid = '' }) => kid)), getKey: createLocalJWKSet({ keys }), fetchedAt: clock() }
  }

  return {
    async find(client, tenant, kid) {
      const source = sourceOf({ client, tenant })
      if (source === undefined) return { busy: true }
      const now = clock()
      if (isDue(source, kid, now)) source.fetching ??= refresh(source, { client, tenant })
      await source.fetching
      const { known, problem } = source
      if (known?.kids.has(kid) === true && now - known.fetchedAt < keepMs) return known
      if (isDue(source, kid, now)) return { busy: true }
      if (problem !== undefined) return { problem: `the keys of the issuer could not be fetched: ${problem}` }
      return { problem: `the issuer has no key \`${kid}\`` }
    },
    close: async () => closed.abort(),
  }
}

/** The address of an issuer's keys, as its discovery document says (OpenID Connect Discovery §4). */
async function discover(issuer: string, get: JsonRequest): Promise<string> {
  const found = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, get)
  if (!isObject(found) || own(found, 'issuer') !== issuer) {
    throw new Error('the discovery document is not the one of this issuer')
  }
  const url = own(found, 'jwks_uri')
  if (typeof url === 'string' && isKeyUrl(url)) return url
  throw new Error('the discovery document has no https URL of the keys')
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
