import type { EventStore } from '../../delivery/event-store.ts'
import { boolean, integer, text } from '../row.ts'
import { decodeStream, streamColumnsOf } from '../streams.ts'
import type { Database } from './database.ts'
import type { Reader } from './reader.ts'
import { now } from './sql.ts'

/**
 * Takes or renews a lease: `$1` directory, `$2` target, `$3` holder, `$4` how long. A renewed lease keeps its token. The
 * subquery sees the row as it was before.
 */
const take = `
  insert into delivery_streams as p
    (directory_id, target, delivered_sequence, lease_holder, lease_token, lease_expires_at)
  select d.id, $2, 0, $3, 1, ${now} + $4::int8 from directories d where d.id = $1 and d.deleted <> 1 for key share
  on conflict (directory_id, target) do update set lease_holder = excluded.lease_holder,
    lease_expires_at = excluded.lease_expires_at,
    lease_token = p.lease_token + (case when p.lease_holder = $3 and p.lease_expires_at > ${now} then 0 else 1 end)
  where p.lease_holder is null or p.lease_holder = $3 or p.lease_expires_at <= ${now}
  returning lease_token, ${streamColumnsOf('p')}, exists (
    select from delivery_streams o where o.directory_id = $1 and o.target = $2 and o.lease_holder <> $3)::int4 as is_takeover`

const directory = 'select 1 from directories where id = $1 and deleted <> 1'

const held = 'lease_holder = $2 and lease_token >= 0 and target = $1 and lease_expires_at >'

/**
 * One statement for all leases of a process. It skips the streams that another transaction has locked, maybe that of a
 * suspended process: waiting for one of them would let all others expire.
 */
const renew = `
  with held as materialized (select directory_id from delivery_streams where ${held} ${now}),
  free as materialized (select directory_id from delivery_streams where ${held} ${now} for update skip locked),
  renewed as (
    update delivery_streams set lease_expires_at = ${now} + $3::int8
    where ${held} ${now} and directory_id = any (array(select directory_id from free)) returning directory_id
  )
  select held.directory_id as id, (renewed.directory_id is not null)::int4 as renewed
  from held left join renewed on renewed.directory_id = held.directory_id`

const release = `
  update delivery_streams set lease_holder = null, lease_expires_at = null
  where directory_id = $1 and target = $2 and lease_token = $3`

/** Leases of streams on PostgreSQL, by the clock of the database. */
export function postgresLeases(
  { query }: Database,
  { rows, row }: Reader,
): Pick<EventStore, 'leaseStream' | 'renewLeases' | 'releaseLease'> {
  return {
    async leaseStream(directoryId, target, holder, ttlMs) {
      const taken = await row({ text: take, values: [directoryId, target, holder, ttlMs] })
      if (taken !== undefined) {
        const lease = { directoryId, target, token: integer(taken, 'lease_token') }
        return { lease, state: decodeStream(taken), isTakeover: boolean(taken, 'is_takeover') }
      }
      return (await row({ text: directory, values: [directoryId] })) === undefined ? 'none' : 'held'
    },
    async renewLeases(target, holder, ttlMs) {
      const found = await rows({ text: renew, values: [target, holder, ttlMs] })
      const idsOf = (wanted: boolean) =>
        found.filter((row) => boolean(row, 'renewed') === wanted).map((row) => text(row, 'id'))
      return { renewed: idsOf(true), locked: idsOf(false) }
    },
    async releaseLease({ directoryId, target, token }) {
      await query({ text: release, values: [directoryId, target, token] })
    },
  }
}
