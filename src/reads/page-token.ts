import type { DirectoryPosition } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { ListPosition } from '../directory/list.ts'

/**
 * Writes an opaque page token. It holds only a position, as JSON, which is checked against the scope of the request, so
 * that a token cannot be used to read another directory.
 */
export function writePageToken(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/**
 * Reads the position in a page token.
 *
 * @throws DirectoryError `invalid-input` when the text is not a token of this list
 */
export function readPageToken<P>(text: string, isPosition: (value: unknown) => value is P): P {
  const position = parseJson(Buffer.from(text, 'base64url').toString())
  if (isPosition(position)) return position
  const message = 'pageToken: send the pageToken of the previous response, unchanged.'
  throw new DirectoryError('invalid-input', message, [{ field: 'pageToken', message }])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The start of the next page in a list over several directories. */
export interface RowPosition {
  readonly directory: DirectoryPosition
  readonly position: ListPosition
}

export function rowToken({ directory: { id, createdAt }, position: { sequence, id: rowId } }: RowPosition): string {
  return writePageToken([createdAt, id, sequence, rowId])
}

/** @throws DirectoryError `invalid-input` when the text is not a page token of such a listing */
export function readRowToken(text: string): RowPosition {
  const [createdAt, id, sequence, rowId] = readPageToken(text, isRowPosition)
  return { directory: { id, createdAt }, position: { sequence, id: rowId } }
}

type StoredPosition = readonly [createdAt: number, id: string, sequence: number, rowId: string]

function isRowPosition(value: unknown): value is StoredPosition {
  if (!Array.isArray(value)) return false
  const [createdAt, id, sequence, rowId]: unknown[] = value
  return isWhole(createdAt) && isId(id) && isWhole(sequence) && isId(rowId)
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value)
}

/** The start of a list has an empty id. */
function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[\w-]{0,100}$/.test(value)
}
