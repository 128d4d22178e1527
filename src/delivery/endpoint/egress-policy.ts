import { BlockList, isIP } from 'node:net'

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
 * IPv6 networks that are always blocked: unspecified, link-local, multicast, metadata services of AWS, Google and
 * Scaleway, the blocked IPv4 addresses in IPv4-compatible and 6to4 form, and local NAT64, where they can be written in
 * several ways.
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
  '64:ff9b:1::/48',
]

const loopbackV4 = ['127.0.0.0/8']
const loopbackV6 = ['::1/128']

/**
 * IPv4 networks outside the public internet: private, loopback, carrier-grade NAT, benchmarking, 6to4 relays, reserved.
 */
const nonPublicV4 = [
  ...loopbackV4,
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '192.0.0.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '240.0.0.0/4',
]

/** The same for IPv6, including addresses that are routed to such IPv4 addresses: IPv4-compatible, Teredo, 6to4. */
const nonPublicV6 = ['::/96', 'fc00::/7', 'fec0::/10', '2001::/32', '2002::/16']

/** IPv6 prefixes that contain an IPv4 address: mapped, translated, NAT64. */
const v4Prefixes = ['::ffff:', '::ffff:0:', '64:ff9b::']

const alwaysBlocked = blockListOf([...alwaysBlockedV4, ...alwaysBlockedV6])
const loopback = blockListOf([...loopbackV4, ...loopbackV6])
const nonPublic = blockListOf([...nonPublicV4, ...nonPublicV6])

/** The reason for a blocked address. `never`: no setting allows it. `private`: a setting could allow it. */
export type AddressVerdict = 'allowed' | 'private' | 'never'

/** Decides which addresses requests may be sent to, and through which proxy. */
export interface EgressPolicy {
  /** @param host the host of the URL: a host that the settings list may have a private address */
  verdictOn(address: string, host: string): AddressVerdict
  /** Undefined: connections are direct. */
  readonly proxy: EgressProxy | undefined
}

/** The HTTP proxy that connects to hosts in place of this service. It resolves their names, and must check their addresses. */
export interface EgressProxy {
  readonly url: URL
  /** Returns whether it connects to a host: `NO_PROXY` excepts some, and this machine is always reached directly. */
  connectsTo(host: string, port: number): boolean
}

export interface EgressPolicyOptions {
  /** Hosts, addresses and networks outside the public internet that events may be sent to. */
  readonly allowPrivate: readonly string[]
  /** The address of this service. Loopback addresses are allowed while it is one as well, on a developer's machine. */
  readonly externalUrl: () => string
  readonly proxy?: EgressProxy | undefined
}

/**
 * Link-local, metadata, unspecified and multicast addresses are never allowed, and neither are texts that are not IP
 * addresses. Private and loopback addresses are allowed only by the options.
 */
export function createEgressPolicy({ allowPrivate, externalUrl, proxy }: EgressPolicyOptions): EgressPolicy {
  const networks = blockListOf(allowPrivate.filter(isNetwork))
  const hosts = new Set(allowPrivate.filter((item) => !isNetwork(item)).map(hostKey))

  return {
    proxy,
    verdictOn(address, host) {
      const [ip = ''] = address.split('%')
      const version = isIP(ip)
      const family = version === 6 ? 'ipv6' : 'ipv4'
      if (version === 0 || alwaysBlocked.check(ip, family)) return 'never'
      if (!nonPublic.check(ip, family) || hosts.has(hostKey(host)) || networks.check(ip, family)) return 'allowed'
      return loopback.check(ip, family) && isLoopbackUrl(externalUrl()) ? 'allowed' : 'private'
    },
  }
}

/** Returns whether a text is an address or a network, like `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsOf(address))
}

/** Returns whether a host name means this machine, whoever resolves it (RFC 6761 §6.3). */
export function isLocalhost(host: string): boolean {
  return /(^|\.)localhost$/.test(hostKey(host))
}

function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isThisMachine(hostOf(new URL(url)))
}

/** Returns whether a host is a loopback address, or a name for one. */
export function isThisMachine(host: string): boolean {
  const version = isIP(host)
  return isLocalhost(host) || (version !== 0 && loopback.check(host, version === 6 ? 'ipv6' : 'ipv4'))
}

/** The host of a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** A host name in the form in which names are compared. */
export function hostKey(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

/** Addresses and networks, to compare addresses with. */
export function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [base = '', prefixLength] = network.split('/')
    const bits = prefixLength === undefined ? bitsOf(base) : Number(prefixLength)
    list.addSubnet(base, bits, isIP(base) === 6 ? 'ipv6' : 'ipv4')
    if (isIP(base) === 4) for (const prefix of v4Prefixes) list.addSubnet(prefix + base, 96 + bits, 'ipv6')
  }
  return list
}

function bitsOf(address: string): number {
  return isIP(address) === 6 ? 128 : 32
}
