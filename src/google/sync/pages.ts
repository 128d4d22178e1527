import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Listed, ListPart, ListPosition } from '../../directory/store.ts'
import { listStart } from '../../directory/store.ts'
import { GoogleFailure } from '../client/failure.ts'
import type { GooglePage } from '../client/items.ts'

/** So many pages without an item, one after the other, are a list without an end. */
const maxEmptyPages = 1000

/**
 * The pages of a list of Google's to its end. A list that cannot be read on is read from its beginning, once: what it has
 * shown it may show again.
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
    if (page === 'stale' && isRestarted) throw new GoogleFailure('stale-page', 'Google lost our place in a list twice.')
    if (page === 'stale') isRestarted = true
    else yield page.items
    if (page !== 'stale' && page.nextPageToken === undefined) return
    if (page !== 'stale' && page.nextPageToken === token) {
      throw new GoogleFailure('unavailable', 'Google gave the same page of a list twice.')
    }
    emptyPages = page === 'stale' || page.items.length > 0 ? 0 : emptyPages + 1
    if (emptyPages > maxEmptyPages) throw new GoogleFailure('unavailable', 'A list of Google has no end.')
    token = page === 'stale' ? undefined : page.nextPageToken
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

/** Whether Google failed in that way. */
export function isFailure(error: unknown, kind: GoogleFailure['kind']): boolean {
  return error instanceof GoogleFailure && error.kind === kind
}

const rowsPerRead = 500

/**
 * What is stored, in creation order and in parts between which other work is done. Rows that are deleted on the way are
 * no trouble.
 */
export async function* storedPages<T>(
  list: (part: ListPart) => Promise<Listed<T>[]>,
  signal: AbortSignal,
): AsyncGenerator<T[], void, undefined> {
  let from: ListPosition = listStart
  for (;;) {
    signal.throwIfAborted()
    const part = await list({ from, limit: rowsPerRead })
    if (part.length > 0) yield part.map(({ item }) => item)
    const last = part.at(-1)
    if (last === undefined || part.length < rowsPerRead) return
    from = last.position
    await nextTurn()
  }
}
