const beyondAscii = /[\u0080-\uffff]/
const fullOrHalfWidth = /[\u3000\uff01-\uffee]/g

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
  return text
    .replace(fullOrHalfWidth, (character) => character.normalize('NFKC'))
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC')
}
