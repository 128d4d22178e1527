import { hash } from 'node:crypto'
import type { DirectoryScope } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'

/**
 * How far a reader has come: the sequence number of the last event that it has, by the tag of its directory. The order is
 * that in which the directories were read last, so that the one that waited longest is read first.
 */
export type FeedPositions = ReadonlyMap<string, number>

export const feedStart: FeedPositions = new Map()

/** The first byte of every cursor. */
const version = 1
const checkBytes = 6
const tagBytes = 6
const headBytes = 1 + checkBytes
const maxNumberBytes = 8
const maxEntryBytes = tagBytes + maxNumberBytes

/**
 * What stands for a directory in a cursor: 48 bits of a hash of its id. Among the few hundred directories of a
 * cursor no two are alike for practical purposes, and a new directory does not get the tag of one that was deleted.
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

/** Writes a cursor that readers hand back as it is. It holds places only, and is good for its scope only. */
export function writeCursor(scope: DirectoryScope, positions: FeedPositions): string {
  const bytes = Buffer.allocUnsafe(headBytes + positions.size * maxEntryBytes)
  let end = headBytes
  for (const [tag, sequence] of positions) {
    bytes.write(tag, end, 'hex')
    end = writeNumber(bytes, end + tagBytes, sequence)
  }
  bytes[0] = version
  checkOf(scope, bytes.subarray(headBytes, end)).copy(bytes, 1)
  return bytes.toString('base64url', 0, end)
}

/** @throws DirectoryError `invalid-input` for a text that is no cursor of that scope */
export function readCursor(scope: DirectoryScope, text: string): FeedPositions {
  const bytes = /^[\w-]+$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.of()
  const [head, entries] = [bytes.subarray(0, headBytes), bytes.subarray(headBytes)]
  const expected = Buffer.concat([Buffer.of(version), checkOf(scope, entries)])
  if (!head.equals(expected)) throw badCursor()
  return readEntries(entries)
}

function readEntries(entries: Buffer): FeedPositions {
  const positions = new Map<string, number>()
  let at = 0
  while (at < entries.length) {
    const tag = entries.toString('hex', at, at + tagBytes)
    const { value, next } = readNumber(entries, at + tagBytes)
    positions.set(tag, value)
    at = next
  }
  return positions
}

/** What ties the places of a cursor to its scope, and shows that none of it got lost on the way. */
function checkOf({ tenant, product, directoryId }: DirectoryScope, entries: Buffer): Buffer {
  const scope = JSON.stringify([tenant ?? null, product ?? null, directoryId ?? null])
  return hash('sha256', Buffer.concat([Buffer.from(scope), entries]), 'buffer').subarray(0, checkBytes)
}

/** Seven bits per byte, the lowest first; the high bit says that more follow. Answers the place behind it. */
function writeNumber(bytes: Buffer, start: number, value: number): number {
  let [rest, at] = [value, start]
  while (rest >= 0x80) {
    bytes[at] = (rest % 0x80) | 0x80
    rest = Math.floor(rest / 0x80)
    at += 1
  }
  bytes[at] = rest
  return at + 1
}

function readNumber(bytes: Buffer, start: number): { value: number; next: number } {
  let [value, scale, at] = [0, 1, start]
  for (;;) {
    const byte = bytes[at] ?? 0
    at += 1
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return { value, next: at }
    scale *= 0x80
  }
}

function badCursor(): DirectoryError {
  const message =
    'after: send the cursor of an answer for the same tenant, product and directoryId, unchanged; leave it out to start with the first event.'
  return new DirectoryError('invalid-input', message, [{ field: 'after', message }])
}
