import type { EventStore } from '../delivery/event-store.ts'
import type { PrivacyStore } from '../privacy/privacy-store.ts'
import { integer, optionalText, text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'
import { holdsNul } from './sql-database.ts'
import { decodeStream, hasEvents, streamColumns } from './streams.ts'

const present = `select 1 as found from directories d where d.id = $1 and ${hasEvents}`
const lastHolder = 'select lease_holder from delivery_streams where directory_id = $1 and target = $2 for update'

const held = 'lease_holder = $2 and lease_token >= 0 and target = $1 and lease_expires_at >'

const release = `
  update delivery_streams set lease_holder = null, lease_expires_at = null
  where directory_id = $1 and target = $2 and lease_token = $3`

/**
 * Leases of streams, by the clock of the database.
 *
 * @param database on SQLite, one whose writes do not wait for the disk: when it is opened, all leases have ended
 */
export function createLeaseStore({
  query,
  atomically,
  dialect: { now, isIn },
}: SqlDatabase): Pick<EventStore, 'leaseStream' | 'renewLeases' | 'releaseLease'> &
  Pick<PrivacyStore, 'isSentByOthers'> {
  /** Takes or renews a lease: `$1` directory, `$2` target, `$3` holder, `$4` how long. A renewed lease keeps its token. */
  const take = `
    insert into delivery_streams as p
      (directory_id, target, delivered_sequence, lease_holder, lease_token, lease_expires_at)
    select d.id, $2, 0, $3, 1, ${now} + cast($4 as bigint)
    from directories d where d.id = $1 and ${hasEvents} for key share
    on conflict (directory_id, target) do update set lease_holder = excluded.lease_holder,
      lease_expires_at = excluded.lease_expires_at,
      lease_token = p.lease_token + (case when p.lease_holder = $3 and p.lease_expires_at > ${now} then 0 else 1 end)
    where p.lease_holder is null or p.lease_holder = $3 or p.lease_expires_at <= ${now}
    returning lease_token, ${streamColumns}`
  const heldNow = `select directory_id from delivery_streams where ${held} ${now}`
  /**
   * Renews all leases of a process. It skips the streams that another transaction has locked, maybe that of a suspended process:
   * waiting for one of them would let all others expire.
   */
  const renew = `
    update delivery_streams set lease_expires_at = ${now} + cast($3 as bigint)
    where target = $1 and ${isIn('directory_id', `${heldNow} for update skip locked`)} returning directory_id`
  const leased = `select 1 as found from delivery_streams where directory_id = $1 and lease_expires_at > ${now} and lease_holder <> $2 limit 1`
  return {
    async leaseStream(directoryId, target, holder, ttlMs) {
      const key = [directoryId, target]
      if (holdsNul({ values: key })) return 'none'
      const [[before] = [], [taken] = [], found = []] = await atomically([
        { text: lastHolder, values: key },
        { text: take, values: [...key, holder, ttlMs] },
        { text: present, values: [directoryId] },
      ])
      if (taken === undefined) return found.length === 0 ? 'none' : 'held'
      const lease = { directoryId, target, token: integer(taken, 'lease_token') }
      const last = before && optionalText(before, 'lease_holder')
      return { lease, state: decodeStream(taken), isTakeover: last !== undefined && last !== holder }
    },
    async renewLeases(target, holder, ttlMs) {
      const results = await atomically([
        { text: heldNow, values: [target, holder] },
        { text: renew, values: [target, holder, ttlMs] },
      ])
      const [all = [], renewed = []] = results.map((rows) => rows.map((row) => text(row, 'directory_id')))
      const isRenewed = new Set(renewed)
      return { renewed, locked: all.filter((id) => !isRenewed.has(id)) }
    },
    async isSentByOthers(directoryId, holder) {
      return (await query({ text: leased, values: [directoryId, holder] })).length > 0
    },
    async releaseLease({ directoryId, target, token }) {
      await atomically([{ text: release, values: [directoryId, target, token] }])
    },
  }
}
