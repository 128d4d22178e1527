import type { FeedDirectory, FeedStore } from '../delivery/feed/feed-store.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, optionalText, text } from './row.ts'
import type { Dialect, SqlDatabase } from './sql-database.ts'
import { hasEvents, sendableSequence } from './streams.ts'

const columns = `d.id, d.tenant, d.product, ${sendableSequence} as last_sequence,
  (select e.id from events e where e.directory_id = d.id and e.sequence = ${sendableSequence}) as last_event_id,
  (select min(h.since) from holds h where h.directory_id = d.id) as held_since,
  d.leaving, case when d.endpoint_url is null and d.leaving = 0 then 1 else 0 end as is_read,
  case when d.endpoint_url is null then (
    select a.feed_read_at from directory_activity a where a.directory_id = d.id) end as feed_read_at,
  case when d.endpoint_url is null then (
    select x.sequence from deprovisionings x where x.directory_id = d.id order by x.sequence limit 1)
    end as first_deprovisioning`

/** The columns of the directories `d` that a query finds in order. */
const directories = ({ joinOne }: Dialect, found: string) => `
  select ${columns} from (${found}) d ${joinOne('directory_state', 's', 's.directory_id = d.id')} order by d.created_at, d.id`
const runningResync = `
  select r.started_sequence - s.discarded_events as sequence
  from resyncs r join directory_state s on s.directory_id = r.directory_id
  where r.directory_id = $1 and r.completed_at is null`

const idAt = 'select id from events where directory_id = $1 and sequence = $2'

/** The directories of the feed, and the positions in them. */
export function createFeedDirectories({
  query,
  dialect,
}: SqlDatabase): Pick<FeedStore, 'feedDirectories' | 'eventIdAt' | 'runningResyncStart'> {
  const byId = directories(
    dialect,
    `select * from directories d where d.id = $1 and ${hasEvents}
      and d.tenant = coalesce($2, d.tenant) and d.product = coalesce($3, d.product)`,
  )
  // The range and the order leave one index of PostgreSQL to choose.
  const ofTenant = directories(
    dialect,
    `select * from directories d where d.deleted = 0 and d.tenant between $1 and $1 and d.product between $2 and $2
      order by d.tenant, d.product, d.created_at, d.id limit $3`,
  )
  const leavingOfTenant = directories(
    dialect,
    `select * from directories d where d.leaving > 0 and d.tenant between $1 and $1 and d.product between $2 and $2
      order by d.tenant, d.product, d.deleted_at, d.id limit $3`,
  )
  return {
    async eventIdAt(directoryId, sequence) {
      const [row] = await query({ text: idAt, values: [directoryId, sequence] })
      return row && text(row, 'id')
    },
    async runningResyncStart(directoryId) {
      const [row] = await query({ text: runningResync, values: [directoryId] })
      return row && integer(row, 'sequence')
    },
    async feedDirectories({ directoryId, tenant = null, product = null }, limit) {
      const read = async (text: string, values: readonly unknown[]) =>
        (await query({ text, values })).map(decodeFeedDirectory)
      if (directoryId !== undefined) return read(byId, [directoryId, tenant, product])
      const found = await read(ofTenant, [tenant, product, limit])
      return [...found, ...(await read(leavingOfTenant, [tenant, product, limit - found.length]))]
    },
  }
}

function decodeFeedDirectory(row: Row): FeedDirectory {
  const heldSince = optionalInteger(row, 'held_since')
  return {
    id: text(row, 'id'),
    tenant: text(row, 'tenant'),
    product: text(row, 'product'),
    lastSequence: integer(row, 'last_sequence'),
    lastEventId: optionalText(row, 'last_event_id'),
    isDeleted: integer(row, 'leaving') > 0,
    ...(heldSince === undefined ? {} : { heldSince }),
    reader: boolean(row, 'is_read')
      ? {
          readAt: optionalInteger(row, 'feed_read_at'),
          firstDeprovisioning: optionalInteger(row, 'first_deprovisioning'),
        }
      : undefined,
  }
}
