import { randomUUID } from 'node:crypto'

/**
 * A new UUIDv7 (RFC 9562 §5.7): the time in milliseconds, then random bits. Node.js makes random UUIDs from entropy that it
 * draws for many at a time; of theirs, the first 48 bits are replaced by the time, and the version.
 */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
