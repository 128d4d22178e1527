import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import type { EgressPolicy } from './egress-policy.ts'
import { lookupName } from './name-lookup.ts'
import { createTunnelConnector, portOf } from './proxy.ts'

export interface EgressConnectorOptions {
  readonly timeoutMs: number
  readonly egress: EgressPolicy
  readonly lookup?: LookupFunction | undefined
}

/**
 * Opens connections to allowed addresses only. It checks the result of the lookup that the connection uses, so that the
 * name cannot resolve differently in between, and addresses in URLs as well. Names that the proxy resolves, it must check.
 */
export function createEgressConnector({ timeoutMs, egress, lookup = lookupName }: EgressConnectorOptions) {
  const filtered = filteredLookup(lookup, egress)
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false, lookup: filtered })
  const tunnel = egress.proxy && createTunnelConnector(egress.proxy.url, timeoutMs)
  const connector: buildConnector.connector = (options, callback) => {
    const { hostname } = options
    const isBlocked = isIP(hostname) !== 0 && egress.verdictOn(hostname, hostname) !== 'allowed'
    if (isBlocked) return callback(new AddressRefused(hostname), null)
    if (tunnel !== undefined && egress.proxy?.connectsTo(hostname, portOf(options)) === true) tunnel(options, callback)
    else connect(options, callback)
  }
  return connector
}

/** A lookup that returns only allowed addresses, and fails when there is none. */
function filteredLookup(lookup: LookupFunction, egress: EgressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }]
      const allowed = addresses.filter(({ address }) => egress.verdictOn(address, hostname) === 'allowed')
      const [first] = allowed
      if (first === undefined) return callback(new AddressRefused(hostname), '')
      if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}

/** The address of an endpoint is blocked, always or by the current settings. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  readonly code = 'ADDRESS_REFUSED'

  constructor(host: string) {
    super(`${host} has an address that requests must not be sent to`)
  }
}
