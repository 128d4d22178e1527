import { DirectoryError } from '../../directory/errors.ts'
import type { HeldKind, SyncRunPosition } from '../store.ts'

/** Writes the token of the page behind a run. It holds a place only: runs are always looked for in one directory. */
export function writeRunToken({ startedAt, id }: SyncRunPosition): string {
  return write([startedAt, id])
}

/**
 * The run that a page begins behind.
 *
 * @throws DirectoryError `invalid-input` for a text that is no token
 */
export function readRunToken(text: string): SyncRunPosition {
  const [startedAt, id] = read(text)
  if (typeof startedAt === 'number' && Number.isSafeInteger(startedAt) && isId(id)) return { startedAt, id }
  throw noToken()
}

/** Where a list of held deletions goes on: users come first. */
export interface HeldPosition {
  readonly kind: HeldKind
  readonly after: string
}

/** Writes the token of the page behind a held deletion. */
export function writeHeldToken({ kind, after }: HeldPosition): string {
  return write([kind, after])
}

/**
 * The held deletion that a page begins behind.
 *
 * @throws DirectoryError `invalid-input` for a text that is no token
 */
export function readHeldToken(text: string): HeldPosition {
  const [kind, after] = read(text)
  if ((kind === 'user' || kind === 'group') && isId(after)) return { kind, after }
  throw noToken()
}

function write(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

function read(text: string): unknown[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(place) ? place : []
  } catch {
    return []
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 512 && !value.includes('\0')
}

function noToken(): DirectoryError {
  const problem = { field: 'pageToken', message: 'pageToken: send the token of the answer before, unchanged.' }
  return new DirectoryError('invalid-input', problem.message, [problem])
}
