import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import type { Directory } from '../../directory/directory.ts'
import type { ListPosition } from '../../directory/list.ts'
import { ScimError } from '../../scim/errors.ts'
import { isObject } from '../../scim/json.ts'
import { cursorTimeoutSeconds } from '../../scim/limits.ts'
import { invalidCursor } from '../../scim/list-query.ts'
import type { SortKey } from '../../scim/sorting/sort.ts'

/** The position of the last resource of a page. */
export interface CursorPlace {
  /** The index of its source among the searched ones. */
  readonly source: number
  readonly position: ListPosition
  /** Its sort key; null in an order that the store provides. */
  readonly key: SortKey
}

/** The contents of a cursor. */
export interface CursorContents {
  readonly place: CursorPlace
  /** Digest of the parts of the query that must be the same on every page. */
  readonly query: string
  readonly count: number
  /** The number of matching resources when the first page was read. */
  readonly totalResults: number
  /** Unix milliseconds. */
  readonly issuedAt: number
}

const nonceBytes = 12
const tagBytes = 16

/** The digest of a query: a cursor is only valid for the query that it was made for. */
export function queryDigest(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)
}

/**
 * Writes a cursor: opaque, of unreserved characters only (RFC 9865 §2), and encrypted with a key derived from the
 * directory's SCIM secret. It reveals nothing about users, is not valid for another directory, and expires with the
 * secret.
 */
export function sealCursor({ scimSecret }: Pick<Directory, 'scimSecret'>, contents: CursorContents): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyFrom(scimSecret), nonce)
  const sealed = [nonce, cipher.update(JSON.stringify(contents), 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(sealed).toString('base64url')
}

/**
 * Reads the cursor of a query.
 *
 * @throws ScimError 400 `invalidCursor` when it was not made for this directory and query, `invalidCount` when the
 * first page had another count, `expiredCursor` when it is too old (RFC 9865 §2.1)
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
    throw new ScimError(400, 'invalidCount', `count must be the same on every page of a cursor: ${contents.count}.`)
  }
  if (now - contents.issuedAt > cursorTimeoutSeconds * 1000) {
    throw new ScimError(400, 'expiredCursor', 'This cursor is too old: start again with an empty cursor.')
  }
  return contents
}

function keyFrom(secret: string): Buffer {
  return hash('sha256', `rollcall cursor ${secret}`, 'buffer')
}

/** The contents of a cursor that was sealed with this secret; undefined for any other text. */
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

/** Node reports a failed GCM authentication as an error. */
function isAuthentic(finish: () => void): boolean {
  try {
    finish()
    return true
  } catch {
    return false
  }
}
