import type { AcceptedReasons, Hold, HoldStore } from '../../delivery/hold/hold-store.ts'
import type { SplitHolds } from '../../delivery/hold/reasons.ts'
import { afterDiscard, firstHeld, splitHolds } from '../../delivery/hold/reasons.ts'
import type { Resync, ResyncRequest } from '../../delivery/resync/resync.ts'
import type { AuditWrite } from '../../directory/audit.ts'
import { auditStatements, lockAuditHead, withAuditHead } from '../audit-chain.ts'
import type { EngineHolds } from '../holds.ts'
import { decodeHold, endHolds, holdKey, lockedHoldsRead, releasedHolds } from '../holds.ts'
import { countPresent, decodeCounts, resyncStart } from '../resync.ts'
import { text } from '../row.ts'
import type { InTurn } from './batches.ts'
import type { Database } from './database.ts'
import { decodeLocked, lockedColumns } from './directories.ts'
import { lastSendable } from './events.ts'
import type { Reader } from './reader.ts'
import { now, ofDirectory } from './sql.ts'
import { writeStatements } from './write/statement.ts'

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

const markDiscarding = 'update holds set discarding = 1 where directory_id = $1 and reason = $2 and role = $3'
/** A resync reports what is gone, whichever hold its events were of. */
const unmark = 'update holds set discarding = 0 where directory_id = $1 and discarding = 1'

/** Ends of holds on PostgreSQL, and the events that are not held. */
export function postgresHolds(database: Database, { rows }: Reader, inTurn: InTurn): EngineHolds {
  return {
    async sendableIds(directoryId, first, last) {
      const found = await rows({ text: sendable, values: [directoryId, first, last] })
      return new Set(found.map((row) => text(row, 'id')))
    },
    releaseHold: (directoryId, accepted, audit) =>
      inTurn(directoryId, () => release(database, directoryId, accepted, audit)),
    discardHold: (request, accepted, audit) => discard(database, inTurn, request, accepted, audit),
  }
}

type Release = Awaited<ReturnType<HoldStore['releaseHold']>>

function release(
  { transaction }: Database,
  directoryId: string,
  accepted: AcceptedReasons | undefined,
  audit: AuditWrite | undefined,
): Promise<Release> {
  const reads = [{ text: lock, values: [directoryId] }, lockedHoldsRead(directoryId)]
  return transaction<Release>(withAuditHead(reads, audit), (rows) => {
    const [locked, holds = []] = rows
    const released = decodeLocked(locked) === undefined ? 'not-held' : releasedHolds(holds.map(decodeHold), accepted)
    if (typeof released === 'string') return { statements: [], answer: released === 'not-held' ? false : released }
    return { statements: [...auditStatements(rows, audit), ...endHolds(directoryId, released, now)], answer: true }
  })
}

interface DiscardStep {
  /** Whether all discarded events are gone. */
  readonly isDone: boolean
  /** The resync that has begun; undefined before, and when nothing was held. */
  readonly resync?: Resync
  /** The ended holds: a later step ends the same ones, whatever has begun since. */
  readonly ended: readonly Hold[]
}

/**
 * Removes the held events, the last ones first, in steps of their own transactions: nobody has received anything of them, and other
 * writes to the directory are made in between. The last step begins the resync.
 */
async function discard(
  database: Database,
  inTurn: InTurn,
  request: ResyncRequest,
  accepted: AcceptedReasons | undefined,
  audit: AuditWrite | undefined,
): Promise<Resync | undefined> {
  const step = (split: (holds: readonly Hold[]) => SplitHolds, unwritten: AuditWrite | undefined) =>
    inTurn(request.directoryId, () => discardStep(database, request, split, unwritten))
  let made = await step((holds) => splitHolds(holds, accepted), audit)
  while (!made.isDone) {
    const keys = new Set(made.ended.map((hold) => holdKey(hold).join(' ')))
    const isEnded = (hold: Hold) => keys.has(holdKey(hold).join(' '))
    const again = (holds: readonly Hold[]) => ({
      ended: holds.filter(isEnded),
      remaining: holds.filter((hold) => !isEnded(hold)),
    })
    made = await step(again, undefined)
  }
  return made.resync
}

function discardStep(
  { longTransaction }: Database,
  request: ResyncRequest,
  split: (holds: readonly Hold[]) => SplitHolds,
  audit: AuditWrite | undefined,
): Promise<DiscardStep> {
  const { directoryId } = request
  return longTransaction(async (run) => {
    const [locked, holds = []] = await run([{ text: lock, values: [directoryId] }, lockedHoldsRead(directoryId)])
    const state = decodeLocked(locked)
    const chosen = split(holds.map(decodeHold))
    const from = firstHeld(chosen.ended)
    if (state === undefined || from === undefined) return { isDone: true, ended: [] }
    const removing = { text: removeLastEvents, values: [directoryId, from - 1] }
    const [removed = [], counted] = await run([removing, countPresent(directoryId)])
    const lastSequence = state.lastSequence - removed.length
    const isDone = lastSequence < from
    const after = { ...state, lastSequence, discardedEvents: state.discardedEvents + removed.length }
    const { resync, writes } = resyncStart(request, after, decodeCounts(counted))
    const audited = audit === undefined ? [] : auditStatements(await run([lockAuditHead]), audit)
    await run([
      { text: setBack, values: [directoryId, lastSequence, removed.length] },
      { text: removeReplays, values: [directoryId, lastSequence] },
      { text: removeDeprovisionings, values: [directoryId, lastSequence] },
      ...audited,
      ...(isDone
        ? [
            { text: unmark, values: [directoryId] },
            ...writeStatements(directoryId, writes, after),
            ...endHolds(directoryId, afterDiscard(chosen, lastSequence + 1), now),
          ]
        : chosen.ended.map((hold) => ({ text: markDiscarding, values: holdKey(hold) }))),
    ])
    return isDone ? { isDone, resync, ended: chosen.ended } : { isDone, ended: chosen.ended }
  })
}
