const beyondAscii = /[\u0080-\uffff]/
const fullOrHalfWidth = /[\u3000\uff01-\uffee]+/g

/**
 * The form in which text is compared, indexed and looked up when it is not case-exact (RFC 7643 §2.2): equal values
 * fold to the same text. Filters, PATCH and every store use this function. Width, case and composition are mapped as in
 * the profile for user names (RFC 7644 §5, RFC 8265 §3.3).
 */
export function fold(text: string): string {
  return beyondAscii.test(text) ? foldUnicode(text) : text.toLowerCase()
}

/** Final sigma is the same letter as sigma. */
function foldUnicode(text: string): string {
  const lower = text
    .replace(fullOrHalfWidth, (run) => run.normalize('NFKC'))
    .toLowerCase()
    .replace(/ς/g, 'σ')
  return normalized(lower, 'NFC')
}

/** More marks on one character than any language has (UAX #15 §13, Stream-Safe Text Format). */
// Linear: a match has at most 30 characters.
const manyMarks = /(?:(?!\u034f)\p{M}){30}(?!\u034f)/gu

/**
 * A normalization form of a text, in a time that grows linearly with its length: normalizing sorts the marks on a character, which
 * takes minutes for a hundred thousand of them. A joiner ends each thirty.
 */
export function normalized(text: string, form: 'NFC' | 'NFKC'): string {
  return text.replace(manyMarks, '$&\u034f').normalize(form)
}
