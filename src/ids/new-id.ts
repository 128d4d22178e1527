import { randomUUID } from 'node:crypto'

const maxCounter = 0xfff

/**
 * Creates a function that returns new UUIDv7s (RFC 9562 §5.7): the time in milliseconds, a counter (§6.2, method 1), so that
 * its ids are in the order of their creation, and random bits. Node.js makes random UUIDs from entropy that it draws for many
 * at a time.
 *
 * @param clock Unix milliseconds
 */
export function createNewId(clock: () => number): () => string {
  /** The time of the last id in milliseconds, and its counter. */
  let [lastMs, counter] = [0, 0]
  /** The part of the ids that the time determines. */
  let prefix = ''

  /** Starts the counter at a random number in the lower half, so that the ids of several processes differ in more bits. */
  function start(ms: number, random: string): void {
    lastMs = ms
    const time = ms.toString(16).padStart(12, '0')
    prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`
    counter = Number.parseInt(random.slice(15, 18), 16) >> 1
  }

  return () => {
    const random = randomUUID()
    const now = clock()
    if (now > lastMs) start(now, random)
    else if (counter === maxCounter) start(lastMs + 1, random)
    else counter += 1
    return `${prefix}${counter.toString(16).padStart(3, '0')}${random.slice(18)}`
  }
}

/** A new id by the clock of the process, for what is not ordered by its id. */
export const newId: () => string = createNewId(() => Date.now())
