import { randomBytes } from 'node:crypto'
import type { FeedRun, ProductFeedStore } from '../delivery/feed/product-store.ts'
import type { Row } from './row.ts'
import { integer, optionalInteger, text } from './row.ts'
import type { Dialect, SqlDatabase, Statement } from './sql-database.ts'
import { hasEvents, sendableSequence } from './streams.ts'

/*
 * The order of a product's events. Each commit counts its events in `event_volumes`, so that the rows there name the
 * directories with new ones. For these, a run is added to the product's order: the events that may be sent and are in no run
 * yet. Whoever adds runs holds the row of the product's head until its commit. So runs become visible in the order of their
 * positions, and after their events.
 */

/** The directories of a product with events that are in no run, and these events. */
const newRuns = (condition: string) => `
  select v.directory_id, v.product, v.last_in_run + 1 as first_sequence, v.last_sequence from (
    select v.directory_id,
      (select d.product from directories d where d.id = v.directory_id and ${hasEvents}) as product,
      (select ${sendableSequence} from directory_state s where s.directory_id = v.directory_id) as last_sequence,
      coalesce((
        select r.last_sequence from feed_runs r where r.directory_id = v.directory_id
        order by r.last_sequence desc limit 1), 0) as last_in_run
    from (select distinct directory_id from event_volumes) v
  ) v
  where v.last_sequence > v.last_in_run and ${condition}
  order by v.directory_id`

const maxRunsAtOnce = 500

/** As many as the tags of events in cursors have. */
const tagBytes = 3

const newRunsOfProduct = `${newRuns('v.product = $1')} limit ${maxRunsAtOnce}`
const newRunsUpTo = newRuns('v.directory_id <= $1')

/** Locks the head of a product. */
const lockHead = `
  insert into feed_heads (product, position) values ($1, 0)
  on conflict (product) do update set position = feed_heads.position
  returning product, position`

const addRun = `
  insert into feed_runs (directory_id, last_sequence, first_sequence, product, position, tag) values ($1, $2, $3, $4, $5, $6)`
const moveHead = 'update feed_heads set position = $2 where product = $1'

const head = 'select position from feed_heads where product = $1'
const runs = `
  select r.position, r.tag, r.directory_id, r.first_sequence, r.last_sequence,
    (select d.tenant from directories d where d.id = r.directory_id and ${hasEvents}) as tenant
  from feed_runs r where r.product = $1 and r.position >= $2 order by r.product, r.position limit $3`
const longestHeld = `
  select h.directory_id, h.since from (select * from holds where since >= 0 order by since, directory_id limit 1000) h
  where (select i.product from directory_health i where i.directory_id = h.directory_id) = $1
  order by h.since, h.directory_id limit 1`
const resyncStart = `
  select min((
    select f.position from feed_runs f
    where f.directory_id = r.directory_id and f.last_sequence >= r.started_sequence - (
      select s.discarded_events from directory_state s where s.directory_id = r.directory_id)
    order by f.last_sequence limit 1)) as position
  from resyncs r
  where r.completed_at is null
    and (select h.product from directory_health h where h.directory_id = r.directory_id) = $1`
const readersOf = ({ joinOne }: Dialect) => `
  select r.directory_id, d.tenant, max(case when r.position = $3 then $4 else r.last_sequence end) as last_sequence,
    (select a.feed_read_at from directory_activity a where a.directory_id = d.id) as feed_read_at,
    (select x.sequence from deprovisionings x where x.directory_id = d.id order by x.sequence limit 1)
      as first_deprovisioning
  from (
    select * from feed_runs r where r.product = $1 and r.position >= $2 and r.position <= $3
    order by r.product, r.position limit $5
  ) r
  ${joinOne('directories', 'd', 'd.id = r.directory_id')}
  where d.deleted <> 1 and d.endpoint_url is null
  group by r.directory_id, d.id, d.tenant`

