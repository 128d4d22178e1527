import { isIPv6 } from 'node:net'

/** How many failed attempts are allowed within a time window. */
export interface AttemptLimit {
  readonly attempts: number
  readonly windowMs: number
}

export interface RateLimitOptions {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly perAddress?: AttemptLimit
  readonly total?: AttemptLimit
  /** How many addresses are remembered; the one with the oldest window is dropped first. */
  readonly maxAddresses?: number
}

export interface Limited {
  readonly retryAfterSeconds: number
}

/**
 * Counts failed attempts per network and in total, in windows that begin with the first failure. Successful attempts do
 * not count and do not reset the count.
 *
 * When there are too many in total, an address that has not failed itself may still try: it is accepted when its token
 * is right and rejected as limited when it is wrong. Otherwise anyone could lock all admins out. This allows one guess
 * per address, which is useless against a token of 32 random bytes.
 *
 * Each process counts separately. rate-limiter-flexible is not used: its memory grows with the number of addresses, which
 * an attacker chooses, and it cannot check a limit without counting.
 */
export interface RateLimit {
  /** Undefined when an address may try. */
  limitOf(address: string | undefined): Limited | undefined
  /** Counts a failure; returns the total limit if it was already exceeded. */
  countFailure(address: string | undefined): Limited | undefined
}

interface Window {
  readonly startedAt: number
  readonly failures: number
}

const quarterHourMs = 15 * 60_000

export function createRateLimit({
  now,
  perAddress = { attempts: 10, windowMs: quarterHourMs },
  total = { attempts: 100, windowMs: quarterHourMs },
  maxAddresses = 10_000,
}: RateLimitOptions): RateLimit {
  const networks = new Map<string, Window>()
  let all: Window | undefined

  function isOpen(window: Window | undefined, { windowMs }: AttemptLimit): window is Window {
    return window !== undefined && now() - window.startedAt < windowMs
  }

  function increment(window: Window | undefined, limit: AttemptLimit): Window {
    if (!isOpen(window, limit)) return { startedAt: now(), failures: 1 }
    return { ...window, failures: window.failures + 1 }
  }

  function limited(window: Window | undefined, limit: AttemptLimit): Limited | undefined {
    if (!isOpen(window, limit) || window.failures < limit.attempts) return undefined
    return { retryAfterSeconds: Math.max(1, Math.ceil((window.startedAt + limit.windowMs - now()) / 1000)) }
  }

  /** A new window is moved to the end: the map is ordered by the start of the windows. */
  function remember(network: string): void {
    const window = increment(networks.get(network), perAddress)
    if (window.failures === 1) networks.delete(network)
    networks.set(network, window)
    if (networks.size > maxAddresses) networks.delete(networks.keys().next().value ?? '')
  }

  return {
    limitOf(address) {
      const window = networks.get(networkOf(address))
      const hasFailed = isOpen(window, perAddress)
      return limited(window, perAddress) ?? (hasFailed ? limited(all, total) : undefined)
    },
    countFailure(address) {
      const before = limited(all, total)
      remember(networkOf(address))
      all = increment(all, total)
      return before
    },
  }
}

/**
 * The network of one client: an IPv4 address, or the /64 prefix of an IPv6 address. A port that a proxy added is ignored.
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

/** An IPv4 address at the end represents two groups. */
function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}
