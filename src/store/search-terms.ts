import { crc32 } from 'node:zlib'
import type { SearchedType } from '../directory/search-store.ts'
import type { SearchTerm } from '../directory/search-terms.ts'
import { groupTexts, termsOf, userTexts } from '../directory/search-terms.ts'
import { fromJsonText } from '../scim/json-text.ts'
import { decodeGroup } from './groups.ts'
import type { Row } from './row.ts'
import { integer, jsonText, text } from './row.ts'

/**
 * The number of the list that has the terms of one kind in all directories of a product: a checksum, so that no table must give numbers.
 * Should two lists ever have the same number, a search leaves out what belongs to the other product.
 */
export function listNumber(product: string, kind: SearchedType): number {
  return crc32(`${kind} ${product}`)
}

/**
 * The bits of a row key of search terms that are the sequence number of the row, 0 for the directory itself; before them is the directory's
 * number. SQLite returns numbers up to 2⁵³.
 */
export const sequenceBits = 33

/** The terms of a stored user or group, with its place in lists. */
interface OwnedTerms {
  readonly id: string
  readonly sequence: number
  readonly terms: readonly SearchTerm[]
}

/** The resources that are read in one step: the first in any case, and the one that exceeds the size, too. */
export const termStep = { rows: 100, bytes: 250_000 } as const

/** Decodes users or groups, read with all of their columns. */
export function decodeOwners(kind: 'user' | 'group', rows: readonly Row[]): OwnedTerms[] {
  return rows.map((row) => {
    const texts = kind === 'user' ? userTexts(fromJsonText(jsonText(row, 'raw'))) : groupTexts(decodeGroup(row))
    return { id: text(row, 'id'), sequence: integer(row, 'sequence'), terms: termsOf(texts) }
  })
}
