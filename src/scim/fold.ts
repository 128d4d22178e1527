const beyondAscii = /[\u0080-\uffff]/

/**
 * The form in which text that is not case-exact is compared, indexed and looked up (RFC 7643 §2.2): two spellings are
 * the same value when they fold to the same text. One function for filters, PATCH and every store.
 */
export function fold(text: string): string {
  return beyondAscii.test(text) ? text.normalize('NFC').toLowerCase() : text.toLowerCase()
}
