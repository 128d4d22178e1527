import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'

/**
 * Asks the name servers for the addresses of a name, IPv4 first.
 *
 * @throws the error of `dns.Resolver` when there are none
 */
export type DnsQuery = (hostname: string) => Promise<LookupAddress[]>

/**
 * Timeout of the first question to a name server, in milliseconds; the second may take twice as long, and there is no
 * third.
 */
const firstTimeoutMs = 2_000
const tries = 2

/** Interval at which the configuration of the name servers is read again, for machines that move between networks. */
const configuredMs = 60_000

export interface DnsQueryOptions {
  /** The addresses of name servers, instead of those that the machine is configured with. */
  readonly servers?: readonly string[]
  readonly timeoutMs?: number
}

/**
 * A query that waits for name servers without occupying a thread, unlike `dns.lookup`, so that any number can wait. It
 * ignores the hosts file and search domains.
 */
export function createDnsQuery({ servers, timeoutMs = firstTimeoutMs }: DnsQueryOptions = {}): DnsQuery {
  let current: Resolver | undefined
  let configuredAt = 0

  function configured(): Resolver {
    if (current !== undefined && performance.now() - configuredAt < configuredMs) return current
    current = new Resolver({ timeout: timeoutMs, tries })
    if (servers !== undefined) current.setServers(servers)
    configuredAt = performance.now()
    return current
  }

  return async (hostname) => {
    const resolver = configured()
    const results = await Promise.allSettled([
      resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
    ])
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    if (addresses.length > 0) return addresses
    const errors: unknown[] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    throw errors.find((error) => !isNoSuchName(error)) ?? errors[0]
  }
}

/**
 * Whether a query failed because the name does not exist in the DNS; the answer to the other query may contradict this.
 */
function isNoSuchName(error: unknown): boolean {
  return error instanceof Error && 'code' in error && definite.has(error.code)
}

const definite: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
