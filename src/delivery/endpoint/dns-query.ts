import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'

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
  /** The file with the search domains. */
  readonly configFile?: string
  readonly timeoutMs?: number
}

/**
 * A query that waits for name servers without occupying a thread, unlike `dns.lookup`, so that any number can wait. A name
 * without a dot is first looked up in the search domains of resolv.conf(5).
 */
export function createDnsQuery({
  servers,
  configFile = '/etc/resolv.conf',
  timeoutMs = firstTimeoutMs,
}: DnsQueryOptions = {}): DnsQuery {
  let current: Promise<Configured> | undefined
  let configuredAt = 0

  async function configure(): Promise<Configured> {
    const resolver = new Resolver({ timeout: timeoutMs, tries })
    if (servers !== undefined) resolver.setServers(servers)
    return { resolver, domains: searchDomains(await readFile(configFile, 'utf8').catch(() => '')) }
  }

  function configured(): Promise<Configured> {
    if (current !== undefined && performance.now() - configuredAt < configuredMs) return current
    configuredAt = performance.now()
    current = configure()
    return current
  }

  return async (hostname) => {
    const { resolver, domains } = await configured()
    if (hostname.includes('.')) return addressesOf(hostname, resolver)
    for (const domain of domains) {
      try {
        return await addressesOf(`${hostname}.${domain}`, resolver)
      } catch (error) {
        if (!isNoSuchName(error)) throw error
      }
    }
    return addressesOf(hostname, resolver)
  }
}

interface Configured {
  readonly resolver: Resolver
  readonly domains: readonly string[]
}

/** The domains of the last line that begins with `search` or `domain`. */
function searchDomains(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  const [, ...domains] = lines.findLast(([keyword]) => keyword === 'search' || keyword === 'domain') ?? []
  return domains.map((domain) => domain.replace(/\.$/, '')).filter((domain) => domain !== '')
}

async function addressesOf(hostname: string, resolver: Resolver): Promise<LookupAddress[]> {
  const results = await Promise.allSettled([
    resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
    resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
  ])
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (addresses.length > 0) return addresses
  const errors: unknown[] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  throw errors.find((error) => !isNoSuchName(error)) ?? errors[0]
}

/**
 * Returns whether a query failed because the name does not exist in the DNS; the answer to the other query may contradict this.
 */
function isNoSuchName(error: unknown): boolean {
  return error instanceof Error && 'code' in error && definite.has(error.code)
}

const definite: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
