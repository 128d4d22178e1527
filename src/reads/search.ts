import { DirectoryError } from '../directory/errors.ts'
import { SearchInput } from '../directory/inputs.ts'
import type { SearchedType, SearchHit, SearchPosition, SearchStore } from '../directory/search-store.ts'
import { searchedTypes } from '../directory/search-store.ts'
import { searchText } from '../directory/search-terms.ts'
import type { Check, Page } from './page.ts'
import { isOneOf, isText, pageTokens } from './page.ts'
import { parseQuery } from './paging.ts'

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
export type FoundPage = Page<SearchHitView>

/** Both databases have row keys of 64 bits. */
const isPlace: Check<string> = (value): value is string =>
  typeof value === 'string' && /^\d{1,19}$/.test(value) && BigInt(value) < 2n ** 63n

/** The page tokens of lists in the order of search terms. */
export const termTokens = pageTokens<SearchPosition>({
  term: isText,
  product: isText,
  type: isOneOf(searchedTypes),
  place: isPlace,
})

const defaultLimit = 20

/** The search for users, groups and directories over all directories of a scope. */
export function createSearch(store: SearchStore) {
  return {
    /** @throws DirectoryError `invalid-input` */
    async search(query: unknown): Promise<FoundPage> {
      const fields = parseQuery(SearchInput, query)
      const { q, type, pageLimit: limit = defaultLimit, pageToken, ...scope } = fields
      if (searchText(q) === '') throw blankText()
      const { hits, next } = await store.search(scope, q.trim(), {
        types: type === undefined ? searchedTypes : [type],
        after: termTokens.read(pageToken),
        limit,
      })
      return { rows: hits.map(hitView), pageToken: next && termTokens.write(next) }
    },
  }
}

function blankText(): DirectoryError {
  const message = 'q: send at least one character that is neither blank nor a comma.'
  return new DirectoryError('invalid-input', message, [{ field: 'q', message }])
}

function hitView(hit: SearchHit): SearchHitView {
  const { type, id, name, email, userName, active, directoryId, directoryName, tenant, product } = hit
  const user = { email: email ?? null, user_name: userName ?? null, active: active ?? null }
  return { type, id, name, ...user, directory_id: directoryId, directory_name: directoryName, tenant, product }
}
