import { fold } from '../scim/fold.ts'
import type { Json } from '../scim/json.ts'
import { isObject } from '../scim/json.ts'

/** The text in place of an erased one. */
export const erasedText = '(erased)'

/** Finds texts that name a person. */
export interface Mentions {
  /** Returns whether a text contains one of the terms as a whole, as it is or as JSON or a URL encodes it. */
  isIn(text: string): boolean
  /**
   * Returns whether a text or number in JSON contains one of them; in other texts as `isIn`. Short terms are also names of attributes, and
   * numbers that have nothing to do with the person.
   */
  isInJson(text: string): boolean
  /** Returns whether a text or number of a JSON value does, after `isIn` of its text. */
  isInValue(value: string | number): boolean
}

/** Letters of any case are the same. Terms may have any length, and those without a letter or number are left out. */
export function createMentions(terms: readonly string[]): Mentions {
  const folded = [...new Set(terms.map(fold))].filter((term) => nameable.test(term))
  const edges = createWordEdges()
  const isFound = (text: string) =>
    folded.length > 0 && formsOf(text).some((form) => folded.some(isWithin(fold(form), edges.isEdge)))
  const isIn = (text: string) => {
    edges.begin()
    return isFound(text)
  }
  // In quotes: a term may have them, too, and is then a whole value.
  const isInValue = (value: string | number) =>
    typeof value === 'string' ? isFound(`"${value}"`) : Math.abs(value) >= minNumber && isFound(String(value))
  return { isIn, isInValue, isInJson: (text) => isIn(text) && someValue(text, isInValue) }
}

/** Placeholders such as "-" name nobody. */
const nameable = /[\p{L}\p{N}]|[^\0-\x7f]/u

/** Smaller numbers are counts, versions and states. */
const minNumber = 1_000

function someValue(text: string, isMet: (value: string | number) => boolean): boolean {
  try {
    return someIn(JSON.parse(text) as Json, isMet)
  } catch (error) {
    if (error instanceof SyntaxError) return true
    throw error
  }
}

function someIn(value: Json, isMet: (value: string | number) => boolean): boolean {
  if (typeof value === 'string' || typeof value === 'number') return isMet(value)
  if (Array.isArray(value)) return value.some((item) => someIn(item, isMet))
  if (!isObject(value)) return false
  return Object.entries(value).some(([name, item]) => (isText(name) && isMet(name)) || someIn(item, isMet))
}

/** Returns whether the name of a member is a text, such as an address, and not the name of an attribute. */
function isText(name: string): boolean {
  return !attributeName.test(name)
}

const attributeName = /^(?:urn:[\w.:-]+|[$A-Za-z][\w$-]*)$/

const isWithin = (text: string, isWordEdge: WordEdges) => (term: string) => containsWhole(text, term, isWordEdge)

/** JSON in JSON, such as a filter in a body, is escaped twice; some clients encode URLs twice. */
const maxEscapes = 3

/** A text, and what it encodes. */
function formsOf(text: string): string[] {
  // In a URL, + is a plus sign or a space.
  const sent = /[%+]/.test(text) ? [withoutPercent(text), withoutPercent(text.replaceAll('+', ' '))] : []
  const again = sent.filter((form) => form.includes('%')).map(withoutPercent)
  const forms = [...new Set([text, ...sent, ...again])]
  return forms.flatMap((form) => {
    const found = [form]
    for (let last = form; last.includes('\\') && found.length <= maxEscapes; found.push(last))
      last = withoutEscapes(last)
    return found
  })
}

function containsWhole(text: string, term: string, isEdge: WordEdges): boolean {
  // One character, such as a family name, is a word of other people's names.
  const isWordEdge = term.length > 1 ? isEdge : () => false
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) {
    if (!isWithinWord(text, at, isWordEdge) && !isWithinWord(text, at + term.length, isWordEdge)) return true
  }
  return false
}

/** Returns whether a text is in a language that writes no spaces between words. */
export function isUnspaced(text: string): boolean {
  return unspaced.test(text)
}

const letter = /[\p{L}\p{N}\p{M}]/u
const joiner = /[._@-]/
/** Letters of languages that write no spaces between words. */
const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u

/** Returns whether a position is inside of a word, or of a name that joiners hold together, such as an address. */
function isWithinWord(text: string, at: number, isWordEdge: WordEdges): boolean {
  const [before, after] = [lastCharacter(text, at), firstCharacter(text, at)]
  if (letter.test(before) && letter.test(after)) {
    if (!unspaced.test(before) && !unspaced.test(after)) return true
    return !isWordEdge(text, at)
  }
  const [joined, far] = joiner.test(before)
    ? [after, lastCharacter(text, at - 1)]
    : [before, joiner.test(after) ? firstCharacter(text, at + 1) : '']
  return letter.test(joined) && letter.test(far) && !unspaced.test(joined) && !unspaced.test(far)
}

function firstCharacter(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function lastCharacter(text: string, end: number): string {
  const unit = text.charCodeAt(end - 1)
  const isLow = unit >= 0xdc00 && unit <= 0xdfff
  return end <= 0 ? '' : text.slice(isLow ? Math.max(0, end - 2) : end - 1, end)
}

/** Whether a word begins or ends at a position of a text. */
type WordEdges = (text: string, at: number) => boolean

const words = new Intl.Segmenter('und', { granularity: 'word' })
/** The characters on each side by which a dictionary finds words. */
const context = 32
/**
 * Looking in the dictionary takes about 50 µs. After so many in a text and its values, every occurrence counts, also one inside of a
 * longer word.
 */
const maxLookups = 1_000

function createWordEdges(): { begin(): void; readonly isEdge: WordEdges } {
  let lookups = 0
  return {
    begin() {
      lookups = 0
    },
    isEdge(text, at) {
      lookups += 1
      if (lookups > maxLookups) return true
      const start = Math.max(0, at - context)
      const found = words.segment(text.slice(start, at + context)).containing(at - start)
      return found === undefined || found.index === at - start
    },
  }
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
  if (typeof value === 'string' || typeof value === 'number') return mentions.isInValue(value) ? erasedText : value
  if (Array.isArray(value)) return value.map((item) => withoutPerson(item, mentions, ids))
  if (!isObject(value)) return value
  const { value: id } = value
  if (typeof id === 'string' && ids.has(id)) return { value: id }
  const kept = Object.entries(value).filter(([name]) => !(isText(name) && mentions.isInValue(name)))
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutPerson(item, mentions, ids)]))
}
