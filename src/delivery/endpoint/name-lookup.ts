import type { LookupAddress, LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { DnsQuery } from './dns-query.ts'
import { createDnsQuery } from './dns-query.ts'
import { isLocalhost } from './egress-policy.ts'
import type { HostsFile } from './hosts-file.ts'
import { createHostsFile } from './hosts-file.ts'
import type { SystemLookupOptions } from './system-lookup.ts'
import { createSystemLookup } from './system-lookup.ts'

/**
 * Finds the addresses of host names; called as by `net.connect`. `tenants` are those that wait for the name; the array
 * may change meanwhile.
 */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { readonly tenants?: readonly string[] },
  callback: Parameters<LookupFunction>[2],
) => void

/**
 * Lifetime of cached addresses, in milliseconds. It is shorter than that of connections, so that DNS changes take
 * effect soon.
 */
const keptMs = 5_000

/** The maximum number of cached names; the oldest is evicted first. */
const maxNames = 1_000

interface Name {
  /** The tenants that wait for it: one list per connection. */
  readonly waiting: Set<readonly string[]>
  readonly addresses: Promise<readonly LookupAddress[]>
  /** Undefined while the lookup runs. */
  foundAt: number | undefined
}

export interface NameLookupOptions extends SystemLookupOptions {
  readonly queryDns?: DnsQuery
  readonly hostsFile?: HostsFile
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

/**
 * A lookup for the names of endpoints, whose name servers may be hostile. A name with a dot is looked up in the hosts
 * file, then in the DNS, where any number of names can wait for their name servers; the answer of the DNS is final. The
 * operating system, which knows the search domains, resolves only names without a dot and those of this machine.
 * Connections share a lookup of a name. All addresses are returned.
 */
export function createNameLookup({
  queryDns = createDnsQuery(),
  hostsFile = createHostsFile(),
  now = () => performance.now(),
  ...options
}: NameLookupOptions = {}): Lookup {
  const names = new Map<string, Name>()
  const system = createSystemLookup(options)

  async function find(hostname: string, waiting: Name['waiting']): Promise<readonly LookupAddress[]> {
    if (isLocalName(hostname)) return system.lookup(hostname, () => [...waiting].flat())
    const listed = await hostsFile(hostname)
    return listed.length > 0 ? listed : queryDns(hostname)
  }

  function start(hostname: string, tenants: readonly string[]): Name {
    const waiting = new Set([tenants])
    const name: Name = { waiting, foundAt: undefined, addresses: find(hostname, waiting) }
    names.delete(hostname)
    names.set(hostname, name)
    const forget = () => {
      if (names.get(hostname) === name) names.delete(hostname)
    }
    name.addresses.then(() => {
      name.foundAt = now()
    }, forget)
    const [oldest] = names.keys()
    if (names.size > maxNames && oldest !== undefined) names.delete(oldest)
    return name
  }

  /** A cached name, or one that is being looked up; the connection then waits for it as well. */
  function join(hostname: string, tenants: readonly string[]): Name | undefined {
    const name = names.get(hostname)
    if (name?.foundAt === undefined) {
      name?.waiting.add(tenants)
      system.startNext()
      return name
    }
    return now() - name.foundAt < keptMs ? name : undefined
  }

  return (hostname, { tenants = [] }, callback) => {
    const waiting = tenants.length === 0 ? nobody : tenants
    const { addresses } = join(hostname, waiting) ?? start(hostname, waiting)
    addresses.then(
      (found) => callback(null, [...found]),
      (error) => callback(error, ''),
    )
  }
}

/** The tenant of lookups that no request needs, such as that of a URL that is being set; they share one place. */
const nobody: readonly string[] = ['']

/** Whether only the operating system can resolve a name: it has no dot, or means this machine. */
export function isLocalName(hostname: string): boolean {
  return !hostname.includes('.') || isLocalhost(hostname)
}

/** The lookup of the process, whose threads it limits. */
export const lookupName: Lookup = createNameLookup()
