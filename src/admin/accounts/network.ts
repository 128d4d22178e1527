import { isIPv6 } from 'node:net'

/**
 * What one stranger has at least: an IPv4 address, or the /64 network of an IPv6 address. A port that a proxy has added
 * does not count.
 */
export function networkOf(address: string | undefined): string {
  const bare = withoutPort((address ?? 'unknown').toLowerCase()).replace(/%.*$/, '')
  const inside = /^::ffff:(?<ipv4>\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.groups?.['ipv4']
  if (inside !== undefined) return inside
  return isIPv6(bare) ? `${leadingGroups(bare).join(':')}::/64` : bare.slice(0, 100)
}

/** `192.0.2.1:443` and `[2001:db8::1]:443` without the port. */
function withoutPort(address: string): string {
  const { inside, ipv4 } = { .../^(?:\[(?<inside>[^\]]+)\](?::\d+)?|(?<ipv4>[\d.]+):\d+)$/.exec(address)?.groups }
  return inside ?? ipv4 ?? address
}

/** The first four of the eight groups. */
function leadingGroups(address: string): string[] {
  const [before = '', after] = address.split('::')
  const head = groupsOf(before)
  const tail = after === undefined ? [] : groupsOf(after)
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
}

/** An IPv4 address at the end takes the place of two groups. */
function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}
