/** Longest values that are kept, in characters; what is looked up later fits the indexes of both databases. */
const maxShortLength = 512
const maxLongLength = 4_096
const maxIdLength = 256

/** Control characters that no database or page needs; tabs and line breaks stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** A text as it can be stored, cut at its limit; undefined when it is absent, empty or no text. */
export function shortText(value: unknown): string | undefined {
  return cleanText(value, maxShortLength)
}

/** Like `shortText`, for what may have several lines. */
export function longText(value: unknown): string | undefined {
  return cleanText(value, maxLongLength)
}

function cleanText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = cut(value.replace(controls, '').toWellFormed(), maxLength)
  return text === '' ? undefined : text
}

/** Never cuts through the middle of a character of two code units. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const last = text.charCodeAt(maxLength - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength)
}

/** An id as Google gives it; undefined when it is none: an id is never mended. */
export function idText(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxIdLength && /^[\x21-\x7e]+$/.test(value) ? value : undefined
}

/** An e-mail address; undefined when it is none or too long: an address is never cut. */
export function emailText(value: unknown): string | undefined {
  const isFit = typeof value === 'string' && value.length <= maxShortLength && value.isWellFormed()
  return isFit && /^[^\s\p{Cc}]+@[^\s\p{Cc}]+$/u.test(value) ? value : undefined
}
