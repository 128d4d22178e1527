import { fold } from '../scim/fold.ts'
import type { JsonObject } from '../scim/json.ts'
import { own } from '../scim/json.ts'
import { emailValues, familyNameOf, givenNameOf } from '../scim/resource/user-fields.ts'
import type { Directory } from './directory.ts'
import type { Group } from './group.ts'

/**
 * A text by whose beginning a user, group or directory is found: a whole name, userName or address, or the end of a name, which a blank
 * follows. No whole text ends with one, so that a whole text is found by comparing terms.
 */
export interface SearchTerm {
  readonly term: string
  /**
   * The length of the longest beginning that the term shares with one that precedes it: a longer prefix finds the resource by
   * this term first, so that a search returns each resource once.
   */
  readonly shared: number
}

/** The texts by which something is found: complete values, and names, which are found by each of their words as well. */
export interface SearchedTexts {
  readonly values: readonly string[]
  readonly names: readonly string[]
}

/** The most characters of a term. The keys of both databases have room for that many of any script, and a product. */
export const maxTermLength = 256

/** How many words of a name, and how many values of a resource, have terms. */
const maxWords = 16
const maxValues = 100

/** More characters are not folded: a text may be long. */
const maxFoldedLength = 4 * maxTermLength

const wordStart = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]/gu
/** `Chen, Maya` is found by `chen maya`, and the other way around. */
const blanks = /[\s\0,]+/g

/** The form in which terms are stored and looked up: folded, with single blanks for commas as well, cut to the length of a term. */
export function searchText(text: string): string {
  const folded = fold(text.slice(0, maxFoldedLength)).replace(blanks, ' ').trim()
  return folded.slice(0, maxTermLength).trimEnd().toWellFormed()
}

/** The first text, in the order of code points, that does not begin with the prefix and comes after all that do. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`
}

/** The texts of a user, from its resource. The family name first is how many a displayName is written. */
export function userTexts(resource: JsonObject): SearchedTexts {
  const [given, family] = [givenNameOf(resource), familyNameOf(resource)]
  return {
    values: [own(resource, 'userName'), ...emailValues(resource)].map(textOf),
    names: [`${given} ${family}`, `${family} ${given}`, textOf(own(resource, 'displayName'))],
  }
}

/** The texts of a group. */
export function groupTexts({ name }: Pick<Group, 'name'>): SearchedTexts {
  return { values: [], names: [name] }
}

/** The texts of a directory. */
export function directoryTexts({ id, name, tenant }: Pick<Directory, 'id' | 'name' | 'tenant'>): SearchedTexts {
  return { values: [id], names: [name, tenant] }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The terms of texts, sorted, without duplicates. The end of a name is none where another term begins with it. */
export function termsOf({ values, names }: SearchedTexts): SearchTerm[] {
  const whole = new Set(values.slice(0, maxValues).map(searchText))
  // A displayName that is the userName or an address has no words.
  const foldedNames = new Set(names.map(searchText)).difference(whole)
  for (const name of foldedNames) whole.add(name)
  whole.delete('')
  const texts = new Set(whole)
  for (const name of foldedNames) addEnds(name, texts)
  const sorted = [...texts].sort()
  const terms: SearchTerm[] = []
  for (const [index, text] of sorted.entries()) {
    const isWhole = whole.has(text)
    if (!isWhole && sorted[index + 1]?.startsWith(text) === true) continue
    const term = isWhole ? text : `${text} `
    terms.push({ term, shared: sharedLength(term, terms.at(-1)?.term ?? '') })
  }
  return terms
}

/** Adds the ends of a name that begin at a word: `maya silva chen` is found by `silva`, `silva ch` and `chen`, too. */
function addEnds(name: string, texts: Set<string>): void {
  wordStart.lastIndex = 0
  for (let words = 0; words < maxWords; words += 1) {
    const start = wordStart.exec(name)
    if (start === null) return
    texts.add(name.slice(start.index))
  }
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

export interface ChangedTerms {
  readonly removed: readonly SearchTerm[]
  readonly written: readonly SearchTerm[]
}

/** Compares the terms of two versions of a resource; `before` is undefined when it is new. Most changes leave the texts. */
export function changedTerms(before: SearchedTexts | undefined, after: SearchedTexts): ChangedTerms {
  if (before === undefined) return { removed: [], written: termsOf(after) }
  const isSame = areSame(before.values, after.values) && areSame(before.names, after.names)
  return isSame ? { removed: [], written: [] } : differences(termsOf(before), termsOf(after))
}

function areSame(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((text, index) => text === after[index])
}

function differences(before: readonly SearchTerm[], after: readonly SearchTerm[]): ChangedTerms {
  const had = new Map(before.map(({ term, shared }) => [term, shared]))
  const has = new Set(after.map(({ term }) => term))
  return {
    removed: before.filter(({ term }) => !has.has(term)),
    written: after.filter(({ term, shared }) => had.get(term) !== shared),
  }
}
