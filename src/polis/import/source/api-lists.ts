import type { Json } from '../../../scim/json.ts'
import type { PolisApi, PolisList } from './api-client.ts'
import { IncompleteList } from './errors.ts'

/** A list of the API. */
export interface ApiList {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** The key that distinguishes an item from the others. */
  readonly identityOf: (item: Json) => string
}

/** Polis gives fewer items if its `DB_PAGE_LIMIT` is smaller. */
const wantedItems = 1_000

const maxShifts = 20
/** A list with more items, or with more empty pages, does not end. */
const maxItems = 10_000_000
const maxEmptyPages = 1_000

/**
 * Reads a list, oldest first. Polis lists the newest first, and does not say how many there are: the end is found by
 * doubling and halving, and the pages are read from there back to the beginning. Each page repeats the item at which the
 * last one ended, so that an item that is added or deleted meanwhile shifts nothing.
 *
 * @throws IncompleteList when the item is gone, or the list does not end
 */
export async function* readOldestFirst(api: PolisApi, list: ApiList): AsyncGenerator<Json, void> {
  const first = await readPage(api, list, { offset: 0, limit: wantedItems })
  const size = first.items.length
  if (first.pageToken !== undefined) yield* readByToken(api, list, first)
  else if (size > 0) yield* readBackwards(api, list, { size, total: await countItems(api, list, size) })
}

async function* readBackwards(
  api: PolisApi,
  list: ApiList,
  { size, total }: { readonly size: number; readonly total: number },
): AsyncGenerator<Json, void> {
  let offset = Math.max(0, total - size)
  let lastId: string | undefined
  let shifts = 0
  while (true) {
    const { items } = await readPage(api, list, { offset, limit: size })
    const end = lastId === undefined ? items.length : items.findIndex((item) => list.identityOf(item) === lastId)
    if (end === -1) {
      // Items were added: what was the beginning of the last page is further down.
      shifts += 1
      if (shifts > maxShifts)
        throw new IncompleteList(`The list ${list.path} of Polis changed during the read: try again.`)
      offset += Math.max(1, size - 1)
      continue
    }
    for (const item of items.slice(0, end).reverse()) {
      lastId = list.identityOf(item)
      yield item
    }
    if (offset === 0) return
    offset = Math.max(0, offset - Math.max(1, size - 1))
  }
}

/** Counts the items of a list whose first page has `size` items. */
async function countItems(api: PolisApi, list: ApiList, size: number): Promise<number> {
  const isThere = async (offset: number) => (await readPage(api, list, { offset, limit: 1 })).items.length > 0
  let [known, end] = [size - 1, size]
  while (await isThere(end)) {
    if (end > maxItems) throw endless(list)
    ;[known, end] = [end, end * 2]
  }
  while (end - known > 1) {
    const middle = Math.floor((known + end) / 2)
    if (await isThere(middle)) known = middle
    else end = middle
  }
  return end
}

/** Databases without offsets continue a list by a token, and have an order of their own. */
async function* readByToken(api: PolisApi, list: ApiList, first: PolisList): AsyncGenerator<Json, void> {
  const tokens = new Set<string>()
  let page = first
  for (let [items, emptyPages] = [0, 0]; ; ) {
    yield* page.items
    const { pageToken } = page
    if (pageToken === undefined) return
    items += page.items.length
    emptyPages = page.items.length > 0 ? 0 : emptyPages + 1
    if (tokens.has(pageToken) || items > maxItems || emptyPages > maxEmptyPages) throw endless(list)
    tokens.add(pageToken)
    page = await api.list(list.path, { ...list.query, pageLimit: String(wantedItems), pageToken })
  }
}

function endless({ path }: ApiList): IncompleteList {
  return new IncompleteList(`The list ${path} of Polis does not end.`)
}

function readPage(api: PolisApi, { path, query }: ApiList, { offset, limit }: { offset: number; limit: number }) {
  return api.list(path, { ...query, pageOffset: String(offset), pageLimit: String(limit) })
}
