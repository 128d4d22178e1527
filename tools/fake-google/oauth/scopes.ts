/** How Google's scopes begin. They are names, not addresses. */
export const scopePrefix = 'https://www.googleapis.com/auth/'

/** What a directory is read with. */
export const directoryScopes: readonly string[] = [
  `${scopePrefix}admin.directory.user.readonly`,
  `${scopePrefix}admin.directory.group.readonly`,
  `${scopePrefix}admin.directory.group.member.readonly`,
]

const others = ['openid', 'email', 'profile']

/** The scopes of a request, each once; undefined when there is none, or one that Google does not have. */
export function readScopes(text: string | null): string[] | undefined {
  const scopes = [...new Set((text ?? '').split(' ').filter((scope) => scope !== ''))]
  const areKnown = scopes.every((scope) => scope.startsWith(scopePrefix) || others.includes(scope))
  return scopes.length > 0 && areKnown ? scopes : undefined
}

/** Scopes as an answer names them: not in the order in which they were asked for. */
export function scopeText(scopes: Iterable<string>): string {
  return [...scopes].reverse().join(' ')
}
