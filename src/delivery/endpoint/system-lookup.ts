import type { LookupAddress } from 'node:dns'
import { lookup as nodeLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import type { Schedule } from '../../concurrency/schedule.ts'
import { schedule as nodeSchedule } from '../../concurrency/schedule.ts'

/**
 * The maximum number of concurrent lookups: each occupies one of the four threads that also read files and hash tokens.
 * One always stays free.
 */
const maxRunning = 3

/** Time that a name may wait for its lookup to start, in milliseconds. */
const maxWaitMs = 5_000

export interface SystemLookupOptions {
  readonly system?: LookupFunction | undefined
  readonly schedule?: Schedule | undefined
}

interface Waiting {
  readonly tenants: () => readonly string[]
  start(tenant: string): void
}

/**
 * Asks the operating system for the addresses of names: one name of a tenant at a time, since a name that hangs
 * occupies a thread. A name that several tenants wait for counts for one of them.
 */
export interface SystemLookup {
  /**
   * @param tenants returns the tenants that wait for the name
   * @throws Error when the name is not found, or its lookup did not start in time
   */
  lookup(hostname: string, tenants: () => readonly string[]): Promise<LookupAddress[]>
  /** Starts pending lookups; called when more tenants wait for a name. */
  startNext(): void
}

export function createSystemLookup({
  system = nodeLookup,
  schedule = nodeSchedule,
}: SystemLookupOptions = {}): SystemLookup {
  const running = new Set<string>()
  const waiting = new Set<Waiting>()

  function startNext(): void {
    for (const entry of waiting) {
      if (running.size >= maxRunning) return
      const tenant = entry.tenants().find((one) => !running.has(one))
      if (tenant === undefined) continue
      waiting.delete(entry)
      running.add(tenant)
      entry.start(tenant)
    }
  }

  function waitForTurn(hostname: string, tenants: Waiting['tenants']): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const entry: Waiting = {
      tenants,
      start(tenant) {
        cancelTimeout()
        resolve(tenant)
      },
    }
    const cancelTimeout = schedule(() => {
      waiting.delete(entry)
      reject(new NoTurn(hostname))
    }, maxWaitMs)
    waiting.add(entry)
    startNext()
    return promise
  }

  return {
    startNext,
    async lookup(hostname, tenants) {
      const tenant = await waitForTurn(hostname, tenants)
      try {
        return await addressesOf(system, hostname)
      } finally {
        running.delete(tenant)
        startNext()
      }
    },
  }
}

/** The lookup did not start in time because of other lookups. */
class NoTurn extends Error {
  override readonly name = 'NoTurn'
  readonly code = 'ETIMEOUT'

  constructor(host: string) {
    super(`${host} was not looked up within ${maxWaitMs} ms: the lookups of other names without a dot took too long`)
  }
}

function addressesOf(system: LookupFunction, hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    system(hostname, { all: true }, (error, found) => {
      if (error) reject(error)
      else resolve(Array.isArray(found) ? found : [{ address: found, family: isIP(found) }])
    })
  })
}
