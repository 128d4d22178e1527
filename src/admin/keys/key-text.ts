import { hash } from 'node:crypto'
import { newSecret } from '../../directory/secret.ts'

const keyForm = /^rck_[\w-]{43}$/
const prefixLength = 12

/** `rck_` and 32 random bytes. */
export function newApiKey(): string {
  return `rck_${newSecret()}`
}

/** Any text without this form is rejected without a database lookup. */
export function hasKeyForm(text: string): boolean {
  return keyForm.test(text)
}

/** The part of a key that is shown to distinguish keys: 48 of its 256 bits. */
export function keyPrefix(key: string): string {
  return key.slice(0, prefixLength)
}

/**
 * The stored hash of a key, SHA-256 in hexadecimal. It needs no salt and no slow hash: 256 random bits cannot be
 * guessed, and keys are looked up by it.
 */
export function digestKey(key: string): string {
  return hash('sha256', key, 'hex')
}
