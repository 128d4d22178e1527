import { hash } from 'node:crypto'
import type { SearchedType } from '../directory/search-store.ts'
import { searchedTypes } from '../directory/search-store.ts'
import type { SearchTerm } from '../directory/search-terms.ts'
import { directoryTexts, groupTexts, termsOf, userTexts } from '../directory/search-terms.ts'
import { fromJsonText } from '../scim/json-text.ts'
import { decodeGroup } from './groups.ts'
import type { Row } from './row.ts'
import { integer, jsonText, oneOf, text } from './row.ts'

/**
 * The number of the list that has the terms of one kind in all directories of a product: a hash, so that no table must give numbers.
 * Should two lists ever have the same number, a search leaves out what belongs to the other product.
 */
export function listNumber(product: string, kind: SearchedType): number {
  return hash('sha256', `${kind} ${product}`, 'buffer').readUIntBE(0, 6)
}

/** A user, group or directory with its terms. */
export interface OwnedTerms {
  readonly id: string
  readonly terms: readonly SearchTerm[]
}

/** A stored user or group, with its place in lists, or a directory, whose sequence is 0. */
export interface StoredOwner extends OwnedTerms {
  readonly sequence: number
}

/** How far the terms of a directory are written that was created by a version without search. */
export interface SearchFill {
  readonly directoryId: string
  readonly product: string
  /** What is next; the kinds have the order directory, user, group. */
  readonly kind: SearchedType
  readonly afterSequence: number
}

const ofDirectory = (column: string) => `(select d.${column} from directories d where d.id = f.directory_id)`

/** The next directory whose terms are to be written. */
export const nextFill = `
  select f.directory_id, f.kind, f.after_sequence, ${ofDirectory('product')} as product, ${ofDirectory('name')} as name,
    ${ofDirectory('tenant')} as tenant
  from search_fills f where ${ofDirectory('deleted')} = 0 order by f.directory_id limit 1`

/** Decodes a row of `nextFill`. */
export function decodeFill(row: Row): SearchFill {
  return {
    directoryId: text(row, 'directory_id'),
    product: text(row, 'product'),
    kind: oneOf(row, 'kind', searchedTypes),
    afterSequence: integer(row, 'after_sequence'),
  }
}

/** The resources that are read in one step: the first in any case, and the one that exceeds the size, too. */
export const termStep = { rows: 100, bytes: 250_000 } as const

/** Decodes users or groups, read with all of their columns. */
export function decodeOwners(kind: 'user' | 'group', rows: readonly Row[]): StoredOwner[] {
  return rows.map((row) => {
    const id = text(row, 'id')
    const texts = kind === 'user' ? userTexts(id, fromJsonText(jsonText(row, 'raw'))) : groupTexts(decodeGroup(row))
    return { id, sequence: integer(row, 'sequence'), terms: termsOf(texts) }
  })
}

/** Decodes the directory of a row of `nextFill`. */
export function decodeDirectoryOwner(row: Row): StoredOwner {
  const id = text(row, 'directory_id')
  const texts = directoryTexts({ id, name: text(row, 'name'), tenant: text(row, 'tenant') })
  return { id, sequence: 0, terms: termsOf(texts) }
}

/** What follows a step that wrote the terms of these rows; undefined when everything is written. */
export function fillAfter({ kind, ...fill }: SearchFill, rows: readonly Row[]): SearchFill | undefined {
  if (kind === 'directory') return { ...fill, kind: 'user', afterSequence: 0 }
  const last = rows.at(-1)
  if (last !== undefined) return { ...fill, kind, afterSequence: integer(last, 'sequence') }
  return kind === 'user' ? { ...fill, kind: 'group', afterSequence: 0 } : undefined
}
