import { isIPv6 } from 'node:net'

/** So many failed attempts within a window of time. */
export interface AttemptLimit {
  readonly attempts: number
  readonly windowMs: number
}

export interface RateLimitOptions {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly perAddress?: AttemptLimit
  readonly inAll?: AttemptLimit
  /** How many addresses are remembered; the one that began to fail the longest ago is forgotten first. */
  readonly maxAddresses?: number
}

export interface Limited {
  readonly retryAfterSeconds: number
}

/**
 * Counts failed attempts per address and over all addresses, in windows that begin with the first failure. Successes count
 * for nothing: they neither use an attempt up nor give one back.
 *
 * When there are too many in all, an address that has not failed itself is still heard: its attempt is looked at, let in
 * when it is right, and refused as limited when it is wrong. Else a stranger could lock everybody out by failing often
 * enough. The price is one guess per address, which is nothing against a token of 32 random bytes.
 *
 * Each process counts for itself: with three of them, three times as many attempts are heard.
 */
export interface RateLimit {
  /** Whether an address may not even try. */
  limitedAddress(address: string | undefined): Limited | undefined
  /** Counts a failure; answers whether it was one too many in all, so that it must read as limited. */
  failed(address: string | undefined): Limited | undefined
}

interface Window {
  readonly startedAt: number
  readonly failures: number
}

const quarterHourMs = 15 * 60_000

export function createRateLimit({
  now,
  perAddress = { attempts: 10, windowMs: quarterHourMs },
  inAll = { attempts: 100, windowMs: quarterHourMs },
  maxAddresses = 10_000,
}: RateLimitOptions): RateLimit {
  const networks = new Map<string, Window>()
  let all: Window | undefined

  function isOpen(window: Window | undefined, { windowMs }: AttemptLimit): window is Window {
    return window !== undefined && now() - window.startedAt < windowMs
  }

  function more(window: Window | undefined, limit: AttemptLimit): Window {
    if (!isOpen(window, limit)) return { startedAt: now(), failures: 1 }
    return { ...window, failures: window.failures + 1 }
  }

  function limited(window: Window | undefined, limit: AttemptLimit): Limited | undefined {
    if (!isOpen(window, limit) || window.failures < limit.attempts) return undefined
    return { retryAfterSeconds: Math.max(1, Math.ceil((window.startedAt + limit.windowMs - now()) / 1000)) }
  }

  /** A window that begins anew goes to the end, so that the map stays in the order of the beginnings. */
  function remember(network: string): void {
    const window = more(networks.get(network), perAddress)
    if (window.failures === 1) networks.delete(network)
    networks.set(network, window)
    if (networks.size > maxAddresses) networks.delete(networks.keys().next().value ?? '')
  }

  return {
    limitedAddress(address) {
      const window = networks.get(networkOf(address))
      const hasFailed = isOpen(window, perAddress)
      return limited(window, perAddress) ?? (hasFailed ? limited(all, inAll) : undefined)
    },
    failed(address) {
      const before = limited(all, inAll)
      remember(networkOf(address))
      all = more(all, inAll)
      return before
    },
  }
}

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
