import { plainText } from '../../directory/audit.ts'

/** The texts of a person whose name is erased. */
export interface ErasedTerms {
  /** Names, addresses and ids of the person; upper and lower case are the same. */
  readonly terms: readonly string[]
  /** Entries about other tenants and products are left alone; those about none are not. */
  readonly tenant: string
  readonly product: string
}

const wordCharacter = /[\p{L}\p{N}]/u
const addressCharacter = /[\p{L}\p{N}._%+-]/u

/**
 * Whether a text contains one of the terms, not as a part of a longer word or of another person's address: `ann` is in
 * `Ann Lee`, not in `planned`; `lee@acme.example` is not in `ann.lee@acme.example`.
 */
export function createTermSearch(terms: readonly string[]): (text: string) => boolean {
  const searched = [...new Set(terms.map((term) => folded(plainText(term, term.length + 1)).trim()))].filter(Boolean)
  return (text) => readings(text).some((reading) => searched.some((term) => containsTerm(reading, term)))
}

function containsTerm(text: string, term: string): boolean {
  const before = term.includes('@') ? addressCharacter : wordCharacter
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) {
    const [previous = '', next = ''] = [lastCharacter(text.slice(0, at)), nextCharacter(text, at + term.length)]
    if (!before.test(previous) && !wordCharacter.test(next)) return true
  }
  return false
}

function lastCharacter(text: string): string | undefined {
  return [...text.slice(-2)].at(-1)
}

function nextCharacter(text: string, at: number): string | undefined {
  return [...text.slice(at, at + 2)].at(0)
}

/** The text, and what it says in a URL and in JSON. */
function readings(text: string): string[] {
  const values = jsonTexts(text) ?? [text]
  return values.flatMap((value) => [folded(value), ...(value.includes('%') ? [folded(decodedUrl(value))] : [])])
}

/** The keys and texts in a JSON text, however deep; undefined if it is none. */
function jsonTexts(text: string): string[] | undefined {
  try {
    const texts: string[] = []
    JSON.parse(text, (key, value: unknown) => {
      texts.push(key, String(value))
    })
    return texts
  } catch {
    return undefined
  }
}

function decodedUrl(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
