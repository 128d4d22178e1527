import { invalidFilter } from '../errors.ts'

/** A token of a filter. A `word` is an attribute, operator, keyword or bare literal; a `text` was in quotes. */
export interface Token {
  readonly kind: 'word' | 'text' | '(' | ')' | '[' | ']' | 'end'
  /** As written; for `text`, the decoded JSON string. */
  readonly text: string
  /** Position of the first character, counted from 1. */
  readonly at: number
}

const space = 0x20
const doubleQuote = 0x22
const backslash = 0x5c

/**
 * Splits a filter into tokens in one pass, without an `end` token.
 *
 * @throws ScimError `invalidFilter` for an unclosed string or one that is not valid JSON (RFC 7644 §3.4.2.2)
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let start = skipBlanks(text, 0)
  while (start < text.length) {
    const end = endOfToken(text, start)
    tokens.push(tokenBetween(text, start, end))
    start = skipBlanks(text, end)
  }
  return tokens
}

/** The index after the JSON string that starts at `start`; -1 when it is not closed. */
export function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === doubleQuote) return index + 1
    if (code === backslash) index += 1
  }
  return -1
}

function endOfToken(text: string, start: number): number {
  if (text.charCodeAt(start) === doubleQuote) return endOfString(text, start)
  if (punctuation(text.charCodeAt(start)) !== undefined) return start + 1
  let end = start + 1
  while (end < text.length && isWordPart(text.charCodeAt(end))) end += 1
  return end
}

function tokenBetween(text: string, start: number, end: number): Token {
  const at = start + 1
  if (end === -1) throw invalidFilter(at, 'a closing quote is missing')
  const code = text.charCodeAt(start)
  if (code === doubleQuote) return { kind: 'text', text: parseString(text.slice(start, end), at), at }
  return { kind: punctuation(code) ?? 'word', text: text.slice(start, end), at }
}

function parseString(literal: string, at: number): string {
  if (isPlain(literal)) return literal.slice(1, -1)
  const text = parseLiteral(literal)
  if (text?.isWellFormed()) return text
  throw invalidFilter(at, 'the text in quotes is not a valid JSON string')
}

function parseLiteral(literal: string): string | undefined {
  try {
    return String(JSON.parse(literal))
  } catch {
    return undefined
  }
}

/** Returns whether a string can be used as it is: no escapes and no control characters, which JSON requires to be escaped. */
function isPlain(literal: string): boolean {
  for (let index = 1; index < literal.length; index += 1) {
    const code = literal.charCodeAt(index)
    if (code < space || code === backslash) return false
  }
  return true
}

function skipBlanks(text: string, start: number): number {
  let index = start
  while (index < text.length && isBlank(text.charCodeAt(index))) index += 1
  return index
}

/** The space and all control characters; hand-written filters contain tabs and line breaks. */
function isBlank(code: number): boolean {
  return code <= space
}

function isWordPart(code: number): boolean {
  return code > space && code !== doubleQuote && punctuation(code) === undefined
}

function punctuation(code: number): '(' | ')' | '[' | ']' | undefined {
  if (code === 0x28) return '('
  if (code === 0x29) return ')'
  if (code === 0x5b) return '['
  return code === 0x5d ? ']' : undefined
}
