import type { Directory } from './directory.ts'
import { DirectoryError } from './errors.ts'
import type { ListPosition } from './store.ts'

/** Where a listing over the directories of a scope goes on. */
export interface PageToken {
  readonly directory: Pick<Directory, 'id' | 'createdAt'>
  readonly position: ListPosition
}

/** Writes a token that callers hand back as it is. It holds places only: what it leads to is checked against the scope. */
export function writePageToken({ directory: { id, createdAt }, position: { sequence, id: rowId } }: PageToken): string {
  return Buffer.from(JSON.stringify([createdAt, id, sequence, rowId])).toString('base64url')
}

/** @throws DirectoryError `invalid-input` for a text that is no token */
export function readPageToken(text: string): PageToken {
  const parts = parse(Buffer.from(text, 'base64url').toString())
  const [createdAt, id, sequence, rowId] = Array.isArray(parts) ? (parts as unknown[]) : []
  if (!isPlace(createdAt) || !isId(id) || !isPlace(sequence) || !isId(rowId)) {
    const problem = { field: 'pageToken', message: 'pageToken: send the token of the answer before, unchanged.' }
    throw new DirectoryError('invalid-input', problem.message, [problem])
  }
  return { directory: { id, createdAt }, position: { sequence, id: rowId } }
}

function isPlace(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/** The start of a list has an empty id. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{0,100}$/.test(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
