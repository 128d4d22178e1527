import { randomUUID } from 'node:crypto'

const maxCounter = 0xfff

/** The time of the last id in milliseconds, and its counter. */
let [lastMs, counter] = [0, 0]
/** The part of the ids that the time determines. */
let prefix = ''

/**
 * A new UUIDv7 (RFC 9562 §5.7): the time in milliseconds, a counter (§6.2, method 1), so that the ids of a process are
 * in the order of their creation, and random bits. Node.js makes random UUIDs from entropy that it draws for many at a
 * time.
 */
export function newId(): string {
  const random = randomUUID()
  const now = Date.now()
  if (now > lastMs) start(now, random)
  else if (counter === maxCounter) start(lastMs + 1, random)
  else counter += 1
  return `${prefix}${counter.toString(16).padStart(3, '0')}${random.slice(18)}`
}

/**
 * Starts the counter at a random number in the lower half, so that the ids of several processes differ in more bits.
 */
function start(ms: number, random: string): void {
  lastMs = ms
  const time = ms.toString(16).padStart(12, '0')
  prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`
  counter = Number.parseInt(random.slice(15, 18), 16) >> 1
}
