import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ListPart, ListPosition, ListRow } from '../../directory/list.ts'
import { listStart } from '../../directory/list.ts'
import { GoogleFailure, isFailure } from '../client/failure.ts'
import type { GooglePage } from '../client/items.ts'

/** A list with more empty pages in a row than this never ends. */
const maxEmptyPages = 1000

/**
 * The pages of a Google list. If a page token expires, the list is read from the beginning, once; items may then repeat.
 *
 * @throws GoogleFailure
 */
export async function* googlePages<T>(
  list: (pageToken?: string) => Promise<GooglePage<T>>,
  signal: AbortSignal,
): AsyncGenerator<readonly T[], void, undefined> {
  let token: string | undefined
  let isRestarted = false
  let emptyPages = 0
  for (;;) {
    signal.throwIfAborted()
    const page = await pageOrStale(list, token)
    if (page === 'stale') {
      if (isRestarted) throw new GoogleFailure('stale-page', 'The page token of a Google list expired twice.')
      isRestarted = true
      emptyPages = 0
      token = undefined
      continue
    }
    yield page.items
    if (page.nextPageToken === undefined) return
    if (page.nextPageToken === token) {
      throw new GoogleFailure('unavailable', 'Google returned the same page of a list twice.')
    }
    emptyPages = page.items.length > 0 ? 0 : emptyPages + 1
    if (emptyPages > maxEmptyPages) throw new GoogleFailure('unavailable', 'A Google list does not end.')
    token = page.nextPageToken
  }
}

async function pageOrStale<T>(
  list: (pageToken?: string) => Promise<GooglePage<T>>,
  token: string | undefined,
): Promise<GooglePage<T> | 'stale'> {
  try {
    return await list(token)
  } catch (error) {
    if (token !== undefined && isFailure(error, 'stale-page')) return 'stale'
    throw error
  }
}

const rowsPerRead = 500

/**
 * Stored rows in creation order, in batches between which the event loop runs other work. Rows may be deleted during
 * the iteration.
 */
export async function* storedPages<T>(
  list: (part: ListPart) => Promise<ListRow<T>[]>,
  signal: AbortSignal,
): AsyncGenerator<T[], void, undefined> {
  let from: ListPosition = listStart
  for (;;) {
    signal.throwIfAborted()
    const rows = await list({ from, limit: rowsPerRead })
    if (rows.length > 0) yield rows.map(({ item }) => item)
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsPerRead) return
    from = last.position
    await nextTurn()
  }
}
