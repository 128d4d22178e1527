import type { KeyObject } from 'node:crypto'
import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'
import type { DirectoryScope } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'

/**
 * The position of a reader: the sequence of its last event per directory, by directory tag. Directories are ordered by
 * the time of their last read, oldest first.
 */
export type FeedPositions = ReadonlyMap<string, number>

export const feedStart: FeedPositions = new Map()

/** The first byte of every cursor. */
const formatVersion = 1
const signatureBytes = 6
const tagBytes = 6
const headBytes = 1 + signatureBytes
const maxVarintBytes = 8
const maxEntryBytes = tagBytes + maxVarintBytes

/**
 * Identifies a directory in a cursor: 48 bits of a hash of its id. Collisions among the few hundred directories of a
 * cursor, or with a deleted one, are practically impossible.
 */
export function directoryTag(directoryId: string): string {
  return hash('sha256', directoryId, 'hex').slice(0, 2 * tagBytes)
}

/** The positions after an event of a directory. */
export function advance(positions: FeedPositions, tag: string, sequence: number): FeedPositions {
  const advanced = new Map(positions)
  advanced.delete(tag)
  return advanced.set(tag, sequence)
}

/** Writes and reads cursors. They are opaque to readers, contain only positions, and are valid only for their scope. */
export interface FeedCursors {
  write(scope: DirectoryScope, positions: FeedPositions): string
  /** @throws DirectoryError `invalid-input` unless the text is a cursor of this service for this scope */
  read(scope: DirectoryScope, text: string): FeedPositions
}

/** @param secret the secret of the service, the same in every process; the key of cursors is derived from it */
export function createFeedCursors(secret: string): FeedCursors {
  const key = createSecretKey(createHmac('sha256', secret).update('feed-cursor').digest())
  return {
    write: (scope, positions) => writeCursor(key, scope, positions),
    read: (scope, text) => readCursor(key, scope, text),
  }
}

function writeCursor(key: KeyObject, scope: DirectoryScope, positions: FeedPositions): string {
  const bytes = Buffer.allocUnsafe(headBytes + positions.size * maxEntryBytes)
  let end = headBytes
  for (const [tag, sequence] of positions) {
    bytes.write(tag, end, 'hex')
    end = writeVarint(bytes, end + tagBytes, sequence)
  }
  bytes[0] = formatVersion
  signatureOf(key, scope, bytes.subarray(headBytes, end)).copy(bytes, 1)
  return bytes.toString('base64url', 0, end)
}

function readCursor(key: KeyObject, scope: DirectoryScope, text: string): FeedPositions {
  const bytes = /^[\w-]+$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.of()
  const [head, entries] = [bytes.subarray(0, headBytes), bytes.subarray(headBytes)]
  const expected = Buffer.concat([Buffer.of(formatVersion), signatureOf(key, scope, entries)])
  if (head.length !== headBytes || !timingSafeEqual(head, expected)) throw invalidCursor()
  return readEntries(entries)
}

function readEntries(entries: Buffer): FeedPositions {
  const positions = new Map<string, number>()
  let at = 0
  while (at < entries.length) {
    const tag = entries.toString('hex', at, at + tagBytes)
    const { value, next } = readVarint(entries, at + tagBytes)
    positions.set(tag, value)
    at = next
  }
  return positions
}

/** Proves that the service wrote the positions, for this scope. */
function signatureOf(key: KeyObject, { tenant, product, directoryId }: DirectoryScope, entries: Buffer): Buffer {
  const scope = JSON.stringify([tenant ?? null, product ?? null, directoryId ?? null])
  return createHmac('sha256', key).update(scope).update(entries).digest().subarray(0, signatureBytes)
}

/**
 * Writes a variable-length number: seven bits per byte, lowest first; a high bit means that more follow. Returns the
 * offset after it.
 */
function writeVarint(bytes: Buffer, start: number, value: number): number {
  let [rest, at] = [value, start]
  while (rest >= 0x80) {
    bytes[at] = (rest % 0x80) | 0x80
    rest = Math.floor(rest / 0x80)
    at += 1
  }
  bytes[at] = rest
  return at + 1
}

function readVarint(bytes: Buffer, start: number): { value: number; next: number } {
  let [value, scale, at] = [0, 1, start]
  for (;;) {
    const byte = bytes[at] ?? 0
    at += 1
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return { value, next: at }
    scale *= 0x80
  }
}

function invalidCursor(): DirectoryError {
  const message =
    'after: send the cursor of a response for the same tenant, product and directoryId, unchanged; leave it out to start with the first event.'
  return new DirectoryError('invalid-input', message, [{ field: 'after', message }])
}
