import type { Literal } from './ast.ts'
import type { WrittenLiteral } from './comparison.ts'
import type { Cursor } from './cursor.ts'
import { peek, unexpected } from './cursor.ts'

const number = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i

/** Takes a literal: a JSON string or number, or true, false or null in any letter case. */
export function takeLiteral(cursor: Cursor): WrittenLiteral {
  const token = peek(cursor)
  cursor.next += 1
  if (token.kind === 'text') return { value: token.text, at: token.at }
  const value = token.kind === 'word' ? bareLiteral(token.text) : undefined
  if (value === undefined) throw unexpected(token, 'a value such as "text" or true')
  return { value, at: token.at }
}

function bareLiteral(word: string): Literal | undefined {
  const folded = word.toLowerCase()
  if (folded === 'true') return true
  if (folded === 'false') return false
  if (folded === 'null') return null
  return number.test(word) ? Number(word) : undefined
}
