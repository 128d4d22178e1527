import { hash } from 'node:crypto'
import { newSecret } from '../../directory/secret.ts'

const keyForm = /^rck_[\w-]{43}$/
const prefixLength = 12

/** A new key: `rck_` and 32 random bytes. */
export function newApiKey(): string {
  return `rck_${newSecret()}`
}

/** Whether a text has the form of a key that was made here: nothing else is worth a look into the database. */
export function hasKeyForm(text: string): boolean {
  return keyForm.test(text)
}

/** What is shown of a key to tell it from others: 48 of its 256 bits. */
export function keyPrefix(key: string): string {
  return key.slice(0, prefixLength)
}

/**
 * What is stored of a key: its SHA-256, in hexadecimal. A slow hash with a salt protects what people think up, which can
 * be guessed; nobody guesses 256 random bits, and a key must be found by its hash.
 */
export function digestKey(key: string): string {
  return hash('sha256', key, 'hex')
}
