import { BlockList, isIP } from 'node:net'

/** The IPv4 networks that are never a product's endpoint: this host, link-local, multicast, metadata of the clouds. */
const forbiddenV4 = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '224.0.0.0/4',
  '255.255.255.255/32',
]

/**
 * The same for IPv6: unspecified, link-local, multicast, metadata of AWS, Google and Scaleway; link-local and metadata
 * addresses of IPv4 inside the oldest form of both and inside 6to4.
 */
const forbiddenV6 = [
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

/** Networks that are not the public internet: private, loopback, carrier's NAT, benchmarks, reserved. */
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

/** The same for IPv6, with what could lead there (the oldest form of IPv4, Teredo, local NAT64, 6to4). */
const privateV6 = ['::/96', 'fc00::/7', 'fec0::/10', '2001::/32', '64:ff9b:1::/48', '2002::/16']

/** How IPv6 writes an IPv4 address that is reached in the end: mapped, translated, NAT64, local NAT64. */
const v4Carriers = ['::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::']

const forbidden = networks(forbiddenV4, forbiddenV6)
const nonPublic = networks(privateV4, privateV6)

/**
 * Whether events may be sent to an IP address (design §10). Link-local, metadata, unspecified and multicast addresses
 * never; private and loopback ones unless `blockPrivate`. What is not an IP address is refused.
 */
export function isAddressAllowed(address: string, blockPrivate: boolean): boolean {
  const [ip = ''] = address.split('%')
  const version = isIP(ip)
  if (version === 0) return false
  const family = version === 6 ? 'ipv6' : 'ipv4'
  return !forbidden.check(ip, family) && !(blockPrivate && nonPublic.check(ip, family))
}

function networks(v4: readonly string[], v6: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of v4) addV4(list, network)
  for (const [base, bits] of v6.map(split)) list.addSubnet(base, bits, 'ipv6')
  return list
}

function addV4(list: BlockList, network: string): void {
  const [base, bits] = split(network)
  list.addSubnet(base, bits, 'ipv4')
  for (const carrier of v4Carriers) list.addSubnet(carrier + base, 96 + bits, 'ipv6')
}

function split(network: string): [base: string, bits: number] {
  const [base = '', bits] = network.split('/')
  return [base, Number(bits)]
}
