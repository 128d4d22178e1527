import { DirectoryError } from '../directory/errors.ts'
import type { ListPosition, NameListRow, NamePart } from '../directory/list.ts'
import { fold } from '../scim/fold.ts'
import type { JsonItems } from '../scim/json-list.ts'
import type { Listing } from './listing.ts'
import { readPageToken, writePageToken } from './page-token.ts'
import type { Paging } from './paging.ts'

/** The rows of a directory in the order of folded names. */
export interface NameSource<T> {
  listByName(part: NamePart): Promise<readonly NameListRow<T>[]>
  jsonOf(rows: readonly T[]): JsonItems
}

const defaultLimit = 100

/**
 * A page of the rows whose name begins with a text, in the order of names: it begins where the text would be and ends
 * before the first name without that prefix.
 *
 * @throws DirectoryError `invalid-input`
 */
export async function searchByName<T>(
  { listByName, jsonOf }: NameSource<T>,
  search: string,
  paging: Paging,
): Promise<Listing> {
  const prefix = fold(search)
  const { limit } = paging ?? { limit: defaultLimit }
  const found = await listByName({ from: startOf(prefix, paging), limit: limit + 1, isDescending: false })
  const matching = found.filter(({ position }) => position.name.startsWith(prefix))
  const last = matching.length > limit ? matching[limit - 1] : undefined
  const rows = matching.slice(0, limit).map(({ item }) => item)
  return {
    rows: jsonOf(rows),
    count: rows.length,
    pageToken: last && writePageToken([last.position.name, last.position.sequence]),
  }
}

/** @throws DirectoryError `invalid-input` */
function startOf(prefix: string, paging: Paging): Required<ListPosition> {
  if (paging !== undefined && 'offset' in paging && paging.offset > 0) {
    throw new DirectoryError(
      'invalid-input',
      'pageOffset: with search, continue with the pageToken of the previous page.',
    )
  }
  const [name, sequence] =
    paging !== undefined && 'token' in paging ? readPageToken(paging.token, isPosition) : ([prefix, 0] as const)
  // A token of another search cannot reach names outside this one.
  return { name: name < prefix ? prefix : name, sequence, id: '' }
}

function isPosition(value: unknown): value is readonly [name: string, sequence: number] {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [name, sequence]: unknown[] = value
  return typeof name === 'string' && Number.isSafeInteger(sequence)
}
