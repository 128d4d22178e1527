import { invalidFilter } from '../errors.ts'

/** A piece of a filter. A `word` is an attribute, an operator, a keyword or a bare literal; `text` was in quotes. */
export interface Token {
  readonly kind: 'word' | 'text' | '(' | ')' | '[' | ']' | 'end'
  /** What was written; for `text` the string that the JSON literal stands for. */
  readonly text: string
  /** The position of its first character, counted from 1. */
  readonly at: number
}

const space = 0x20
const doubleQuote = 0x22
const backslash = 0x5c

/**
 * Splits a filter into tokens, in one pass over its characters. The one of kind `end` is for the reader to add.
 *
 * @throws ScimError `invalidFilter` when a string is not closed or is not a JSON string (RFC 7644 §3.4.2.2)
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

/**
 * The index behind the JSON string that begins at `start`; -1 when it is not closed. Nothing inside the string counts,
 * be it a bracket or an escaped quote.
 */
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
  if (end === -1) throw invalidFilter(at, 'the string is not closed')
  const code = text.charCodeAt(start)
  if (code === doubleQuote) return { kind: 'text', text: parseString(text.slice(start, end), at), at }
  return { kind: punctuation(code) ?? 'word', text: text.slice(start, end), at }
}

function parseString(literal: string, at: number): string {
  if (isPlain(literal)) return literal.slice(1, -1)
  try {
    return String(JSON.parse(literal))
  } catch {
    throw invalidFilter(at, 'the text between the quotes is not a JSON string')
  }
}

/** Whether a string has no escape, and no control character, which must be one. */
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

/** Blanks are the space and the control characters below it: tabs and line ends come with hand-written filters. */
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
