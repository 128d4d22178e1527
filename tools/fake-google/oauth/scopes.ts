/** The prefix of Google's scopes. They are names, not URLs to request. */
export const scopePrefix = 'https://www.googleapis.com/auth/'

/** The scopes that a sync needs. */
export const directoryScopes: readonly string[] = [
  `${scopePrefix}admin.directory.user.readonly`,
  `${scopePrefix}admin.directory.group.readonly`,
  `${scopePrefix}admin.directory.group.member.readonly`,
]

const others = ['openid', 'email', 'profile']

/** Parses the scopes of a request without duplicates; undefined if there are none or one is unknown. */
export function readScopes(text: string | null): string[] | undefined {
  const scopes = [...new Set((text ?? '').split(' ').filter((scope) => scope !== ''))]
  const areKnown = scopes.every((scope) => scope.startsWith(scopePrefix) || others.includes(scope))
  return scopes.length > 0 && areKnown ? scopes : undefined
}

/** Formats scopes for a response, in an order other than the requested one, as Google does. */
export function scopeText(scopes: Iterable<string>): string {
  return [...scopes].reverse().join(' ')
}
