/**
 * What does not belong into a line of a log: control characters, halves of surrogate pairs (which no database keeps as they
 * are), line and paragraph separators, and what changes the direction of writing.
 */
const unfit = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A text as a log may show it: at most so many characters, nothing that could pass for another line. */
export function plainText(text: string, maxLength: number): string {
  const start = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
  return start.replaceAll(unfit, '\ufffd')
}
