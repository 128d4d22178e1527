/** How much of a wrong secret is right. All have the right length. */
export const classes = ['first byte wrong', 'half right', 'all but the last byte', 'nothing right'] as const
export type Class = (typeof classes)[number]

/** The class that the others are compared with. */
export const reference: Class = 'first byte wrong'

/** The same text as one piece: V8 keeps what was put together in pieces, and reading those takes longer. */
const whole = (text: string) => Buffer.from(text).toString()

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Any other character. */
function other(character = ''): string {
  const rest = alphabet.replace(character, '')
  return rest[Math.floor(Math.random() * rest.length)] ?? ''
}

/** A new wrong secret of each class, with any characters where it is wrong; `prefix` is what every secret of its kind begins with. */
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
