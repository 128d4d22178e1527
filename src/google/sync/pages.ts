import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ListPart, ListPosition, ListRow } from '../../directory/list.ts'
import { listStart } from '../../directory/list.ts'
import { GoogleFailure, isFailure } from '../client/failure.ts'
import type { GooglePage } from '../client/items.ts'
import type { SyncParts } from './context.ts'
import { createIdSet } from './id-set.ts'

/** A list with more pages in a row that are empty, or begin as an earlier one did, does not end. */
const maxPagesWithoutProgress = 100
/** A list of 2.5 million users, or of a million members of a group, has as many pages. */
const maxPagesPerList = 5_000
/** The pages of all lists of a run: each group has one at least. */
export const maxPagesPerRun = 1_000_000

/**
 * The pages of a Google list. If a page token expires, the list is read from the beginning, once; items may then repeat.
 *
 * @throws GoogleFailure also if the list, or the run, has more pages than a Workspace can have
 */
export async function* googlePages<T extends { readonly id: string }>(
  { signal, tally }: Pick<SyncParts, 'signal' | 'tally'>,
  list: (pageToken?: string) => Promise<GooglePage<T>>,
): AsyncGenerator<readonly T[], void, undefined> {
  let token: string | undefined
  let isRestarted = false
  let progress = createProgress()
  for (;;) {
    signal.throwIfAborted()
    const page = await pageOrStale(list, token)
    if (page === 'stale') {
      if (isRestarted) throw new GoogleFailure('stale-page', 'The page token of a Google list expired twice.')
      isRestarted = true
      progress = createProgress()
      token = undefined
      continue
    }
    tally.count('pages')
    yield page.items
    if (page.nextPageToken === undefined) return
    progress.require(page)
    if (tally.progress().pages > maxPagesPerRun) throw endless('The lists of this Google Workspace do')
    token = page.nextPageToken
  }
}

/** Checks that a list ends: its tokens and pages do not repeat, and it does not have too many pages. */
function createProgress() {
  const seen = createIdSet()
  let [pages, withoutProgress] = [0, 0]
  return {
    /** @throws GoogleFailure */
    require({ items: [first], nextPageToken }: GooglePage<{ readonly id: string }>): void {
      pages += 1
      const isNew = first !== undefined && seen.add(`item ${first.id}`)
      withoutProgress = isNew ? 0 : withoutProgress + 1
      const isNextNew = seen.add(`token ${nextPageToken}`)
      if (!isNextNew || withoutProgress > maxPagesWithoutProgress || pages > maxPagesPerList) {
        throw endless('A list of Google does')
      }
    },
  }
}

function endless(what: string): GoogleFailure {
  return new GoogleFailure('unavailable', `${what} not end: its pages repeat, or there are too many. Try again later.`)
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
