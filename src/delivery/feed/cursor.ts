import type { KeyObject } from 'node:crypto'
import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'
import type { DirectoryScope } from '../../directory/directory.ts'
import { isOfProduct } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'

/** The last event of a directory that a reader has. */
export interface FeedPosition {
  readonly sequence: number
  /** The tag of the event, which shows whether the sequence still names the same event. */
  readonly eventTag: string
}

/**
 * The position of a reader: its last event per directory, by directory tag. Directories are ordered by the time of
 * their last read, oldest first.
 */
export type FeedPositions = ReadonlyMap<string, FeedPosition>

export const feedStart: FeedPositions = new Map()

/**
 * The place of a reader in the feed of a product: the last event that it has, by the position of its run. The tag is that of the
 * run.
 */
export interface ProductPlace extends FeedPosition {
  /** 0 before the first. */
  readonly position: number
  /** The position at the beginning of the page that the reader has just received. */
  readonly previous: number
}

/** A position in a feed: of a product, or of directories. */
export type FeedPlace = ProductPlace | FeedPositions

export function isProductPlace(place: FeedPlace): place is ProductPlace {
  return 'position' in place
}

/** The first byte of a cursor: that of a feed of directories, and that of the feed of a product. */
const [formatVersion, productVersion] = [2, 3]
const signatureBytes = 6
const tagBytes = 6
const eventTagBytes = 3
const headBytes = 1 + signatureBytes
const maxVarintBytes = 8
const maxEntryBytes = tagBytes + eventTagBytes + maxVarintBytes

/** The tag of an event whose id is not known. */
export const unknownEvent = '0'.repeat(2 * eventTagBytes)

export const productFeedStart: ProductPlace = { position: 0, previous: 0, sequence: 0, eventTag: unknownEvent }

/**
 * Identifies an event among those that had the same sequence: 24 bits of a hash of its id. Another event has the same
 * tag once in 16 million times.
 */
export function eventTag(eventId: string | undefined): string {
  return eventId === undefined ? unknownEvent : hash('sha256', eventId, 'hex').slice(0, 2 * eventTagBytes)
}

/** Returns whether both positions name the same event, or one of them does not say which event it is. */
export function isSameEvent(one: FeedPosition, other: FeedPosition): boolean {
  if (one.sequence !== other.sequence) return false
  return [one.eventTag, other.eventTag].includes(unknownEvent) || one.eventTag === other.eventTag
}

/**
 * Identifies a directory in a cursor: 48 bits of a hash of its id. Collisions among the few hundred directories of a
 * cursor, or with a deleted one, are practically impossible.
 */
export function directoryTag(directoryId: string): string {
  return hash('sha256', directoryId, 'hex').slice(0, 2 * tagBytes)
}

/** The positions after an event of a directory. */
export function advance(positions: FeedPositions, tag: string, position: FeedPosition): FeedPositions {
  const advanced = new Map(positions)
  advanced.delete(tag)
  return advanced.set(tag, position)
}

/** Writes and reads cursors. They are opaque to readers, contain only positions, and are valid only for their scope. */
export interface FeedCursors {
  write(scope: DirectoryScope, place: FeedPlace): string
  /** @throws DirectoryError `invalid-input` unless the text is a cursor of this service for this scope */
  read(scope: DirectoryScope, text: string): FeedPlace
}

/** @param secret the secret of the service, the same in every process; the key of cursors is derived from it */
export function createFeedCursors(secret: string): FeedCursors {
  const key = createSecretKey(createHmac('sha256', secret).update('feed-cursor').digest())
  return {
    write: (scope, place) =>
      isProductPlace(place) ? writeProductCursor(key, scope, place) : writeCursor(key, scope, place),
    read: (scope, text) => (isOfProduct(scope) ? readProductCursor(key, scope, text) : readCursor(key, scope, text)),
  }
}

function writeCursor(key: KeyObject, scope: DirectoryScope, positions: FeedPositions): string {
  const bytes = Buffer.allocUnsafe(headBytes + positions.size * maxEntryBytes)
  let end = headBytes
  for (const [tag, position] of positions) {
    bytes.write(tag, end, 'hex')
    bytes.write(position.eventTag, end + tagBytes, 'hex')
    end = writeVarint(bytes, end + tagBytes + eventTagBytes, position.sequence)
  }
  bytes[0] = formatVersion
  signatureOf(key, scope, formatVersion, bytes.subarray(headBytes, end)).copy(bytes, 1)
  return bytes.toString('base64url', 0, end)
}

function readCursor(key: KeyObject, scope: DirectoryScope, text: string): FeedPositions {
  return readEntries(signedPart(key, scope, formatVersion, bytesIn(text)))
}

const bytesIn = (text: string) => (/^[\w-]+$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.of())

/** Returns the content of a cursor whose signature is right. */
function signedPart(key: KeyObject, scope: DirectoryScope, version: number, bytes: Buffer): Buffer {
  const [head, entries] = [bytes.subarray(0, headBytes), bytes.subarray(headBytes)]
  const expected = Buffer.concat([Buffer.of(version), signatureOf(key, scope, version, entries)])
  if (head.length !== headBytes || !timingSafeEqual(head, expected)) throw invalidCursor()
  return entries
}

/** Three numbers and the tag of the run, whatever the number of directories. */
function writeProductCursor(key: KeyObject, scope: DirectoryScope, place: ProductPlace): string {
  const bytes = Buffer.allocUnsafe(headBytes + 3 * maxVarintBytes + eventTagBytes)
  bytes.write(place.eventTag, headBytes, 'hex')
  let end = headBytes + eventTagBytes
  for (const number of [place.position, place.sequence, place.position - place.previous])
    end = writeVarint(bytes, end, number)
  bytes[0] = productVersion
  signatureOf(key, scope, productVersion, bytes.subarray(headBytes, end)).copy(bytes, 1)
  return bytes.toString('base64url', 0, end)
}

function readProductCursor(key: KeyObject, scope: DirectoryScope, text: string): ProductPlace {
  const entries = signedPart(key, scope, productVersion, bytesIn(text))
  const position = readVarint(entries, eventTagBytes)
  const sequence = readVarint(entries, position.next)
  const { value: pageLength } = readVarint(entries, sequence.next)
  return {
    position: position.value,
    sequence: sequence.value,
    previous: position.value - pageLength,
    eventTag: entries.toString('hex', 0, eventTagBytes),
  }
}

function readEntries(entries: Buffer): FeedPositions {
  const positions = new Map<string, FeedPosition>()
  let at = 0
  while (at < entries.length) {
    const afterTag = at + tagBytes
    const { value: sequence, next } = readVarint(entries, afterTag + eventTagBytes)
    const eventTag = entries.toString('hex', afterTag, afterTag + eventTagBytes)
    positions.set(entries.toString('hex', at, afterTag), { sequence, eventTag })
    at = next
  }
  return positions
}

/** Proves that the service wrote the positions, for this scope and in this version of the format. */
function signatureOf(
  key: KeyObject,
  { tenant, product, directoryId }: DirectoryScope,
  version: number,
  entries: Buffer,
): Buffer {
  const scope = JSON.stringify([tenant ?? null, product ?? null, directoryId ?? null])
  const hmac = createHmac('sha256', key).update(Buffer.of(version)).update(scope).update(entries)
  return hmac.digest().subarray(0, signatureBytes)
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
