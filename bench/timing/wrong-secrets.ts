/** Classes of wrong secrets, by their right part. All have the right length. */
export const classes = ['first byte wrong', 'half right', 'all but the last byte', 'nothing right'] as const
export type Class = (typeof classes)[number]

/** The reference class. */
export const reference: Class = 'first byte wrong'

/** The same text as a flat string: V8 keeps concatenated strings as ropes, which are slower to read. */
const whole = (text: string) => Buffer.from(text).toString()

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Any other character. */
function other(character = ''): string {
  const rest = alphabet.replace(character, '')
  return rest[Math.floor(Math.random() * rest.length)] ?? ''
}

/**
 * A new wrong secret of each class, with random characters where it is wrong; `prefix` is common to all secrets of this
 * kind.
 */
export function wrongSecrets(secret: string, prefix = ''): Readonly<Record<Class, string>> {
  const own = secret.slice(prefix.length)
  const half = Math.floor(own.length / 2)
  const replaced = (text: string) => [...text].map((character) => other(character)).join('')
  return {
    'first byte wrong': whole(prefix + other(own[0]) + own.slice(1)),
    'half right': whole(prefix + own.slice(0, half) + replaced(own.slice(half))),
    'all but the last byte': whole(prefix + own.slice(0, -1) + other(own.at(-1))),
    'nothing right': whole(prefix + replaced(own)),
  }
}
