import { fold } from '../../scim/fold.ts'
import type { Json } from '../../scim/json.ts'
import { isObject } from '../../scim/json.ts'

/** The longest body that the log keeps, in characters of JSON. */
export const maxBodyLength = 65_536

/** A body as the log may keep it. */
export interface RedactedBody {
  /** JSON text without passwords; undefined when it is longer than `maxBodyLength`. */
  readonly text: string | undefined
  /** Whether it had passwords, or may have had any in the part that was not read. */
  readonly hadPasswords: boolean
}

/**
 * Removes passwords from a body. A value is left out when its name contains `password` or `passwd` in any letter case, qualified
 * by a URN or not, and when the name or path beside it does, as in an operation of a PATCH.
 */
export function withoutPasswords(body: unknown): RedactedBody {
  const progress = { left: maxBodyLength, hadPasswords: false }
  const kept = redacted(body, progress)
  if (progress.left < 0) return { text: undefined, hadPasswords: true }
  return { text: JSON.stringify(kept), hadPasswords: progress.hadPasswords }
}

/** How many characters may still be kept; the rest of a body that is too long is not read. */
interface Progress {
  left: number
  hadPasswords: boolean
}

function redacted(value: unknown, progress: Progress): Json {
  if (progress.left < 0) return null
  if (typeof value === 'string') return redactedText(value, progress)
  if (Array.isArray(value)) return value.map((item) => redacted(item, progress))
  if (isObject(value)) return redactedObject(value, progress)
  progress.left -= 6
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function redactedText(text: string, progress: Progress): string {
  const kept = withoutPasswordText(text)
  if (kept !== text) progress.hadPasswords = true
  progress.left -= kept.length + 3
  return kept
}

function redactedObject(object: Readonly<Record<string, unknown>>, progress: Progress): Json {
  const entries = Object.entries(object)
  const namesPassword = entries.some(([name, text]) => !isDescription(name) && mentionsPassword(text))
  const kept = entries.filter(([name]) => !mentionsPassword(name) && !(namesPassword && isValue(name)))
  if (kept.length < entries.length) progress.hadPasswords = true
  return Object.fromEntries(
    kept.map(([name, item]) => {
      progress.left -= name.length + 4
      return [name, redacted(item, progress)]
    }),
  )
}

const isValue = (name: string): boolean => fold(name) === 'value'

/** What never names the attribute that the `value` beside it is for. */
const isDescription = (name: string): boolean => ['value', 'schemas', '$ref', 'display'].includes(fold(name))

/** Whether a text, or one in a list, contains the name of an attribute with a password. */
function mentionsPassword(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(mentionsPassword)
  return typeof value === 'string' && word.test(unescaped(value))
}

const word = /passw(?:or)?d/i
const wordAndMore = /passw(?:or)?d\w*\W/i

/**
 * A filter, path or nested JSON that mentions a password, cut behind the word; nothing is kept of one in which the word is
 * written with escapes.
 */
export function withoutPasswordText(text: string): string {
  const plain = unescaped(text)
  if (plain !== text && word.test(plain)) return '…'
  const found = wordAndMore.exec(text)
  return found === null ? text : `${text.slice(0, found.index + found[0].length - 1)} …`
}

const escaped = /%([0-9a-f]{2})|\\u([0-9a-f]{4})|[\uff01-\uffee]/gi

/** A text in which the escapes of URLs and JSON, and letters of other widths, are plain characters. */
function unescaped(text: string): string {
  return text.replace(escaped, (character, inUrl?: string, inJson?: string) => {
    const code = inUrl ?? inJson
    return code === undefined ? character.normalize('NFKC') : String.fromCharCode(Number.parseInt(code, 16))
  })
}
