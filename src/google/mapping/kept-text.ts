import { maxIndexedLength } from '../../directory/limits.ts'

/** What both databases keep as it is: no NUL, no halves of surrogate pairs; undefined when nothing is left. */
function cleaned(value: string | undefined): string | undefined {
  const text = value?.replaceAll('\0', '').toWellFormed()
  return text === '' ? undefined : text
}

/** A text for people, cut where it is longer than we keep; undefined when there is none. */
export function keptText(value: string | undefined, maxLength: number = maxIndexedLength): string | undefined {
  const text = cleaned(value)
  if (text === undefined || text.length <= maxLength) return text
  const isSplit = (text.codePointAt(maxLength - 1) ?? 0) > 0xffff
  return text.slice(0, isSplit ? maxLength - 1 : maxLength)
}

/** A value that means something only as a whole, such as an address: undefined when it is longer than we keep. */
export function wholeText(value: string | undefined): string | undefined {
  const text = cleaned(value)
  return text === undefined || text.length > maxIndexedLength ? undefined : text
}
