import { DirectoryError } from '../directory/errors.ts'
import { parseInput, SearchInput } from '../directory/inputs.ts'
import type { SearchedType, SearchHit, SearchPosition, SearchStore } from '../directory/search-store.ts'
import { searchedTypes } from '../directory/search-store.ts'
import { searchText } from '../directory/search-terms.ts'
import { isObject } from '../scim/json.ts'
import { readPageToken, writePageToken } from './page-token.ts'
import { withNumbers } from './paging.ts'

/** A user, group or directory that was found, as the API returns it. */
export interface SearchHitView {
  readonly type: SearchedType
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly user_name: string | null
  readonly active: boolean | null
  readonly directory_id: string
  readonly directory_name: string
  readonly tenant: string
  readonly product: string
}

/** A page of what was found. It may be short, or empty, and have a token nevertheless. */
export interface FoundPage {
  readonly data: readonly SearchHitView[]
  readonly pageToken: string | undefined
}

const defaultLimit = 20

/** The search for users, groups and directories over all directories of a scope. */
export function createSearch(store: SearchStore) {
  return {
    /** @throws DirectoryError `invalid-input` */
    async search(query: unknown): Promise<FoundPage> {
      const fields = parseInput(SearchInput, withNumbers(query))
      const { q, type, pageLimit: limit = defaultLimit, pageToken, ...scope } = fields
      if (searchText(q) === '') throw blankText()
      const { hits, next } = await store.search(scope, q, {
        types: type === undefined ? searchedTypes : [type],
        after: pageToken === undefined ? undefined : positionIn(pageToken),
        limit,
      })
      return { data: hits.map(hitView), pageToken: next && tokenOf(next) }
    },
  }
}

function blankText(): DirectoryError {
  const message = 'q: send at least one character that is not blank.'
  return new DirectoryError('invalid-input', message, [{ field: 'q', message }])
}

function hitView(hit: SearchHit): SearchHitView {
  const { type, id, name, email, userName, active, directoryId, directoryName, tenant, product } = hit
  const user = { email: email ?? null, user_name: userName ?? null, active: active ?? null }
  return { type, id, name, ...user, directory_id: directoryId, directory_name: directoryName, tenant, product }
}

function tokenOf({ term, product, type, place }: SearchPosition): string {
  return writePageToken([term, product, type, place])
}

function positionIn(token: string): SearchPosition {
  const [term, product, type, place] = readPageToken(token, isStoredPosition)
  return { term, product, type, place }
}

type StoredPosition = readonly [term: string, product: string, type: SearchedType, place: string]

function isStoredPosition(value: unknown): value is StoredPosition {
  if (!Array.isArray(value) || value.length !== 4 || !isPlace(value[3])) return false
  const isText = (part: unknown) => typeof part === 'string' && !part.includes('\0')
  return value.every(isText) && searchedTypes.some((type) => type === value[2])
}

/** Whether a value, from outside, is the place of a term. */
export function isSearchPosition(value: unknown): value is SearchPosition {
  if (!isObject(value)) return false
  const { term, product, type, place } = value
  return isStoredPosition([term, product, type, place])
}

/** Both databases have row keys of 64 bits. */
function isPlace(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,19}$/.test(value) && BigInt(value) < 2n ** 63n
}
