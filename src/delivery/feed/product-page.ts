import type { DirectoryScope, ProductScope } from '../../directory/directory.ts'
import { isOfProduct } from '../../directory/directory.ts'
import type { DirectoryReads } from '../../directory/directory-store.ts'
import { directoriesOf } from '../../reads/directory-walk.ts'
import type { EventDirectory } from '../payload.ts'
import type { OnFeedRead } from './acknowledge.ts'
import type { FeedCursors, ProductPlace } from './cursor.ts'
import { unknownEvent } from './cursor.ts'
import { CursorDiverged } from './divergence.ts'
import type { FeedEvent, FeedPage, PageBounds } from './page.ts'
import type { FeedRun, ProductFeedStore } from './product-store.ts'

export interface ProductPageParts {
  readonly store: ProductFeedStore & Pick<DirectoryReads, 'listDirectoriesInScope'>
  readonly cursors: FeedCursors
  /** Called for each directory without an endpoint whose events the reader has received since its previous page. */
  readonly onRead?: OnFeedRead | undefined
}

/**
 * How many runs are read at least, and how often: each directory keeps its last run when all of its events are removed, and a
 * page passes such runs.
 */
const [minRunsPerRead, maxReads] = [500, 20]

/** The most runs whose directories count as read. It is also the most that a page can have. */
const maxRuns = 1_000

/**
 * Reads the next events of a product. The place of the reader is one number, however many directories there are: events get
 * their places in the order of the product after their commit, and these become visible in order.
 *
 * @throws DirectoryError `cursor-diverged` for a place in a run that was lost
 */
export async function readProductPage(
  { store, cursors, onRead }: ProductPageParts,
  scope: DirectoryScope,
  from: ProductPlace,
  bounds: PageBounds,
): Promise<FeedPage> {
  if (!isOfProduct(scope)) throw new Error('This cursor belongs to another product.')
  const { product } = scope
  await store.orderFeed(product)
  const runsPerRead = Math.max(bounds.limit + 1, minRunsPerRead)
  let runs = await store.feedRuns(product, from.position, runsPerRead)
  if (await hasDiverged(store, product, from, runs[0])) throw await divergence({ store, cursors }, scope)
  if (onRead !== undefined && from.position > from.previous) await reportRead(store, product, from, onRead)

  let place = from
  let events: FeedEvent[] = []
  for (let reads = 0; reads < maxReads; reads += 1) {
    const part = await readRuns(store, place, runs, bounds, from.position)
    place = part.end
    events = part.events
    const isLast = runs.length < runsPerRead && place.position >= (runs.at(-1)?.position ?? 0)
    if (events.length > 0 || isLast) break
    runs = await store.feedRuns(product, place.position, runsPerRead)
  }
  const end = { ...place, previous: events.length > 0 ? from.position : place.position }
  return { events, start: from, end, held: await store.longestHeld(product) }
}

/** Reads the events of runs after a place. The place after them is after all runs that were read to their end. */
async function readRuns(
  store: ProductFeedStore,
  place: ProductPlace,
  runs: readonly FeedRun[],
  { limit, maxBytes }: PageBounds,
  previous: number,
): Promise<{ readonly events: FeedEvent[]; readonly end: ProductPlace }> {
  const wanted = wantedRuns(place, runs, limit)
  const last = wanted.at(-1)
  if (last === undefined) {
    const passed = runs.at(-1)
    const isNew = passed !== undefined && passed.position !== place.position
    return { events: [], end: isNew ? after(passed, passed.lastSequence, previous) : place }
  }
  const found = await store.feedEventsOfRuns(wanted, limit, maxBytes)
  const events = found.flatMap(({ run, event }) => {
    const one = wanted[run]
    return one === undefined ? [] : [{ event, directory: one.directory, at: after(one, event.sequence, previous) }]
  })
  // Without any, all events of these runs have been removed.
  return { events, end: events.at(-1)?.at ?? after(last, last.lastSequence, previous) }
}

interface WantedOfDirectory extends FeedRun {
  readonly directory: EventDirectory
  readonly directoryId: string
}

/** The first runs after a place that have about as many events as are wanted, without those of deleted directories. */
function wantedRuns(place: ProductPlace, runs: readonly FeedRun[], limit: number): WantedOfDirectory[] {
  const wanted: WantedOfDirectory[] = []
  let left = limit
  for (const run of runs) {
    if (left <= 0) break
    const firstSequence = run.position === place.position ? place.sequence + 1 : run.firstSequence
    if (run.directory === undefined || firstSequence > run.lastSequence) continue
    left -= run.lastSequence - firstSequence + 1
    wanted.push({ ...run, directory: run.directory, directoryId: run.directory.id, firstSequence })
  }
  return wanted
}

const after = ({ position, tag }: FeedRun, sequence: number, previous: number): ProductPlace => {
  return { position, sequence, eventTag: tag, previous }
}

/**
 * Returns whether the run at a place is not the one that the reader has. A run is written after its events and after all runs before it:
 * while it is there, no event before the place has been lost. One that was removed, with its events, cannot be compared.
 *
 * @param first the run at the place, or else the next one
 */
async function hasDiverged(
  store: ProductPageParts['store'],
  product: string,
  place: ProductPlace,
  first: FeedRun | undefined,
): Promise<boolean> {
  if (place.position === 0) return false
  if (first?.position !== place.position) return place.position > (await store.feedHead(product))
  return place.eventTag !== unknownEvent && place.eventTag !== first.tag
}

/**
 * The events of any directory may be others than those that the reader has. It goes on with the resyncs that it requests next,
 * or with the first one that is running.
 */
async function divergence(
  { store, cursors }: Pick<ProductPageParts, 'store' | 'cursors'>,
  scope: ProductScope,
): Promise<CursorDiverged> {
  const directoryIds: string[] = []
  for await (const { id } of directoriesOf(store, scope)) directoryIds.push(id)
  const [head, resync] = await Promise.all([store.feedHead(scope.product), store.firstRunningResync(scope.product)])
  const position = resync === undefined ? head : resync - 1
  const next = { position, previous: position, sequence: Number.MAX_SAFE_INTEGER, eventTag: unknownEvent }
  return new CursorDiverged(directoryIds, cursors.write(scope, next))
}

async function reportRead(
  store: ProductFeedStore,
  product: string,
  place: ProductPlace,
  onRead: OnFeedRead,
): Promise<void> {
  const readers = await store.feedReaders(product, place.previous, place, maxRuns)
  for (const { directory, reader, lastSequence } of readers) onRead({ id: directory.id, reader }, lastSequence)
}