/** The order of the events of products, and the runs in it. */
export function createFeedOrder({
  query,
  transaction,
  dialect,
}: SqlDatabase): Omit<ProductFeedStore, 'feedEventsOfRuns'> {
  const readers = readersOf(dialect)
  const addRuns = (product: string) =>
    transaction<number>(
      [headOf(product), { text: newRunsOfProduct, values: [product] }],
      ([heads = [], found = []]) => ({
        statements: runStatements(heads, found),
        answer: found.length,
      }),
    )
  return {
    async orderFeed(product) {
      // Nothing is written while there is nothing new.
      const isAnyNew = { text: newRunsOfProduct, values: [product] }
      if ((await query(isAnyNew)).length === 0) return
      while ((await addRuns(product)) === maxRunsAtOnce);
    },
    async feedHead(product) {
      const [row] = await query({ text: head, values: [product] })
      return row === undefined ? 0 : integer(row, 'position')
    },
    async feedRuns(product, from, limit) {
      const rows = await query({ text: runs, values: [product, from, limit] })
      return rows.map((row) => decodeRun(row, product))
    },
    async longestHeld(product) {
      const [row] = await query({ text: longestHeld, values: [product] })
      return row && { directoryId: text(row, 'directory_id'), since: integer(row, 'since') }
    },
    async firstRunningResync(product) {
      const [row = {}] = await query({ text: resyncStart, values: [product] })
      return optionalInteger(row, 'position')
    },
    async feedReaders(product, from, { position, sequence }, limit) {
      const rows = await query({ text: readers, values: [product, from, position, sequence, limit] })
      return rows.map((row) => ({
        directory: { id: text(row, 'directory_id'), tenant: text(row, 'tenant'), product },
        lastSequence: integer(row, 'last_sequence'),
        reader: {
          readAt: optionalInteger(row, 'feed_read_at'),
          firstDeprovisioning: optionalInteger(row, 'first_deprovisioning'),
        },
      }))
    },
  }
}

function decodeRun(row: Row, product: string): FeedRun {
  const tenant = row['tenant']
  const id = text(row, 'directory_id')
  return {
    position: integer(row, 'position'),
    tag: text(row, 'tag'),
    directory: typeof tenant === 'string' ? { id, tenant, product } : undefined,
    firstSequence: integer(row, 'first_sequence'),
    lastSequence: integer(row, 'last_sequence'),
  }
}

/** The statement that locks the head of a product, and returns it. */
export function headOf(product: string): Statement {
  return { text: lockHead, values: [product] }
}

/** The statement that reads the new runs of all directories up to one, in the order of ids. */
export function newRunsThrough(directoryId: string): Statement {
  return { text: newRunsUpTo, values: [directoryId] }
}

/** The statements that add new runs after the heads, which are locked; runs of other products are left out. */
export function runStatements(heads: readonly Row[], found: readonly Row[]): Statement[] {
  return heads.flatMap((row) => {
    const product = text(row, 'product')
    const ofProduct = found.filter((run) => run['product'] === product)
    if (ofProduct.length === 0) return []
    const first = integer(row, 'position') + 1
    const added = ofProduct.map((run, index) => ({
      text: addRun,
      values: [
        text(run, 'directory_id'),
        integer(run, 'last_sequence'),
        integer(run, 'first_sequence'),
        product,
        first + index,
        randomBytes(tagBytes).toString('hex'),
      ],
    }))
    return [...added, { text: moveHead, values: [product, first + ofProduct.length - 1] }]
  })
}

/**
 * Removes the runs of the directory `$1` whose events are no longer stored. The newest one stays: the next run begins after it.
 */
export const removeOldRuns = `
  delete from feed_runs where directory_id = $1
    and last_sequence < (
      select r.last_sequence from feed_runs r where r.directory_id = $1 order by r.last_sequence desc limit 1)
    and last_sequence < coalesce((
      select e.sequence from events e where e.directory_id = $1 order by e.sequence limit 1), last_sequence + 1)`
