import { fold, normalized } from '../../scim/fold.ts'
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
 * Removes passwords from a body. A value is left out when its name contains `password` or `passwd` in any letter case, qualified
 * by a URN or not. Of an operation of a PATCH that mentions a password anywhere, only `op`, `path` and `schemas` are kept, whatever
 * else it is made of; nothing is kept of a list of texts that mentions one.
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
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    left = remaining(part, left)
    if (left < 0) return left
  }
  // Pairs of names and values, as of `Object.entries`, would be made for all that is not kept.
  if (!Array.isArray(value)) for (const name of Object.keys(value)) left -= name.length + 4
  return left
}

/** The state of the redaction of a body. */
interface Redaction {
  /** The objects and arrays that mention a password, at any depth. */
  readonly mentions: ReadonlySet<object>
  hadPasswords: boolean
}

/** @param isOperation whether the value, or each of its elements, is an operation of a PATCH */
function redacted(value: unknown, redaction: Redaction, isOperation = false): Json {
  if (typeof value === 'string') return redactedText(value, redaction)
  if (Array.isArray(value)) return redactedList(value, redaction, isOperation)
  if (isObject(value)) return redactedObject(value, redaction, isOperation)
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Any text of a list may be the password. */
function redactedList(values: readonly unknown[], redaction: Redaction, isOperation: boolean): Json {
  const isHidden = redaction.mentions.has(values) && values.some((item) => typeof item === 'string')
  if (!isHidden) return values.map((item) => redacted(item, redaction, isOperation))
  redaction.hadPasswords = true
  return []
}

function redactedText(text: string, redaction: Redaction): string {
  const kept = withoutPasswordText(text)
  if (kept !== text) redaction.hadPasswords = true
  return kept
}

function redactedObject(object: Readonly<Record<string, unknown>>, redaction: Redaction, isOperation: boolean): Json {
  const entries = Object.entries(object)
  const isHidden = redaction.mentions.has(object) && hidesValues(entries, isOperation)
  const isKept = isHidden ? isKeptOfOperation : ([name]: readonly [string, unknown]) => !mentionsPassword(name)
  const kept = entries.filter(isKept)
  if (kept.length < entries.length) redaction.hadPasswords = true
  return Object.fromEntries(kept.map(([name, item]) => [name, redacted(item, redaction, fold(name) === 'operations')]))
}

type Entry = readonly [name: string, value: unknown]

function isKeptOfOperation([name, value]: Entry): boolean {
  const key = fold(name)
  return key === 'schemas' || ((key === 'op' || key === 'path') && typeof value === 'string')
}

/** The members whose text says which attribute an operation or a value is for, in the forms that clients use. */
const namingNames = ['op', 'path', 'attribute', 'attr', 'name', 'type', 'field', 'key']

/**
 * Returns whether an object that mentions a password has values that may be one, under any name: it is an operation of a PATCH, or names an
 * attribute as one does. Operations in bulk name a method, and are redacted as the requests that they are.
 */
function hidesValues(entries: readonly Entry[], isOperation: boolean): boolean {
  const texts = entries.filter(([, value]) => typeof value === 'string' || Array.isArray(value))
  const names = texts.map(([name]) => fold(name))
  const isBulk = names.includes('method') && !names.includes('op')
  if (isBulk) return texts.some(([, value]) => typeof value === 'string' && mentionsPassword(value))
  return (
    isOperation || names.some((name) => namingNames.includes(name)) || texts.some(([, value]) => namesPassword(value))
  )
}

/** Returns whether a value is the name of a password, and not a sentence that mentions one, or is a list with such a name. */
function namesPassword(value: unknown): boolean {
  return [value].flat().some((text) => typeof text === 'string' && !/\s/.test(text.trim()) && mentionsPassword(text))
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
  return isAscii.test(unescaped) ? unescaped : normalized(unescaped, 'NFKC').replace(invisible, '')
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
