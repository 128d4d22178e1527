import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { BlockList, isIP } from 'node:net'
import { buildConnector } from 'undici'

/** IPv4 networks that are always blocked: this host, link-local, multicast, broadcast, metadata services of clouds. */
const alwaysBlockedV4 = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '224.0.0.0/4',
  '255.255.255.255/32',
]

/**
 * IPv6 networks that are always blocked: unspecified, link-local, multicast, metadata services of AWS, Google and Scaleway,
 * and the blocked IPv4 addresses in IPv4-compatible and 6to4 form.
 */
const alwaysBlockedV6 = [
  '::/128',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:42::42/128',
  '::169.254.0.0/112',
  '::100.100.100.200/128',
  '2002:a9fe::/32',
  '2002:6464:64c8::/48',
]

/** IPv4 networks outside the public internet: private, loopback, carrier-grade NAT, benchmarking, reserved. */
const privateV4 = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '100.64.0.0/10',
  '192.0.0.0/24',
  '198.18.0.0/15',
  '240.0.0.0/4',
]

/** The same for IPv6, including what can be routed to such IPv4 addresses: IPv4-compatible, Teredo, local NAT64, 6to4. */
const privateV6 = ['::/96', 'fc00::/7', 'fec0::/10', '2001::/32', '64:ff9b:1::/48', '2002::/16']

/** IPv6 prefixes that contain an IPv4 address: mapped, translated, NAT64, local NAT64. */
const v4Prefixes = ['::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::']

const alwaysBlocked = blockListOf(alwaysBlockedV4, alwaysBlockedV6)
const nonPublic = blockListOf(privateV4, privateV6)

/**
 * Whether events may be sent to an IP address. Link-local, metadata, unspecified and multicast addresses are always blocked;
 * private and loopback ones with `blockPrivate`. Anything that is not an IP address is blocked.
 */
export function isAddressAllowed(address: string, blockPrivate: boolean): boolean {
  const [ip = ''] = address.split('%')
  const version = isIP(ip)
  if (version === 0) return false
  const family = version === 6 ? 'ipv6' : 'ipv4'
  return !alwaysBlocked.check(ip, family) && !(blockPrivate && nonPublic.check(ip, family))
}

function blockListOf(v4: readonly string[], v6: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of v4) addV4(list, network)
  for (const [base, bits] of v6.map(splitNetwork)) list.addSubnet(base, bits, 'ipv6')
  return list
}

function addV4(list: BlockList, network: string): void {
  const [base, bits] = splitNetwork(network)
  list.addSubnet(base, bits, 'ipv4')
  for (const prefix of v4Prefixes) list.addSubnet(prefix + base, 96 + bits, 'ipv6')
}

function splitNetwork(network: string): [base: string, bits: number] {
  const [base = '', bits] = network.split('/')
  return [base, Number(bits)]
}

/** Resolves host names; `node:dns` outside tests. */
export type Lookup = LookupFunction

export interface EgressConnectorOptions {
  readonly timeoutMs: number
  readonly blockPrivate: boolean
  readonly lookup?: Lookup | undefined
}

/**
 * Opens connections to allowed addresses only. A host name is checked after the same lookup that the connection uses, so
 * that it cannot resolve differently in between; an address in the URL is checked as well.
 */
export function createEgressConnector({ timeoutMs, blockPrivate, lookup = systemLookup }: EgressConnectorOptions) {
  const filtered = filteredLookup(lookup, blockPrivate)
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false, lookup: filtered })
  const connector: buildConnector.connector = (options, callback) => {
    const isBlocked = isIP(options.hostname) !== 0 && !isAddressAllowed(options.hostname, blockPrivate)
    if (isBlocked) return callback(new AddressRefused(options.hostname), null)
    connect(options, callback)
  }
  return connector
}

/** A lookup that returns only allowed addresses, and fails when there is none. */
function filteredLookup(lookup: Lookup, blockPrivate: boolean): Lookup {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }]
      const allowed = addresses.filter(({ address }) => isAddressAllowed(address, blockPrivate))
      const [first] = allowed
      if (first === undefined) return callback(new AddressRefused(hostname), '')
      if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}

/** The address of an endpoint is blocked, always or by the present settings. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  readonly code = 'ADDRESS_REFUSED'

  constructor(host: string) {
    super(`${host} is at an address that events must not be sent to`)
  }
}
