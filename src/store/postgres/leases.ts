import type { EventStore } from '../../delivery/store.ts'
import { integer, text } from '../row.ts'
import { decodeStream, streamColumnsOf } from '../streams.ts'
import type { Database } from './database.ts'
import type { Reader } from './reader.ts'
import { now } from './sql.ts'

/** Takes or renews a lease: `$1` directory, `$2` target, `$3` holder, `$4` how long. A renewed lease keeps its token. */
const take = `
  insert into delivery_streams as p
    (directory_id, target, delivered_sequence, lease_holder, lease_token, lease_expires_at)
  select d.id, $2, 0, $3, 1, ${now} + $4::int8 from directories d where d.id = $1 and d.deleted = 0 for key share
  on conflict (directory_id, target) do update set lease_holder = excluded.lease_holder,
    lease_expires_at = excluded.lease_expires_at,
    lease_token = p.lease_token + (case when p.lease_holder = $3 and p.lease_expires_at > ${now} then 0 else 1 end)
  where p.lease_holder is null or p.lease_holder = $3 or p.lease_expires_at <= ${now}
  returning lease_token, ${streamColumnsOf('p')}`

const directory = 'select 1 from directories where id = $1 and deleted = 0'

const renew = `
  update delivery_streams set lease_expires_at = ${now} + $3::int8
  where lease_holder = $2 and target = $1 and lease_expires_at > ${now} returning directory_id as id`

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
        return { lease: { directoryId, target, token: integer(taken, 'lease_token') }, state: decodeStream(taken) }
      }
      return (await row({ text: directory, values: [directoryId] })) === undefined ? 'none' : 'held'
    },
    async renewLeases(target, holder, ttlMs) {
      const renewed = await rows({ text: renew, values: [target, holder, ttlMs] })
      return renewed.map((found) => text(found, 'id'))
    },
    async releaseLease({ directoryId, target, token }) {
      await query({ text: release, values: [directoryId, target, token] })
    },
  }
}
