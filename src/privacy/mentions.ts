import { fold } from '../scim/fold.ts'
import type { Json } from '../scim/json.ts'
import { isObject } from '../scim/json.ts'

/** The text in place of an erased one. */
export const erasedText = '(erased)'

/** Shorter texts are found in too much that is not about the person. */
export const minTermLength = 4

/** Finds texts that name a person. */
export interface Mentions {
  /** Whether a text contains one of the terms as a whole, as it is or as JSON or a URL encodes it. */
  isIn(text: string): boolean
}

/** Letters of any case are the same. */
export function createMentions(terms: readonly string[]): Mentions {
  const folded = [...new Set(terms.map(fold))].filter((term) => term.length >= minTermLength)
  return { isIn: (text) => folded.length > 0 && formsOf(text).some((form) => folded.some(isWithin(fold(form)))) }
}

const isWithin = (text: string) => (term: string) => containsWhole(text, term)

/** JSON in JSON, such as a filter in a body, is escaped twice. */
const maxEscapes = 3

/** A text, and what it encodes. */
function formsOf(text: string): string[] {
  // In a URL, + is a plus sign or a space.
  const sent = /[%+]/.test(text) ? [withoutPercent(text), withoutPercent(text.replaceAll('+', ' '))] : []
  const forms = [...new Set([text, ...sent])]
  return forms.flatMap((form) => {
    const found = [form]
    for (let last = form; last.includes('\\') && found.length <= maxEscapes; found.push(last))
      last = withoutEscapes(last)
    return found
  })
}

function containsWhole(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) {
    if (!continues(text, at - 1, -1) && !continues(text, at + term.length, 1)) return true
  }
  return false
}

const letter = /[\p{L}\p{N}]/u
const joiner = /[._@-]/

/** Whether the word at a position belongs to the term beside it, such as the rest of a longer address. */
function continues(text: string, at: number, step: 1 | -1): boolean {
  const next = text[at]
  if (next === undefined) return false
  if (letter.test(next)) return true
  const beyond = text[at + step]
  return joiner.test(next) && beyond !== undefined && letter.test(beyond)
}

/** The text without the escapes of JSON, whatever else it is. */
function withoutEscapes(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code: string | undefined, character: string) =>
    code === undefined ? (escaped[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

const escaped: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The text without percent-encoding; what is not valid stays. */
function withoutPercent(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
}

/**
 * A JSON value without the texts that name a person. An object whose `value` is the id of the person keeps only that.
 *
 * @param ids the ids of the person
 */
export function withoutPerson(value: Json, mentions: Mentions, ids: ReadonlySet<string>): Json {
  if (typeof value === 'string') return mentions.isIn(value) ? erasedText : value
  if (Array.isArray(value)) return value.map((item) => withoutPerson(item, mentions, ids))
  if (!isObject(value)) return value
  const { value: id } = value
  if (typeof id === 'string' && ids.has(id)) return { value: id }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutPerson(item, mentions, ids)]))
}
