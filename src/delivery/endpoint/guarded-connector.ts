import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { isAddressAllowed } from './egress.ts'

/** How host names become addresses; `node:dns` unless a test has its own. */
export type Lookup = LookupFunction

export interface GuardedConnectorOptions {
  readonly timeoutMs: number
  readonly blockPrivate: boolean
  readonly lookup?: Lookup | undefined
}

/**
 * What opens connections to endpoints. The addresses are checked after the look-up that the connection uses, so that a
 * name cannot point elsewhere in between; an address written in the URL is checked as well.
 */
export function guardedConnector({ timeoutMs, blockPrivate, lookup = systemLookup }: GuardedConnectorOptions) {
  const guarded = guardedLookup(lookup, blockPrivate)
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false, lookup: guarded })
  const guardedConnect: buildConnector.connector = (options, callback) => {
    const refused = isIP(options.hostname) !== 0 && !isAddressAllowed(options.hostname, blockPrivate)
    if (refused) return callback(new AddressRefused(options.hostname), null)
    connect(options, callback)
  }
  return guardedConnect
}

/** Answers only the addresses that events may be sent to, and fails when none is left. */
function guardedLookup(lookup: Lookup, blockPrivate: boolean): Lookup {
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

/** The endpoint is at an address that events are never sent to, or not with the present settings. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  readonly code = 'ADDRESS_REFUSED'

  constructor(host: string) {
    super(`${host} is at an address that events must not be sent to`)
  }
}
