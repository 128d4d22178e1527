import { invalidFilter, quote } from '../errors.ts'
import { filterLimits } from '../limits.ts'
import type { Literal } from './ast.ts'
import type { LiteralToken } from './comparison.ts'
import type { Token } from './tokenize.ts'
import { tokenize } from './tokenize.ts'

/** The parser's position in a filter, with counters for the limits. */
export interface TokenReader {
  readonly tokens: readonly Token[]
  /** Returned after the last token. */
  readonly end: Token
  /** The index of the next token. */
  next: number
  depth: number
  terms: number
}

/**
 * Tokenizes a filter.
 *
 * @throws ScimError `invalidFilter` when it is too long
 */
export function createTokenReader(text: string): TokenReader {
  if (text.length > filterLimits.length) {
    throw invalidFilter(filterLimits.length + 1, `it is longer than ${filterLimits.length} characters`)
  }
  const end: Token = { kind: 'end', text: '', at: text.length + 1 }
  return { tokens: tokenize(text), end, next: 0, depth: 0, terms: 0 }
}

/** The next token, without consuming it. */
export function peek({ tokens, end, next }: TokenReader): Token {
  return tokens[next] ?? end
}

/**
 * Consumes the next token, which must be of that kind.
 *
 * @param expected its name in the error
 */
export function take(cursor: TokenReader, kind: Token['kind'], expected: string): Token {
  const token = peek(cursor)
  if (token.kind !== kind) throw unexpected(token, expected)
  cursor.next += 1
  return token
}

/** Consumes the next token if it is that keyword; returns whether it was. */
export function takeKeyword(cursor: TokenReader, keyword: 'and' | 'or' | 'not'): boolean {
  const { kind, text } = peek(cursor)
  if (kind !== 'word' || text.length !== keyword.length || text.toLowerCase() !== keyword) return false
  cursor.next += 1
  return true
}

/** Counts a condition towards the limit. */
export function countTerm(cursor: TokenReader, at: number): void {
  cursor.terms += 1
  if (cursor.terms > filterLimits.terms) throw invalidFilter(at, `it has more than ${filterLimits.terms} terms`)
}

/** Reads the content of parentheses or brackets, one level deeper. */
export function nested<T>(cursor: TokenReader, at: number, read: () => T): T {
  cursor.depth += 1
  const { depth } = filterLimits
  if (cursor.depth > depth) throw invalidFilter(at, `it is nested deeper than ${depth} levels`)
  const inner = read()
  cursor.depth -= 1
  return inner
}

/** The error for an unexpected token. */
export function unexpected({ kind, text, at }: Token, expected: string): Error {
  return invalidFilter(at, `${kind === 'end' ? 'it ends' : `there is ${quote(text)}`} where ${expected} was expected`)
}

const number = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i

/** Consumes a literal: a JSON string or number, or true, false or null in any letter case. */
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
