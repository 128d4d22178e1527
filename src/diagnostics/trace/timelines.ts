import type { Directories } from '../../directory/directories.ts'
import { TokenPagingInput } from '../../directory/inputs.ts'
import type { Listing } from '../../reads/page.ts'
import { isBetween, pageTokens } from '../../reads/page.ts'
import { parseQuery } from '../../reads/paging.ts'
import { newestRequest } from '../requests/request-log-store.ts'
import type { TimelineOf, TimelinePart, TimelinePosition, TimelineStore } from './timeline.ts'
import { timelinePart, timelineStart } from './timeline.ts'

const itemsPerPage = 1_000
const itemsPerRead = 100

const timelineTokens = pageTokens<TimelinePosition>({
  request: isBetween(0, newestRequest),
  sequence: isBetween(0, timelineStart.sequence),
})

export interface TimelinesParts {
  readonly store: TimelineStore
  readonly directories: Pick<Directories, 'get'>
  /** Writes buffered records. */
  readonly flush: () => Promise<unknown>
}

/** Timelines as the API offers them. Queries have the field names of the API and are validated here. */
export type Timelines = ReturnType<typeof createTimelines>

export function createTimelines({ store, directories, flush }: TimelinesParts) {
  return {
    /**
     * The timeline of a user or group as JSON texts, newest first, also after its deletion: a page, or all of it.
     * `pageLimit` counts requests and events; the changes and deliveries of an event are on its page.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async list(directoryId: string, resource: Pick<TimelineOf, 'type' | 'id'>, query: unknown): Promise<Listing> {
      const { pageLimit, pageToken } = parseQuery(TokenPagingInput, query)
      const of = { directory: await directories.get(directoryId), ...resource }
      await flush()
      const start = timelineTokens.read(pageToken) ?? timelineStart
      if (pageLimit === undefined && pageToken === undefined) {
        return { rows: allTexts(store, of, await timelinePart(store, of, start, itemsPerRead)) }
      }
      const { entries, next } = await timelinePart(store, of, start, pageLimit ?? itemsPerPage)
      const following = next && timelineTokens.write(next)
      return { rows: entries.map((entry) => JSON.stringify(entry)), pageToken: following }
    },
  }
}

async function* allTexts(store: TimelineStore, of: TimelineOf, first: TimelinePart) {
  for (let part = first; ; ) {
    yield part.entries.map((entry) => JSON.stringify(entry))
    if (part.next === undefined) return
    part = await timelinePart(store, of, part.next, itemsPerRead)
  }
}
