import type { Audited, Caller } from '../../directory/audit.ts'
import { directoryTarget } from '../../directory/audit.ts'
import type { Directories } from '../../directory/directories.ts'
import type { DirectoryScope } from '../../directory/directory.ts'
import { DirectoryError, throwProblems } from '../../directory/errors.ts'
import { ListingInput } from '../../directory/inputs.ts'
import type { Listing } from '../../reads/page.ts'
import { isText, pageTokens } from '../../reads/page.ts'
import { parseListing, parseScope } from '../../reads/paging.ts'
import type { DeliveryLogStore, LogScope } from './delivery-log-store.ts'
import { logEnd, logStart } from './delivery-log-store.ts'
import { deliveryViewText } from './entry.ts'
import type { BufferedRecorder } from './recorder.ts'

const rowsPerRead = 100
const rowsPerSkip = 5_000
const rowsPerRemoval = 200

const logTokens = pageTokens<{ readonly id: string }>({ id: isText })

export interface LoggedDeliveriesParts {
  readonly store: DeliveryLogStore
  readonly directories: Directories
  readonly audited: Audited
  readonly clock: () => number
  readonly recorder: Pick<BufferedRecorder, 'flush'>
}

/** The delivery log as the API offers it. Queries use the field names of the API and are validated here. */
export type LoggedDeliveries = ReturnType<typeof createLoggedDeliveries>

export function createLoggedDeliveries(parts: LoggedDeliveriesParts) {
  const { store } = parts
  return {
    /**
     * The deliveries of a scope, newest first.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    async list(query: unknown): Promise<Listing> {
      const { scope: named, paging } = parseListing(ListingInput, query)
      const scope = await logScopeOf(parts, named)
      if (paging === undefined) return { rows: readRows(store, scope, logStart, Number.POSITIVE_INFINITY) }
      const { offset, limit, token } = paging
      const start = logTokens.read(token)?.id ?? (await skip(store, scope, logStart, offset))
      const id = await skip(store, scope, start, limit)
      const pageToken = (await hasMore(store, scope, id)) ? logTokens.write({ id }) : undefined
      return { rows: readRows(store, scope, start, limit), pageToken }
    },
    /**
     * One delivery as JSON text.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async get(id: string, query: unknown): Promise<string> {
      const found = await store.getDelivery(await logScopeOf(parts, parseScope(query)), id)
      if (found !== undefined) return deliveryViewText(found)
      throw new DirectoryError('resource-not-found', 'There is no such delivery in this scope.')
    },
    /**
     * Deletes the log of one directory. Deliveries that end in the meantime are kept.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    delete: (query: unknown, caller: Caller): Promise<void> => deleteLog(parts, query, caller),
  }
}

/** @throws DirectoryError `directory-not-found` when the directory is outside of the scope */
async function logScopeOf(
  { directories }: LoggedDeliveriesParts,
  { directoryId, tenant, product }: DirectoryScope,
): Promise<LogScope> {
  if (directoryId === undefined) return { tenant, product: product ?? '' }
  const [directory] = await directories.page({ directoryId, tenant, product }, { limit: 1 })
  if (directory === undefined) throw new DirectoryError('directory-not-found', 'There is no such directory.')
  return { directoryId }
}

/** Skips deliveries without reading them. Returns the id of the last one skipped, or the end of the log. */
async function skip(store: DeliveryLogStore, scope: LogScope, start: string, count: number): Promise<string> {
  let [position, left] = [start, count]
  while (left > 0) {
    const { skipped, last } = await store.skipDeliveries(scope, position, Math.min(left, rowsPerSkip))
    if (last === undefined) return logEnd
    position = last
    left -= skipped
  }
  return position
}

/** Reads a few rows at a time, because payloads may be large. */
async function* readRows(store: DeliveryLogStore, scope: LogScope, start: string, limit: number) {
  let [position, left] = [start, limit]
  while (left > 0) {
    const { deliveries, last } = await store.listDeliveries(scope, position, Math.min(left, rowsPerRead))
    if (last === undefined) return
    yield deliveries.map(deliveryViewText)
    left -= deliveries.length
    position = last
  }
}

async function hasMore(store: DeliveryLogStore, scope: LogScope, start: string): Promise<boolean> {
  for (let position: string | undefined = start; position !== undefined; ) {
    const { skipped, last } = await store.skipDeliveries(scope, position, rowsPerRead)
    if (skipped > 0) return true
    position = last
  }
  return false
}

async function deleteLog(parts: LoggedDeliveriesParts, query: unknown, caller: Caller): Promise<void> {
  const { store, directories, audited, clock, recorder } = parts
  const scope = await logScopeOf(parts, parseScope(query))
  if (!('directoryId' in scope)) {
    return throwProblems([{ field: 'directoryId', message: 'directoryId: name the directory whose log to delete.' }])
  }
  await recorder.flush()
  const { last: newest } = await store.skipDeliveries(scope, logStart, 1)
  if (newest === undefined) return
  const target = directoryTarget(await directories.get(scope.directoryId))
  const audit = audited({ action: 'delivery_log.deleted', caller, target, at: clock() })
  let removed = await store.removeDeliveries(scope.directoryId, newest, rowsPerRemoval, audit)
  while (removed > 0) removed = await store.removeDeliveries(scope.directoryId, newest, rowsPerRemoval)
}
