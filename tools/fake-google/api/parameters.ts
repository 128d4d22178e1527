import { ApiRefusal } from './errors.ts'

/** What every endpoint takes beside its own. */
const common = ['fields', 'prettyPrint', 'quotaUser', 'alt', 'key', 'access_token', '$.xgafv']

/**
 * Refuses a parameter that the endpoint does not have.
 *
 * @throws ApiRefusal
 */
export function checkNames(query: URLSearchParams, own: readonly string[]): void {
  for (const name of query.keys()) {
    if (own.includes(name) || common.includes(name)) continue
    const message = `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter.`
    throw new ApiRefusal('bad-request', message)
  }
}

/**
 * The value of a parameter that must be one of a few; undefined when it was not sent.
 *
 * @throws ApiRefusal
 */
export function oneOf<T extends string>(query: URLSearchParams, name: string, allowed: readonly T[]): T | undefined {
  const value = query.get(name)
  if (value === null) return undefined
  const found = allowed.find((text) => text.toLowerCase() === value.toLowerCase())
  if (found === undefined) throw new ApiRefusal('invalid-input', `Invalid Input: ${name}`)
  return found
}

/** The most items of a page that can be asked for, and what happens to a greater number. */
export interface PageSizes {
  readonly usual: number
  readonly most: number
  readonly tooMany: 'refused' | 'clamped'
}

/**
 * How many items a page is to have.
 *
 * @throws ApiRefusal
 */
export function readMaxResults(query: URLSearchParams, { usual, most, tooMany }: PageSizes): number {
  const text = query.get('maxResults')
  if (text === null) return usual
  const asked = Number(text)
  const isTooMany = asked > most && tooMany === 'refused'
  if (!/^\d+$/.test(text) || asked < 1 || isTooMany) throw new ApiRefusal('invalid-input', 'Invalid Input: maxResults')
  return Math.min(asked, most)
}
