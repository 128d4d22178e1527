import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { DnsQuery } from './dns-query.ts'
import { createDnsQuery, isNoSuchName } from './dns-query.ts'
import { isLocalhost } from './egress-policy.ts'

/** Finds the addresses of host names; `lookupName` outside tests. */
export type Lookup = LookupFunction

/**
 * Concurrent lookups by the system of all names, and of those that are slow. Each occupies one of the four threads that also
 * read files and hash tokens, until the name servers respond: one thread is always left.
 */
const maxQuick = 2
const maxSlow = 1

/** A name is slow after a lookup by the system that took longer. */
const slowMs = 1_000

/** How long addresses are used again. Shorter than connections, so that it does not delay changes of the DNS much. */
const keptMs = 5_000

/** The most names that are remembered; the oldest is forgotten. */
const maxNames = 1_000

interface Answer {
  readonly by: 'dns' | 'system'
  readonly result: LookupAddress[] | Error
  /** Whether the system took long, also if it found nothing. */
  readonly isSlow: boolean
}

interface Name {
  answer: Promise<Answer>
  /** Undefined while the lookup runs. */
  last: (Answer & { readonly at: number }) | undefined
}

export interface NameLookupOptions {
  readonly queryDns?: DnsQuery
  readonly system?: LookupFunction
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

/**
 * A lookup for the names of endpoints, whose name servers may be hostile. The DNS is asked directly, so that names that hang
 * do not delay others. The system is asked for what the DNS does not know, such as names in the hosts file: few at a time, and
 * not at all while it is busy if the name servers do not respond. Connections share a lookup of a name. All addresses are
 * returned.
 */
export function createNameLookup({
  queryDns = createDnsQuery(),
  system = systemLookup,
  now = () => performance.now(),
}: NameLookupOptions = {}): Lookup {
  const names = new Map<string, Name>()
  const askSystem = createSystemLookup(system, now)

  async function ask(hostname: string, last: Answer | undefined): Promise<Answer> {
    const isLocal = !hostname.includes('.') || isLocalhost(hostname)
    const wasSlow = last?.isSlow === true
    if (isLocal || (last?.by === 'system' && !isError(last.result))) return askSystem(hostname, wasSlow)
    try {
      return { by: 'dns', result: await queryDns(hostname), isSlow: false }
    } catch (error) {
      return askSystem(hostname, wasSlow || !isNoSuchName(error))
    }
  }

  function start(hostname: string, last: Answer | undefined): Name {
    const run = async (): Promise<Answer> => {
      const answer = await ask(hostname, last)
      name.last = { ...answer, at: now() }
      return answer
    }
    const name: Name = { last: undefined, answer: Promise.resolve().then(run) }
    names.delete(hostname)
    names.set(hostname, name)
    const [oldest] = names.keys()
    if (names.size > maxNames && oldest !== undefined) names.delete(oldest)
    return name
  }

  const isUsable = ({ last }: Name): boolean =>
    last === undefined || (!isError(last.result) && now() - last.at < keptMs)

  return (hostname, _options, callback) => {
    const known = names.get(hostname)
    const { answer } = known !== undefined && isUsable(known) ? known : start(hostname, known?.last)
    void answer.then(({ result }) => (isError(result) ? callback(result, '') : callback(null, result)))
  }
}

/** The lookup of the process: its threads are those of the process. */
export const lookupName: Lookup = createNameLookup()

/** Limits the concurrent lookups by the system. Those that are expected to be slow do not wait: they fail while another runs. */
function createSystemLookup(system: LookupFunction, now: () => number) {
  const quick = createSemaphore(maxQuick)
  let runningSlow = 0

  async function timed(hostname: string): Promise<Answer> {
    const startedAt = now()
    const result = await resultOf(system, hostname)
    return { by: 'system', result, isSlow: now() - startedAt > slowMs }
  }

  return async (hostname: string, isSlow: boolean): Promise<Answer> => {
    if (!isSlow) {
      const release = await quick.acquire()
      return timed(hostname).finally(release)
    }
    if (runningSlow >= maxSlow) return { by: 'system', result: new NameServersSilent(hostname), isSlow }
    runningSlow += 1
    return timed(hostname).finally(() => {
      runningSlow -= 1
    })
  }
}

/** The name servers did not respond. */
class NameServersSilent extends Error {
  override readonly name = 'NameServersSilent'
  readonly code = 'ETIMEOUT'

  constructor(host: string) {
    super(`the name servers of ${host} do not respond`)
  }
}

function resultOf(system: LookupFunction, hostname: string): Promise<Answer['result']> {
  return new Promise((resolve) => {
    system(hostname, { all: true }, (error, found) => {
      if (error) resolve(error)
      else resolve(Array.isArray(found) ? found : [{ address: found, family: isIP(found) }])
    })
  })
}

function isError(result: Answer['result']): result is Error {
  return result instanceof Error
}
