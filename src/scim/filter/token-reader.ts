import { invalidFilter, quote } from '../errors.ts'
import { filterLimits } from '../limits.ts'
import type { Literal } from './ast.ts'
import type { LiteralToken } from './comparison.ts'
import type { Token } from './tokenize.ts'
import { tokenize } from './tokenize.ts'

/** Where the parser is in a filter, and how much of its limits is used. */
export interface TokenReader {
  readonly tokens: readonly Token[]
  /** What comes when there are no more. */
  readonly end: Token
  /** The index of the token that comes next. */
  next: number
  depth: number
  terms: number
}

/** Begins to read a filter. */
export function createTokenReader(text: string): TokenReader {
  if (text.length > filterLimits.length) {
    throw invalidFilter(filterLimits.length + 1, `it is longer than ${filterLimits.length} characters`)
  }
  const end: Token = { kind: 'end', text: '', at: text.length + 1 }
  return { tokens: tokenize(text), end, next: 0, depth: 0, terms: 0 }
}

/** The token that comes next, which stays. */
export function peek({ tokens, end, next }: TokenReader): Token {
  return tokens[next] ?? end
}

/** Takes the token that comes next, which must be of that kind. @param expected its name in the message */
export function take(cursor: TokenReader, kind: Token['kind'], expected: string): Token {
  const token = peek(cursor)
  if (token.kind !== kind) throw unexpected(token, expected)
  cursor.next += 1
  return token
}

/** Takes the token that comes next if it is that keyword; answers whether it was. */
export function takeKeyword(cursor: TokenReader, keyword: 'and' | 'or' | 'not'): boolean {
  const { kind, text } = peek(cursor)
  if (kind !== 'word' || text.length !== keyword.length || text.toLowerCase() !== keyword) return false
  cursor.next += 1
  return true
}

/** Counts a comparison. */
export function countTerm(cursor: TokenReader, at: number): void {
  cursor.terms += 1
  if (cursor.terms > filterLimits.terms) throw invalidFilter(at, `it has more than ${filterLimits.terms} terms`)
}

/** Reads what is between parentheses or brackets, one level deeper. */
export function nested<T>(cursor: TokenReader, at: number, read: () => T): T {
  cursor.depth += 1
  const { depth } = filterLimits
  if (cursor.depth > depth) throw invalidFilter(at, `it is nested deeper than ${depth} levels`)
  const inner = read()
  cursor.depth -= 1
  return inner
}

/** The refusal of a token that stands where something else was expected. */
export function unexpected({ kind, text, at }: Token, expected: string): Error {
  return invalidFilter(at, `${kind === 'end' ? 'it ends' : `there is ${quote(text)}`} where ${expected} was expected`)
}

const number = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i

/** Takes a literal: a JSON string or number, or true, false or null in any letter case. */
export function takeLiteral(cursor: TokenReader): LiteralToken {
  const token = peek(cursor)
  cursor.next += 1
  if (token.kind === 'text') return { value: token.text, at: token.at }
  const value = token.kind === 'word' ? parseBareLiteral(token.text) : undefined
  if (value === undefined) throw unexpected(token, 'a value such as "text" or true')
  return { value, at: token.at }
}

function parseBareLiteral(word: string): Literal | undefined {
  const folded = word.toLowerCase()
  if (folded === 'true') return true
  if (folded === 'false') return false
  if (folded === 'null') return null
  return number.test(word) ? Number(word) : undefined
}
