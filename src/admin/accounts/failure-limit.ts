import { isIPv6 } from 'node:net'
import type { Rate } from '../../concurrency/rate-limit.ts'
import { createRateLimit } from '../../concurrency/rate-limit.ts'

/** The number of failed attempts that are allowed. */
export interface FailureRates {
  readonly perAddress?: Rate
  readonly total?: Rate
}

/**
 * Counts failed attempts per network and in total. Only failures are counted and rejected: the right token is never
 * locked out by others who share its address, such as that of an untrusted proxy. So the limit bounds the cost of
 * failures, while the length of a token prevents guessing it. Each process counts separately.
 */
export interface FailureLimit {
  /** Counts a failure. Returns the seconds to wait if there were too many before it, of the address or in total. */
  countFailure(address: string | undefined): number | undefined
}

const quarterHourMs = 15 * 60_000

/** @param now Unix milliseconds */
export function createFailureLimit(
  now: () => number,
  { perAddress = { count: 10, perMs: quarterHourMs }, total = { count: 100, perMs: quarterHourMs } }: FailureRates = {},
): FailureLimit {
  const ofNetwork = createRateLimit(perAddress, now)
  const ofAll = createRateLimit(total, now)
  return {
    countFailure(address) {
      const [waitOfNetwork, waitOfAll] = [ofNetwork.take(networkOf(address)), ofAll.take('all')]
      return waitOfNetwork ?? waitOfAll
    },
  }
}

/**
 * The network of one client: an IPv4 address, or the /64 prefix of an IPv6 address, without the port that some proxies
 * add.
 */
export function networkOf(address: string | undefined): string {
  const bare = withoutPort((address ?? 'unknown').toLowerCase()).replace(/%.*/s, '')
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

/** An IPv4 address at the end represents two groups. */
function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}
