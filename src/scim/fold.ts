const beyondAscii = /[\u0080-\uffff]/
const fullOrHalfWidth = /[\u3000\uff01-\uffee]/g

/**
 * The form in which text that is not case-exact is compared, indexed and looked up (RFC 7643 §2.2): two spellings are
 * the same value when they fold to the same text. One function for filters, PATCH and every store. Width, case and
 * composition are mapped as the profile for user names asks (RFC 7644 §5, RFC 8265 §3.3).
 */
export function fold(text: string): string {
  return beyondAscii.test(text) ? foldUnicode(text) : text.toLowerCase()
}

/** The sigma at the end of a word is the same letter as within it. */
function foldUnicode(text: string): string {
  return text
    .replace(fullOrHalfWidth, (character) => character.normalize('NFKC'))
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC')
}
