import type { LookupAddress, LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { createSemaphore } from '../../concurrency/semaphore.ts'

/**
 * Concurrent lookups of all host names, and of those that were slow. Each occupies one of the four threads that also read
 * files and hash tokens, until the name server responds: one thread is always left, and names that resolve quickly do not
 * wait for those that do not.
 */
const maxQuick = 2
const maxSlow = 1

/** A name is slow after a lookup that took longer. */
const slowMs = 1_000

/** How long addresses are used again. Shorter than connections, so that it does not delay changes of the DNS much. */
const keptMs = 5_000

/** The most names that are remembered; the oldest is forgotten. */
const maxNames = 1_000

type Answer = { readonly addresses: LookupAddress[] } | { readonly error: NodeJS.ErrnoException }

interface Name {
  answer: Promise<Answer>
  /** When the lookup ended, and whether it was slow; undefined while it runs. */
  ended: { readonly at: number; readonly failed: boolean; readonly slow: boolean } | undefined
}

/**
 * A lookup that limits the concurrent calls of another, whose connections share one call per name. It returns all addresses.
 *
 * @param now monotonic milliseconds
 */
export function limitLookups(lookup: LookupFunction, now: () => number = () => performance.now()): LookupFunction {
  const [quick, slow] = [createSemaphore(maxQuick), createSemaphore(maxSlow)]
  const names = new Map<string, Name>()

  function start(key: string, hostname: string, options: LookupOptions, wasSlow: boolean): Name {
    const run = async (): Promise<Answer> => {
      const release = await (wasSlow ? slow : quick).acquire()
      const startedAt = now()
      const answer = await resolveAll(lookup, hostname, options)
      release()
      name.ended = { at: now(), failed: 'error' in answer, slow: now() - startedAt > slowMs }
      return answer
    }
    const name: Name = { ended: undefined, answer: Promise.resolve().then(run) }
    names.delete(key)
    names.set(key, name)
    const [oldest] = names.keys()
    if (names.size > maxNames && oldest !== undefined) names.delete(oldest)
    return name
  }

  return (hostname, options, callback) => {
    const key = `${hostname} ${options.family} ${options.hints}`
    const known = names.get(key)
    const isUsable = known !== undefined && (known.ended === undefined || isFresh(known.ended, now()))
    const { answer } = isUsable ? known : start(key, hostname, options, known?.ended?.slow === true)
    void answer.then((found) => ('error' in found ? callback(found.error, '') : callback(null, found.addresses)))
  }
}

function isFresh({ at, failed }: NonNullable<Name['ended']>, now: number): boolean {
  return !failed && now - at < keptMs
}

function resolveAll(lookup: LookupFunction, hostname: string, options: LookupOptions): Promise<Answer> {
  return new Promise((resolve) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) resolve({ error })
      else resolve({ addresses: Array.isArray(found) ? found : [{ address: found, family: isIP(found) }] })
    })
  })
}
