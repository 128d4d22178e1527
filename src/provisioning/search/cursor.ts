import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import type { Directory } from '../../directory/directory.ts'
import type { ListPosition } from '../../directory/store.ts'
import { ScimError } from '../../scim/errors.ts'
import { isObject } from '../../scim/json.ts'
import { cursorTimeoutSeconds } from '../../scim/limits.ts'
import { invalidCursor } from '../../scim/list-query.ts'
import type { SortKey } from '../../scim/sorting/sort.ts'

/** Where a page ended. */
export interface CursorPlace {
  /** The index of the source among those that are searched. */
  readonly source: number
  readonly position: ListPosition
  /** What the last resource was sorted by; null in an order that the store knows. */
  readonly key: SortKey
}

/** What a cursor carries from page to page. */
export interface CursorContents {
  readonly place: CursorPlace
  /** Tells queries apart that must be the same on every page. */
  readonly query: string
  readonly count: number
  /** How many resources matched when the first page was read. */
  readonly totalResults: number
  /** Unix milliseconds. */
  readonly issuedAt: number
}

const nonceBytes = 12
const tagBytes = 16

/** What stands for a query in its cursors: those of another query do not fit. */
export function queryDigest(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)
}

/**
 * Writes a cursor: opaque, of unreserved characters only (RFC 9865 §2), and sealed under the directory's SCIM secret. So it
 * shows nothing of the users it stands between, fits no other directory, and ends with the secret.
 */
export function sealCursor({ scimSecret }: Pick<Directory, 'scimSecret'>, contents: CursorContents): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyFrom(scimSecret), nonce)
  const sealed = [nonce, cipher.update(JSON.stringify(contents), 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(sealed).toString('base64url')
}

/**
 * Reads a cursor that came back with a query.
 *
 * @throws ScimError 400 `invalidCursor` when it is none of this directory and query, `invalidCount` when the first page had
 *   another count, `expiredCursor` when it is too old (RFC 9865 §2.1)
 */
export function openCursor(
  { scimSecret, previousScimSecret }: Pick<Directory, 'scimSecret' | 'previousScimSecret'>,
  cursor: string,
  { query, count, now }: { readonly query: string; readonly count: number; readonly now: number },
): CursorContents {
  const inGrace = previousScimSecret !== undefined && previousScimSecret.expiresAt > now
  const secrets = inGrace ? [scimSecret, previousScimSecret.secret] : [scimSecret]
  const contents = secrets.map((secret) => unsealed(secret, cursor)).find((opened) => opened !== undefined)
  if (contents === undefined || contents.query !== query) throw invalidCursor()
  if (contents.count !== count) {
    throw new ScimError(400, 'invalidCount', `Every page of a cursor has the count of the first: ${contents.count}.`)
  }
  if (now - contents.issuedAt > cursorTimeoutSeconds * 1000) {
    throw new ScimError(400, 'expiredCursor', 'This cursor is too old: begin with an empty cursor again.')
  }
  return contents
}

function keyFrom(secret: string): Buffer {
  return hash('sha256', `rollcall cursor ${secret}`, 'buffer')
}

/** The contents of a cursor that was sealed under that secret; undefined for any other text. */
function unsealed(secret: string, cursor: string): CursorContents | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length <= nonceBytes + tagBytes || bytes.toString('base64url') !== cursor) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyFrom(secret), bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
  if (!isAuthentic(() => decipher.final())) return undefined
  const contents: unknown = JSON.parse(text.toString('utf8'))
  return isObject(contents) ? (contents as unknown as CursorContents) : undefined
}

/** GCM tells by an error that a text is not what was sealed. */
function isAuthentic(finish: () => void): boolean {
  try {
    finish()
    return true
  } catch {
    return false
  }
}
