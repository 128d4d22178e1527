import { fold } from '../../scim/fold.ts'
import type { Json } from '../../scim/json.ts'
import { isObject } from '../../scim/json.ts'

/** The maximum length of a body in the log, in characters of JSON. */
export const maxBodyLength = 65_536

/** A body without passwords, for the log. */
export interface RedactedBody {
  /** JSON text without passwords; undefined when it is longer than `maxBodyLength`. */
  readonly text: string | undefined
  /** Whether it had passwords, or may have had some because it was too long to examine. */
  readonly hadPasswords: boolean
}

/**
 * Removes passwords from a body. A value is removed if its name contains `password` or `passwd` in any letter case,
 * qualified by a URN or not. A PATCH operation that mentions a password anywhere is reduced to `op`, `path` and
 * `schemas`.
 */
export function withoutPasswords(body: unknown): RedactedBody {
  // The length is checked first: it bounds everything that follows.
  if (remaining(body, maxBodyLength) < 0) return { text: undefined, hadPasswords: true }
  const mentions = new Set<object>()
  findMentions(body, mentions)
  const redaction = { mentions, hadPasswords: false }
  const text = JSON.stringify(redacted(body, redaction))
  return { text, hadPasswords: redaction.hadPasswords }
}

/** The characters left of a budget after the JSON of a value; negative, and inexact, when it is longer. */
function remaining(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 3
  if (typeof value !== 'object' || value === null) return budget - 6
  let left = budget
  for (const [name, part] of Object.entries(value)) {
    left = remaining(part, Array.isArray(value) ? left : left - name.length - 4)
    if (left < 0) break
  }
  return left
}

/** The state of the redaction of a body. */
interface Redaction {
  /** The objects and arrays that mention a password, at any depth. */
  readonly mentions: ReadonlySet<object>
  hadPasswords: boolean
}

function redacted(value: unknown, redaction: Redaction): Json {
  if (typeof value === 'string') return redactedText(value, redaction)
  if (Array.isArray(value)) return value.map((item) => redacted(item, redaction))
  if (isObject(value)) return redactedObject(value, redaction)
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function redactedText(text: string, redaction: Redaction): string {
  const kept = withoutPasswordText(text)
  if (kept !== text) redaction.hadPasswords = true
  return kept
}

function redactedObject(object: Readonly<Record<string, unknown>>, redaction: Redaction): Json {
  const entries = Object.entries(object)
  const isHidden = redaction.mentions.has(object) && hidesValues(entries)
  const isKept = isHidden ? isKeptOfOperation : ([name]: readonly [string, unknown]) => !mentionsPassword(name)
  const kept = entries.filter(isKept)
  if (kept.length < entries.length) redaction.hadPasswords = true
  return Object.fromEntries(kept.map(([name, item]) => [name, redacted(item, redaction)]))
}

type Entry = readonly [name: string, value: unknown]

function isKeptOfOperation([name, value]: Entry): boolean {
  const key = fold(name)
  return key === 'schemas' || ((key === 'op' || key === 'path') && typeof value === 'string')
}

/** The members whose text says which attribute an operation or a value is for, in the forms that clients use. */
const namingNames = ['op', 'path', 'attribute', 'attr', 'name', 'type', 'field', 'key']

/**
 * Whether an object that mentions a password may contain one under any name: it names an attribute, like an operation
 * of a PATCH. Bulk operations name a method instead, and are redacted like separate requests.
 */
function hidesValues(entries: readonly Entry[]): boolean {
  const texts = entries.filter(([, value]) => typeof value === 'string' || Array.isArray(value))
  const names = texts.map(([name]) => fold(name))
  const isBulk = names.includes('method') && !names.includes('op')
  if (isBulk) return texts.some(([, value]) => typeof value === 'string' && mentionsPassword(value))
  return names.some((name) => namingNames.includes(name))
}

/** Finds the objects and arrays that mention a password. Returns whether the value does. */
function findMentions(value: unknown, mentions: Set<object>): boolean {
  if (typeof value === 'string') return mentionsPassword(value)
  if (typeof value !== 'object' || value === null) return false
  let isFound = false
  for (const [name, part] of Object.entries(value)) {
    const isInPart = findMentions(part, mentions)
    isFound ||= isInPart || mentionsPassword(name)
  }
  if (isFound) mentions.add(value)
  return isFound
}

const word = /passw(?:or)?d/i

const mentionsPassword = (text: string): boolean => word.test(plain(text))

/**
 * A filter, path or nested JSON that mentions a password, cut after the word. It is removed completely if the word is
 * written with escapes, letters of other widths or invisible characters.
 *
 * @param text is read several times, so its length must be bounded
 */
export function withoutPasswordText(text: string): string {
  const plainText = plain(text)
  if (plainText !== text && word.test(plainText)) return '…'
  const found = word.exec(text)
  if (found === null) return text
  const rest = found.index + found[0].length
  const end = text.slice(rest).search(/\W/)
  return end < 0 ? text : `${text.slice(0, rest + end)} …`
}

/** Escapes may be nested, as in JSON in a text. */
const maxEscapes = 3

/** Decodes the escapes of URLs and JSON, normalizes letters of other widths, and removes invisible characters. */
function plain(text: string): string {
  let unescaped = text
  for (let n = 0; n < maxEscapes && /[%\\]/.test(unescaped); n += 1) unescaped = withoutEscapes(unescaped)
  return isAscii.test(unescaped) ? unescaped : unescaped.normalize('NFKC').replace(invisible, '')
}

const isAscii = /^[\x20-\x7e]*$/
const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cc}/gu
const urlEscapes = /(?:%[0-9a-f]{2})+/gi
const jsonEscape = /\\u([0-9a-f]{4})/gi

function withoutEscapes(text: string): string {
  return text
    .replace(urlEscapes, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())
    .replace(jsonEscape, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
