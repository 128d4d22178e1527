/** A SCIM attribute path that may be meant, with what is known about it in the directory. */
export interface SuggestedPath {
  readonly path: string
  /** How many users have it. */
  readonly users?: number
  readonly examples?: readonly string[]
}

/** Paths that most identity providers send, for a mapping that belongs to no directory. */
export const commonPaths: readonly SuggestedPath[] = [
  'userName',
  'displayName',
  'name.givenName',
  'name.familyName',
  'emails[type eq "work"].value',
  'title',
  'userType',
  'preferredLanguage',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:division',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:organization',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:costCenter',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value',
].map((path) => ({ path }))

const maxShown = 8

/** The paths that contain a text, in any letter case; those that begin with it, also behind a colon, come first. */
export function pathsFor(text: string, paths: readonly SuggestedPath[]): readonly SuggestedPath[] {
  const wanted = text.trim().toLowerCase()
  const found = paths.flatMap((one) => {
    const path = one.path.toLowerCase()
    if (!path.includes(wanted) || path === wanted) return []
    return [{ one, rank: path.startsWith(wanted) || path.includes(`:${wanted}`) ? 0 : 1 }]
  })
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxShown)
    .map(({ one }) => one)
}

/** The word of a filter that ends at the caret. */
export function wordBefore(filter: string, caret: number): string {
  return /[\w$:.-]{0,300}$/.exec(filter.slice(0, caret))?.[0] ?? ''
}

/** The filter with a path in place of the word that ends at the caret. */
export function withPath(filter: string, caret: number, path: string): string {
  const start = caret - wordBefore(filter, caret).length
  const rest = filter.slice(caret)
  return `${filter.slice(0, start)}${path}${rest.startsWith(' ') ? '' : ' '}${rest}`
}
