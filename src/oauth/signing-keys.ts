import { newSecret } from '../directory/secret.ts'

/** A key that signs access tokens: random bytes in base64url. */
export interface SigningKey {
  readonly id: string
  readonly key: string
  /** The time from which it signs, in Unix milliseconds, until the next key does. */
  readonly from: number
}

/** The longest lifetime of an access token, in milliseconds; see `SCIM_ACCESS_TOKEN_TTL`. */
export const maxTokenMs = 6 * 3_600_000

/** Every process reads the keys again after this time, in milliseconds. */
export const keysReadEveryMs = 60_000

/** A new key signs after this time, in milliseconds. */
const activeAfterMs = 2 * keysReadEveryMs

/** The keys of a new service, as they are stored. */
export function newSigningKeys(): string {
  return storedKeys([newKey(0)])
}

/** Reads stored keys. */
export function parseSigningKeys(stored: string): readonly SigningKey[] {
  return JSON.parse(stored) as readonly SigningKey[]
}

/**
 * The stored keys with a new one, which replaces the current one in two minutes. The tokens of the replaced keys remain
 * valid until they expire; a key whose tokens have all expired is removed. Unchanged while a new key waits.
 */
export function rotatedSigningKeys(stored: string, now: number): string {
  const keys = parseSigningKeys(stored)
  if ((keys.at(-1)?.from ?? 0) > now) return stored
  const kept = keys.filter((_key, index) => now < endOf(keys, index))
  return storedKeys([...kept, newKey(startOfNewKey(now))])
}

/** The time from which a key signs that is created now, in Unix milliseconds: all processes know it by then. */
export function startOfNewKey(now: number): number {
  return now + activeAfterMs
}

/** The key that signs now. */
export function currentKey<Key extends Pick<SigningKey, 'from'>>(keys: readonly Key[], now: number): Key {
  const key = keys.findLast(({ from }) => from <= now)
  if (key === undefined) throw new Error('There is no key that signs now.')
  return key
}

/** The key with an id, for a token that expires at a time; undefined if it did not sign such tokens. */
export function keyFor(keys: readonly SigningKey[], id: string, expiresAt: number): SigningKey | undefined {
  const index = keys.findIndex((key) => key.id === id)
  return expiresAt <= endOf(keys, index) ? keys[index] : undefined
}

/** The time when the last token of a key expires, in Unix milliseconds. */
function endOf(keys: readonly SigningKey[], index: number): number {
  const next = keys[index + 1]
  return next === undefined ? Number.POSITIVE_INFINITY : next.from + maxTokenMs
}

function newKey(from: number): SigningKey {
  return { id: newSecret().slice(0, 8), key: newSecret(), from }
}

function storedKeys(keys: readonly SigningKey[]): string {
  return JSON.stringify(keys)
}
