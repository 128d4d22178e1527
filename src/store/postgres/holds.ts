import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { HoldStore } from '../../delivery/hold/hold-store.ts'
import type { Resync, ResyncRequest } from '../../delivery/resync/resync.ts'
import type { AuditWrite } from '../../directory/audit.ts'
import { removalsWithin } from '../../directory/removal-limit.ts'
import { auditStatements, lockAuditHead, withAuditHead } from '../audit-chain.ts'
import { decodeHold, decodeRemovedUser, decodeWindow, holdColumns, removedUserColumns } from '../removals.ts'
import { resyncStart } from '../resync.ts'
import { integer, text } from '../row.ts'
import { addsWork } from '../streams.ts'
import type { Database, Statement } from './database.ts'
import { decodeLocked, lockedColumns } from './directories.ts'
import { lastSendable } from './events.ts'
import type { Reader } from './reader.ts'
import { conclude, countPresent, createQueued, decodeCounts } from './resync.ts'
import { ofDirectory } from './sql.ts'

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

const sendable = `
  select id from events where directory_id = $1 and sequence between $2 and $3 and sequence <= ${lastSendable}
  order by sequence`

const active = `
  select s.active_users, coalesce(w.buckets, '[]') as buckets from directory_state s
  left join removal_windows w on w.directory_id = s.directory_id and w.kind = 'users'
  where s.directory_id = $1 and s.revision >= 0`

const removed = `
  select ${removedUserColumns} from removed_users r where r.directory_id = $1 and r.row_position > $2
  order by r.row_position limit $3`

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

/** Each write to the directory waits for one step at most. */
const eventsPerStep = 500

/** Removes the last events after `$2`. */
const removeLastEvents = `
  delete from events where ${ofDirectory()} and ctid = any(array(
    select ctid from events where directory_id = $1 and sequence > $2 order by sequence desc limit ${eventsPerStep}))
  returning sequence`

const isDiscarding = 'select from holds where directory_id = $1 and discarding = 1'
const markDiscarding = 'update holds set discarding = 1 where directory_id = $1'

/** Holds on PostgreSQL. */
export function postgresHolds(database: Database, { rows, row }: Reader, { enqueue }: KeyedQueue): HoldStore {
  const queued = createQueued(enqueue)

  const getHold: HoldStore['getHold'] = async (directoryId) => {
    const found = await row({ text: byDirectory, values: [directoryId] })
    return found && decodeHold(found)
  }

  return {
    getHold,
    async sendableIds(directoryId, first, last) {
      return new Set(
        (await rows({ text: sendable, values: [directoryId, first, last] })).map((found) => text(found, 'id')),
      )
    },
    async removalCounts(directoryId, limit, now) {
      const found = await row({ text: active, values: [directoryId] })
      if (found === undefined) return undefined
      const activeUsers = integer(found, 'active_users')
      const within = removalsWithin(decodeWindow(found), limit, now)
      const highest = Math.max(within.highest, activeUsers)
      return { hold: await getHold(directoryId), activeUsers, removals: within.removals, highest }
    },
    async removedUsers({ directoryId, countedFrom }, after, limit) {
      const values = [directoryId, Math.max(after, countedFrom - 1), limit]
      return (await rows({ text: removed, values })).map(decodeRemovedUser)
    },
    listHolds: async (after, limit) => (await rows({ text: page, values: [after, limit] })).map(decodeHold),
    async countHolds() {
      const found = (await row({ text: count, values: [] })) ?? {}
      return { directories: integer(found, 'directories'), removals: integer(found, 'removals') }
    },
    takeNewHolds: async (limit) => (await database.query({ text: takeNew, values: [limit] })).map(decodeHold),
    releaseHold: (directoryId, audit) => queued(directoryId, () => release(database, directoryId, audit)),
    discardHold: (request, audit) => discard(database, queued, request, audit),
  }
}

type Release = Awaited<ReturnType<HoldStore['releaseHold']>>

/** What is left of a discard that failed cannot be sent: the events after it are gone. */
function release({ transaction }: Database, directoryId: string, audit: AuditWrite | undefined): Promise<Release> {
  const reads = [lock, isDiscarding].map((text) => ({ text, values: [directoryId] }))
  return transaction<Release>(withAuditHead(reads, audit), (rows) => {
    if (decodeLocked(rows[0]) === undefined) return { statements: [], answer: false }
    if (rows[1]?.length === 1) return { statements: [], answer: 'discarding' }
    return { statements: [...endHold(directoryId), ...auditStatements(rows, audit)], answer: true }
  })
}

/** The result of a step that leaves held events. */
const unfinished = Symbol('unfinished')

/**
 * Removes the held events, the last ones first, in steps of their own transactions: nobody has received anything of them, and other
 * writes to the directory are made in between. The last step begins the resync.
 *
 * @param queued makes a step wait for its turn among the writes of the directory
 */
async function discard(
  database: Database,
  queued: ReturnType<typeof createQueued>,
  request: ResyncRequest,
  audit: AuditWrite | undefined,
): Promise<Resync | undefined> {
  const step = (unwritten: AuditWrite | undefined) =>
    queued(request.directoryId, () => discardStep(database, request, unwritten))
  let outcome = await step(audit)
  while (outcome === unfinished) outcome = await step(undefined)
  return outcome
}

function discardStep(
  { longTransaction }: Database,
  request: ResyncRequest,
  audit: AuditWrite | undefined,
): Promise<Resync | undefined | typeof unfinished> {
  const { directoryId } = request
  return longTransaction(async (run) => {
    const [locked] = await run([{ text: lock, values: [directoryId] }])
    const state = decodeLocked(locked)
    if (state?.heldFrom === undefined) return undefined
    const removing = { text: removeLastEvents, values: [directoryId, state.heldFrom - 1] }
    const [removed = [], counted = []] = await run([removing, { text: countPresent, values: [directoryId] }])
    const lastSequence = state.lastSequence - removed.length
    const isLast = lastSequence < state.heldFrom
    const discardedEvents = state.discardedEvents + removed.length
    const decision = resyncStart(request, { lastSequence, discardedEvents }, decodeCounts(counted[0] ?? {}))
    const { statements, answer } = conclude(decision, request.startedAt)
    await run([
      { text: setBack, values: [directoryId, lastSequence, removed.length] },
      { text: removeReplays, values: [directoryId, lastSequence] },
      { text: removeDeprovisionings, values: [directoryId, lastSequence] },
      ...(isLast ? [...endHold(directoryId), ...statements] : [{ text: markDiscarding, values: [directoryId] }]),
    ])
    if (audit !== undefined) await run(auditStatements(await run([lockAuditHead]), audit))
    return isLast ? answer : unfinished
  })
}

function endHold(directoryId: string): Statement[] {
  return [unmark, removeHold, forget].map((text) => ({ text, values: [directoryId] }))
}
