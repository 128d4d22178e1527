import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { HoldStore } from '../../delivery/hold/hold-store.ts'
import type { Resync, ResyncRequest } from '../../delivery/resync/resync.ts'
import type { AuditWrite } from '../../directory/audit.ts'
import { auditStatements, lockAuditHead, withAuditHead } from '../audit-chain.ts'
import type { EngineHolds } from '../holds.ts'
import { endHold } from '../holds.ts'
import { countPresent, decodeCounts, resyncStart } from '../resync.ts'
import { text } from '../row.ts'
import type { Database } from './database.ts'
import { decodeLocked, lockedColumns } from './directories.ts'
import { lastSendable } from './events.ts'
import type { Reader } from './reader.ts'
import { conclude, createQueued } from './resync.ts'
import { now, ofDirectory } from './sql.ts'

const sendable = `
  select id from events where directory_id = $1 and sequence between $2 and $3 and sequence <= ${lastSendable}
  order by sequence`

const lock = `
  select ${lockedColumns} from directory_state
  where directory_id = $1 and revision >= 0 and held_from is not null for update`

/** `$2` the last sequence number from then on, `$3` how many events are discarded now. */
const setBack = `
  update directory_state set last_sequence = $2, discarded_events = discarded_events + $3 where directory_id = $1`

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

/** Ends of holds on PostgreSQL, and the events that are not held. */
export function postgresHolds(database: Database, { rows }: Reader, { enqueue }: KeyedQueue): EngineHolds {
  const queued = createQueued(enqueue)
  return {
    async sendableIds(directoryId, first, last) {
      const found = await rows({ text: sendable, values: [directoryId, first, last] })
      return new Set(found.map((row) => text(row, 'id')))
    },
    releaseHold: (directoryId, audit) => queued(directoryId, () => release(database, directoryId, audit)),
    discardHold: (request, audit) => discard(database, queued, request, audit),
  }
}

type Release = Awaited<ReturnType<HoldStore['releaseHold']>>

/** A hold whose discard has failed half-way is not released: some of its events are gone. */
function release({ transaction }: Database, directoryId: string, audit: AuditWrite | undefined): Promise<Release> {
  const reads = [lock, isDiscarding].map((text) => ({ text, values: [directoryId] }))
  return transaction<Release>(withAuditHead(reads, audit), (rows) => {
    if (decodeLocked(rows[0]) === undefined) return { statements: [], answer: false }
    if (rows[1]?.length === 1) return { statements: [], answer: 'discarding' }
    return { statements: [...endHold(directoryId, now), ...auditStatements(rows, audit)], answer: true }
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
    const [removed = [], counted] = await run([removing, countPresent(directoryId)])
    const lastSequence = state.lastSequence - removed.length
    const isLast = lastSequence < state.heldFrom
    const discardedEvents = state.discardedEvents + removed.length
    const decision = resyncStart(request, { lastSequence, discardedEvents }, decodeCounts(counted))
    const { statements, answer } = conclude(decision, request.startedAt)
    await run([
      { text: setBack, values: [directoryId, lastSequence, removed.length] },
      { text: removeReplays, values: [directoryId, lastSequence] },
      { text: removeDeprovisionings, values: [directoryId, lastSequence] },
      ...(isLast ? [...endHold(directoryId, now), ...statements] : [{ text: markDiscarding, values: [directoryId] }]),
    ])
    if (audit !== undefined) await run(auditStatements(await run([lockAuditHead]), audit))
    return isLast ? answer : unfinished
  })
}
