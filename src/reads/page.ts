import { DirectoryError } from '../directory/errors.ts'
import type { JsonBody, JsonItems } from '../scim/json-list.ts'

/** A page of a list, or all of it. */
export interface Page<T, Rows extends readonly T[] | AsyncIterable<readonly T[]> = readonly T[]> {
  readonly rows: Rows
  /** The token of the next page; undefined at the end of the list. */
  readonly pageToken?: string | undefined
  /** The number of rows, where they are read later and their number is known. */
  readonly count?: number
  /** The number of rows of the whole list, where it was asked for. */
  readonly total?: number | undefined
}

/** A list on its way to the caller: its rows as JSON. */
export type Listing = Page<JsonBody, JsonItems>

/** Checks a value that comes from outside. */
export type Check<T> = (value: unknown) => value is T

/** Checks that a field is a text. Neither database stores the NUL character. */
export const isText: Check<string> = (value): value is string => typeof value === 'string' && !value.includes('\0')
export const isWhole: Check<number> = (value): value is number => Number.isSafeInteger(value)

/** Checks that a field is a whole number in a range. */
export const isBetween =
  (least: number, most: number): Check<number> =>
  (value): value is number =>
    isWhole(value) && value >= least && value <= most

/** Checks that a field is one of these values. */
export const isOneOf =
  <T extends string>(values: readonly T[]): Check<T> =>
  (value): value is T =>
    values.some((one) => one === value)

/** Checks that a field has one of two types. */
export const isEither =
  <A, B>(isFirst: Check<A>, isSecond: Check<B>): Check<A | B> =>
  (value): value is A | B =>
    isFirst(value) || isSecond(value)

/** The page tokens of a list: they are opaque to the caller, and hold the position after which the next page begins. */
export interface PageTokens<P> {
  /** Writes the token of a position, which may have further fields. */
  write(position: P): string
  /**
   * Reads the position in a token; undefined without one.
   *
   * @throws DirectoryError `invalid-input` when the text is not a token of this list
   */
  read<T extends string | undefined>(token: T): P | (undefined & T)
}

/**
 * Makes the page tokens of a list. A token holds nothing but a position, as JSON, and each page is read in the scope of its
 * own request: a token of another directory does not lead there.
 */
export function pageTokens<P extends object>(
  checks: { readonly [Field in keyof P]-?: Check<P[Field]> },
): PageTokens<P> {
  const fields = Object.entries<Check<unknown>>(checks)
  return {
    write: (position) => {
      const values = new Map<string, unknown>(Object.entries(position))
      return Buffer.from(JSON.stringify(fields.map(([field]) => values.get(field)))).toString('base64url')
    },
    read(token) {
      if (token === undefined) return token as undefined & typeof token
      const values = parseJson(Buffer.from(token, 'base64url').toString())
      const isPosition =
        Array.isArray(values) &&
        values.length === fields.length &&
        fields.every(([, isValid], index) => isValid(values[index]))
      if (!isPosition) throw tokenRefused()
      return Object.fromEntries(fields.map(([field], index) => [field, values[index]])) as P
    },
  }
}

/** The page tokens of lists in the order in which their rows were created. */
export const creationTokens = pageTokens<CreationPosition>({ createdAt: isWhole, id: isText })

export interface CreationPosition {
  readonly createdAt: number
  readonly id: string
}

function tokenRefused(): DirectoryError {
  const message = 'pageToken: send the pageToken of the previous response, unchanged.'
  return new DirectoryError('invalid-input', message, [{ field: 'pageToken', message }])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Makes a page of rows that were read with one more than its limit, which shows whether another page follows.
 *
 * @param tokenOf the token of the page after a row
 */
export function pageOf<T>(found: readonly T[], limit: number, tokenOf: (last: T) => string): Page<T> {
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, pageToken: last && tokenOf(last) }
}
