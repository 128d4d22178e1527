import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { HoldStore } from '../../delivery/hold/store.ts'
import type { Resync, ResyncRequest } from '../../delivery/resync/resync.ts'
import type { AuditWrite } from '../../directory/audit.ts'
import { removalsWithin } from '../../directory/removal-limit.ts'
import { decodeHold, decodeRemovedUser, decodeWindow, holdColumns, removedUserColumns } from '../removals.ts'
import { resyncStart } from '../resync.ts'
import { integer } from '../row.ts'
import { addsWork } from '../streams.ts'
import { auditStatements, lockAuditHead, withAuditHead } from './audit.ts'
import type { Database, Statement } from './database.ts'
import { decodeLocked, lockedColumns } from './directories.ts'
import type { Reader } from './reader.ts'
import { conclude, countPresent, createQueued, decodeCounts } from './resync.ts'
import { oneRow } from './sql.ts'

const from = 'from holds h join directory_state s on s.directory_id = h.directory_id where s.revision >= 0'
const byDirectory = `select ${holdColumns} ${from} and h.directory_id = $1`
const page = `select ${holdColumns} ${from} and h.directory_id > $1 order by h.directory_id limit $2`
const count = `
  select count(*) as directories, coalesce(sum(removals - removals_before), 0)::int8 as removals from holds`

/** Rows that another process is taking are left to it. */
const takeNew = `
  with taken as (
    update holds set reported = 1 where directory_id = any(array(
      select directory_id from holds where reported = 0 limit $1 for update skip locked))
    returning *
  )
  select ${holdColumns} from taken h join directory_state s on s.directory_id = h.directory_id`

const active = `
  select s.active_users, coalesce(w.buckets, '[]') as buckets from directory_state s
  left join removal_windows w on w.directory_id = s.directory_id and w.kind = 'users'
  where s.directory_id = $1 and s.revision >= 0`

const removed = `
  select ${removedUserColumns} from (
    select * from removed_users where directory_id = $1 and (removed_at, row_position) > ($2, $3)
    order by removed_at, row_position limit $4
  ) r
  left join lateral (${oneRow('users', 'u', 'id', 'r.user_id')}) u on u.active = 1
  left join lateral (${oneRow('users', 'n', 'user_name_folded', 'r.user_name_folded')}) n on n.active = 1
  order by r.removed_at, r.row_position`

const lock = `
  select ${lockedColumns} from directory_state
  where directory_id = $1 and revision >= 0 and held_from is not null for update`

const unmark = `
  update directory_state set held_from = null, ${addsWork('endpoint')}, ${addsWork('on-event')} where directory_id = $1`

/** `$2` the last sequence number from then on, `$3` how many events are discarded now. */
const setBack = `
  update directory_state set last_sequence = $2, discarded_events = discarded_events + $3 where directory_id = $1`

const removeHold = 'delete from holds where directory_id = $1'
const forget = 'delete from removal_windows where directory_id = $1'
const removeReplays = 'delete from replays where directory_id = $1 and sequence > $2'
const removeDeprovisionings = 'delete from deprovisionings where directory_id = $1 and sequence > $2'

const eventsPerStep = 2_000

const removeEvents = `
  delete from events where ctid = any(array(
    select ctid from events where directory_id = $1 and sequence > $2 order by sequence limit ${eventsPerStep}))
  returning sequence`

/** Holds on PostgreSQL. */
export function postgresHolds(database: Database, { rows, row }: Reader, { enqueue }: KeyedQueue): HoldStore {
  const queued = createQueued(enqueue)

  const getHold: HoldStore['getHold'] = async (directoryId) => {
    const found = await row({ text: byDirectory, values: [directoryId] })
    return found && decodeHold(found)
  }

  return {
    getHold,
    async removalCounts(directoryId, limit, now) {
      const found = await row({ text: active, values: [directoryId] })
      if (found === undefined) return undefined
      const activeUsers = integer(found, 'active_users')
      const within = removalsWithin(decodeWindow(found), limit, now)
      const highest = Math.max(within.highest, activeUsers)
      return { hold: await getHold(directoryId), activeUsers, removals: within.removals, highest }
    },
    async removedUsers({ directoryId, countedFrom }, { at, row: position }, limit) {
      const after = at < countedFrom ? [countedFrom, -1] : [at, position]
      return (await rows({ text: removed, values: [directoryId, ...after, limit] })).map(decodeRemovedUser)
    },
    listHolds: async (after, limit) => (await rows({ text: page, values: [after, limit] })).map(decodeHold),
    async countHolds() {
      const found = (await row({ text: count, values: [] })) ?? {}
      return { directories: integer(found, 'directories'), removals: integer(found, 'removals') }
    },
    takeNewHolds: async (limit) => (await database.query({ text: takeNew, values: [limit] })).map(decodeHold),
    releaseHold: (directoryId, audit) => queued(directoryId, () => release(database, directoryId, audit)),
    discardHold: (request, audit) => queued(request.directoryId, () => discard(database, request, audit)),
  }
}

function release({ transaction }: Database, directoryId: string, audit: AuditWrite | undefined): Promise<boolean> {
  return transaction(withAuditHead([{ text: lock, values: [directoryId] }], audit), (rows) => {
    if (decodeLocked(rows[0]) === undefined) return { statements: [], answer: false }
    return { statements: [...endHold(directoryId), ...auditStatements(rows, audit)], answer: true }
  })
}

/** Removes the held events and begins the resync in one transaction; nobody has received anything of them. */
function discard(
  { longTransaction }: Database,
  request: ResyncRequest,
  audit: AuditWrite | undefined,
): Promise<Resync | undefined> {
  const { directoryId } = request
  return longTransaction(async (run) => {
    const [locked] = await run([{ text: lock, values: [directoryId] }])
    const state = decodeLocked(locked)
    if (state?.heldFrom === undefined) return undefined
    const lastSequence = state.heldFrom - 1
    const discardedNow = state.lastSequence - lastSequence
    const removing = { text: removeEvents, values: [directoryId, lastSequence] }
    while ((await run([removing]))[0]?.length === eventsPerStep);
    const [counted = []] = await run([{ text: countPresent, values: [directoryId] }])
    const after = { lastSequence, discardedEvents: state.discardedEvents + discardedNow }
    const decision = resyncStart(request, after, decodeCounts(counted[0] ?? {}))
    const { statements, answer } = conclude(decision, request.startedAt)
    await run([
      ...endHold(directoryId),
      { text: setBack, values: [directoryId, lastSequence, discardedNow] },
      { text: removeReplays, values: [directoryId, lastSequence] },
      { text: removeDeprovisionings, values: [directoryId, lastSequence] },
      ...statements,
    ])
    if (audit !== undefined) await run(auditStatements(await run([lockAuditHead]), audit))
    return answer
  })
}

function endHold(directoryId: string): Statement[] {
  return [unmark, removeHold, forget].map((text) => ({ text, values: [directoryId] }))
}
