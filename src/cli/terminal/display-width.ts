import { stripVTControlCharacters } from 'node:util'

/** Code points that a terminal draws two columns wide: Hangul, CJK, kana, full-width forms, emoji. */
const wide = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
] as const

const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u

/** How many columns of a terminal a text takes; colour codes take none. */
export function displayWidth(text: string): number {
  let columns = 0
  for (const character of stripVTControlCharacters(text)) columns += characterWidth(character)
  return columns
}

/** The text, cut to so many columns; what was cut shows as an ellipsis. The text holds no colour codes. */
export function fitToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let kept = ''
  let used = 0
  for (const character of text) {
    used += characterWidth(character)
    if (used > columns - 1) break
    kept += character
  }
  return `${kept}…`
}

/** The text followed by as many blanks as fill the columns. */
export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)))
}

function characterWidth(character: string): number {
  if (zeroWidth.test(character)) return 0
  const codePoint = character.codePointAt(0) ?? 0
  return wide.some(([first, last]) => codePoint >= first && codePoint <= last) ? 2 : 1
}
