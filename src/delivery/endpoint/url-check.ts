import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import type { Schedule } from '../../concurrency/schedule.ts'
import { schedule as nodeSchedule } from '../../concurrency/schedule.ts'
import type { Semaphore } from '../../concurrency/semaphore.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { Lookup } from './egress.ts'
import type { AddressVerdict, EgressPolicy } from './egress-policy.ts'
import { isLocalhost } from './egress-policy.ts'

/** Says why events must not be sent to the host of a URL; undefined when they may, or when that is not known yet. */
export type EndpointUrlCheck = (url: string) => Promise<string | undefined>

export interface EndpointUrlCheckOptions {
  readonly egress: EgressPolicy
  readonly lookup?: Lookup | undefined
  readonly schedule?: Schedule | undefined
}

/** How long a name may take to resolve before the URL is accepted unchecked, in milliseconds. */
const lookupTimeoutMs = 500

/**
 * How many names are looked up at once. A lookup occupies one of the four threads that deliveries and passwords need as well,
 * for as long as the name server takes.
 */
const maxLookups = 1

/**
 * Checks URLs as they are set. A name that does not resolve in time is accepted: every connection checks its address again.
 */
export function createEndpointUrlCheck(options: EndpointUrlCheckOptions): EndpointUrlCheck {
  const lookups = createSemaphore(maxLookups)
  return async (url) => {
    if (!URL.canParse(url)) return undefined
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
    const addresses = await addressesOf(host, lookups, options)
    const verdicts = addresses.map((address) => options.egress.verdictOn(address, host))
    if (verdicts.length === 0 || verdicts.includes('allowed')) return undefined
    return reasons[verdicts.includes('private') ? 'private' : 'never'](host)
  }
}

const reasons = {
  private: (host) =>
    `${host} is in a private network or on this machine; send a public address, or have the operator list it in DSYNC_WEBHOOK_ALLOW_PRIVATE.`,
  never: (host) => `events are never sent to ${host}: it is a link-local, metadata, multicast or unspecified address.`,
} satisfies Record<Exclude<AddressVerdict, 'allowed'>, (host: string) => string>

/** The addresses of a host; none when it does not resolve, or not in time. */
function addressesOf(
  host: string,
  lookups: Semaphore,
  { lookup = systemLookup, schedule = nodeSchedule }: EndpointUrlCheckOptions,
): Promise<readonly string[]> | readonly string[] {
  if (isIP(host) !== 0) return [host]
  if (isLocalhost(host)) return ['127.0.0.1']
  const { promise, resolve } = Promise.withResolvers<readonly string[]>()
  const timeout = new AbortController()
  const cancelTimeout = schedule(() => {
    timeout.abort()
    resolve([])
  }, lookupTimeoutMs)
  const lookUp = (release: () => void) =>
    lookup(host, { all: true }, (error, found) => {
      release()
      cancelTimeout()
      if (error) resolve([])
      else resolve(Array.isArray(found) ? found.map(({ address }) => address) : [found])
    })
  // It rejects only when the time has passed, and the result is known then.
  lookups.acquire(timeout.signal).then(lookUp, () => {})
  return promise
}
