import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { createBoundedMap } from '../../concurrency/bounded-map.ts'
import type { DnsQuery } from './dns-query.ts'
import { createDnsQuery } from './dns-query.ts'
import { isLocalhost } from './egress-policy.ts'
import type { HostsFile } from './hosts-file.ts'
import { createHostsFile } from './hosts-file.ts'

/**
 * Lifetime of cached addresses, in milliseconds. It is shorter than that of connections, so that DNS changes take
 * effect soon.
 */
const keptMs = 5_000

/** The maximum number of cached names; the oldest is evicted first. */
const maxNames = 1_000

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

interface Name {
  readonly addresses: Promise<readonly LookupAddress[]>
  /** Undefined while the lookup runs. */
  foundAt: number | undefined
}

export interface NameLookupOptions {
  readonly queryDns?: DnsQuery
  readonly hostsFile?: HostsFile
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

/**
 * A lookup for the names of endpoints, whose name servers may be hostile. It reads the hosts file, then asks the DNS, where
 * any number of names can wait for their name servers. The operating system is not asked, because each of its lookups
 * occupies one of four threads. Connections share a lookup of a name. All addresses are returned.
 */
export function createNameLookup({
  queryDns = createDnsQuery(),
  hostsFile = createHostsFile(),
  now = () => performance.now(),
}: NameLookupOptions = {}): LookupFunction {
  const names = createBoundedMap<Name>(maxNames)

  async function find(hostname: string): Promise<readonly LookupAddress[]> {
    const listed = await hostsFile(hostname)
    if (listed.length > 0) return listed
    return isLocalhost(hostname) ? loopback : queryDns(hostname)
  }

  function start(hostname: string): Name {
    const name: Name = { addresses: find(hostname), foundAt: undefined }
    names.set(hostname, name)
    const forget = () => {
      if (names.get(hostname) === name) names.delete(hostname)
    }
    name.addresses.then(() => {
      name.foundAt = now()
    }, forget)
    return name
  }

  return (hostname, _options, callback) => {
    const known = names.get(hostname)
    const isUsable = known !== undefined && now() - (known.foundAt ?? now()) < keptMs
    const { addresses } = isUsable ? known : start(hostname)
    addresses.then(
      (found) => callback(null, [...found]),
      (error) => callback(error, ''),
    )
  }
}

/** The lookup of the process. */
export const lookupName: LookupFunction = createNameLookup()
