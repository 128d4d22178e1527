/** Neither blanks nor anything that does not show: an address ends up in logs and on pages. */
const address = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,255}$/u

/** Whether a value is an e-mail address by its form. */
export function isEmail(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 320 && address.test(value)
}
