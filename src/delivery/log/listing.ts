import type { Audited, Caller } from '../../directory/audit.ts'
import { directoryTarget } from '../../directory/audit.ts'
import type { Directories } from '../../directory/directories.ts'
import { DirectoryError, refuseProblems } from '../../directory/errors.ts'
import { parsePaging, parseScope } from '../../directory/listing.ts'
import { deliveryText } from './answer.ts'
import { readLogToken, writeLogToken } from './log-token.ts'
import type { BufferedRecorder } from './recorder.ts'
import type { DeliveryLogStore, LogScope } from './store.ts'
import { logEnd, logStart } from './store.ts'

const rowsPerRead = 100
const rowsPerPassage = 5_000
const rowsPerRemoval = 200

/** Deliveries as they are read, each as JSON text; it ends with the token of the next page when more follow. */
export type DeliveryRows = AsyncGenerator<string, string | undefined, undefined>

export interface LoggedDeliveriesParts {
  readonly store: DeliveryLogStore
  readonly directories: Directories
  readonly audited: Audited
  readonly clock: () => number
  readonly recorder: Pick<BufferedRecorder, 'flush'>
}

/** The delivery log as the product reads and empties it. Queries are in the API's field names and are checked here. */
export type LoggedDeliveries = ReturnType<typeof createLoggedDeliveries>

export function createLoggedDeliveries({ store, directories, audited, clock, recorder }: LoggedDeliveriesParts) {
  /** @throws DirectoryError `invalid-input`, `directory-not-found` for a directory that the query's scope does not hold */
  async function scopeOf(query: unknown): Promise<LogScope> {
    const { directoryId, ...given } = parseScope(query)
    if (directoryId === undefined) return { tenant: given.tenant ?? '', product: given.product ?? '' }
    const [directory] = await directories.page({ directoryId, ...given }, { limit: 1 })
    if (directory === undefined) throw new DirectoryError('directory-not-found', 'There is no such directory.')
    return { directoryId }
  }

  /** The place behind so many deliveries. */
  async function placeBehind(scope: LogScope, offset: number): Promise<string> {
    let place = logStart
    let left = offset
    while (left > 0) {
      const { skipped: passed, last } = await store.skipDeliveries(scope, place, Math.min(left, rowsPerPassage))
      if (last === undefined) return logEnd
      place = last
      left -= passed
    }
    return place
  }

  /** Reads on from a place, in small parts: payloads may be large. */
  async function* read(scope: LogScope, place: string, limit: number): DeliveryRows {
    let [before, left] = [place, limit]
    while (left > 0) {
      const { deliveries, last } = await store.listDeliveries(scope, before, Math.min(left, rowsPerRead))
      if (last === undefined) return undefined
      for (const delivery of deliveries) yield deliveryText(delivery)
      left -= deliveries.length
      before = last
    }
    return (await hasMore(scope, before)) ? writeLogToken(before) : undefined
  }

  async function hasMore(scope: LogScope, place: string): Promise<boolean> {
    for (let before: string | undefined = place; before !== undefined; ) {
      const passage = await store.skipDeliveries(scope, before, rowsPerRead)
      if (passage.skipped > 0) return true
      before = passage.last
    }
    return false
  }

  return {
    /**
     * The deliveries of a scope, newest first.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    async list(query: unknown): Promise<DeliveryRows> {
      const paging = parsePaging(query)
      const scope = await scopeOf(query)
      if (paging === undefined) return read(scope, logStart, Number.POSITIVE_INFINITY)
      const place = 'token' in paging ? readLogToken(paging.token) : await placeBehind(scope, paging.offset)
      return read(scope, place, paging.limit)
    },
    /**
     * One delivery, as JSON text.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async get(id: string, query: unknown): Promise<string> {
      const found = await store.getDelivery(await scopeOf(query), id)
      if (found !== undefined) return deliveryText(found)
      throw new DirectoryError('resource-not-found', 'There is no such delivery in this scope.')
    },
    /**
     * Empties the log of one directory. Deliveries that end meanwhile stay.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    async delete(query: unknown, caller: Caller): Promise<void> {
      const scope = await scopeOf(query)
      if (!('directoryId' in scope)) return refuseWithoutDirectory()
      await recorder.flush()
      const { last: newest } = await store.skipDeliveries(scope, logStart, 1)
      if (newest === undefined) return
      const target = directoryTarget(await directories.get(scope.directoryId))
      const audit = audited({ action: 'delivery_log.deleted', caller, target, at: clock() })
      let removed = await store.removeDeliveries(scope.directoryId, newest, rowsPerRemoval, audit)
      while (removed > 0) removed = await store.removeDeliveries(scope.directoryId, newest, rowsPerRemoval)
    },
  }
}

function refuseWithoutDirectory(): void {
  refuseProblems([{ field: 'directoryId', message: 'directoryId: say whose delivery log to delete.' }])
}
