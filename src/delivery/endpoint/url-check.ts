import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import type { Schedule } from '../../concurrency/schedule.ts'
import { schedule as nodeSchedule } from '../../concurrency/schedule.ts'
import type { AddressVerdict, EgressPolicy } from './egress-policy.ts'
import { hostOf, isLocalhost } from './egress-policy.ts'
import { lookupName } from './name-lookup.ts'
import { portOf } from './proxy.ts'

/**
 * Returns the reason why events must not be sent to the host of a URL; undefined when they may, or when that is
 * unknown.
 */
export type EndpointUrlCheck = (url: string) => Promise<string | undefined>

export interface EndpointUrlCheckOptions {
  readonly egress: EgressPolicy
  readonly lookup?: LookupFunction | undefined
  readonly schedule?: Schedule | undefined
}

/** Time after which a URL is accepted although its name has not resolved, in milliseconds. */
const lookupTimeoutMs = 500

/**
 * Checks URLs when they are set. A name that does not resolve in time is accepted: every connection checks its address
 * again.
 */
export function createEndpointUrlCheck(options: EndpointUrlCheckOptions): EndpointUrlCheck {
  return async (url) => {
    if (!URL.canParse(url)) return undefined
    const target = new URL(url)
    const host = hostOf(target)
    const addresses = await addressesOf(host, portOf(target), options)
    const verdicts = addresses.map((address) => options.egress.verdictOn(address, host))
    if (verdicts.length === 0 || verdicts.includes('allowed')) return undefined
    return reasons[verdicts.includes('private') ? 'private' : 'never'](host)
  }
}

const reasons = {
  private: (host) =>
    `${host} is in a private network or on this machine; send a public address, or have the operator list it in DSYNC_WEBHOOK_ALLOW_PRIVATE.`,
  never: (host) =>
    `requests are never sent to ${host}: it is a link-local, metadata, multicast or unspecified address.`,
} satisfies Record<Exclude<AddressVerdict, 'allowed'>, (host: string) => string>

/** The addresses of a host; none if it does not resolve in time, or is resolved by the proxy. */
function addressesOf(
  host: string,
  port: number,
  { egress, lookup = lookupName, schedule = nodeSchedule }: EndpointUrlCheckOptions,
): Promise<readonly string[]> | readonly string[] {
  if (isIP(host) !== 0) return [host]
  if (isLocalhost(host)) return ['127.0.0.1']
  if (egress.proxy?.connectsTo(host, port) === true) return []
  const { promise, resolve } = Promise.withResolvers<readonly string[]>()
  const cancelTimeout = schedule(() => resolve([]), lookupTimeoutMs)
  lookup(host, { all: true }, (error, found) => {
    cancelTimeout()
    if (error) resolve([])
    else resolve(Array.isArray(found) ? found.map(({ address }) => address) : [found])
  })
  return promise
}
