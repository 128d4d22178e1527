import type { AcceptedReasons, Hold, HoldStore } from '../delivery/hold/hold-store.ts'
import type { SplitHolds } from '../delivery/hold/reasons.ts'
import { afterDiscard, firstHeld, splitHolds } from '../delivery/hold/reasons.ts'
import type { Resync, ResyncRequest } from '../delivery/resync/resync.ts'
import type { AuditWrite } from '../directory/audit.ts'
import { auditStatements, withAuditHead } from './audit-chain.ts'
import { decodeHold, endHolds, holdKey, holdsRead, releasedHolds } from './holds.ts'
import type { CountedState } from './removals.ts'
import { decodeCountedState } from './removals.ts'
import { countPresent, decodeCounts, resyncStart } from './resync.ts'
import type { Row } from './row.ts'
import type { Conclusion, SqlDatabase, Statement } from './sql-database.ts'
import type { Writes } from './write/writes.ts'

/** How an engine makes writes to a directory wait for each other, and writes rows. */
export interface HoldEngine {
  /** Does work when it is its turn among the writes of a directory. */
  inTurn<T>(directoryId: string, work: () => Promise<T>): Promise<T>
  /** Writes rows in the running transaction, which has locked the directory, or returns the statements that do. */
  storeWrites(directoryId: string, writes: Writes, state: CountedState): Statement[]
}

const lock = `
  select last_sequence, discarded_events, active_users, memberships, held_from,
    case when last_change_at is null then 0 else 1 end as has_changed
  from directory_state where directory_id = $1 and revision >= 0 and held_from is not null for update`

/** `$2` the last sequence number from then on, `$3` how many events are discarded now. */
const setBack = `
  update directory_state set last_sequence = $2, discarded_events = discarded_events + $3 where directory_id = $1`

/** What belongs to events after the last one. */
const removals = ['events', 'replays', 'deprovisionings'].map(
  (table) => `delete from ${table} where directory_id = $1 and sequence > $2`,
)

/** Each write to the directory waits for one step at most. */
const eventsPerStep = 300

const markDiscarding = 'update holds set discarding = 1 where directory_id = $1 and reason = $2 and role = $3'
/** A resync reports what is gone, whichever hold its events were of. */
const unmark = 'update holds set discarding = 0 where directory_id = $1 and discarding = 1'

/** Ends of holds: their events are released, or discarded. */
export function createHoldEnds(
  database: SqlDatabase,
  engine: HoldEngine,
): Pick<HoldStore, 'releaseHold' | 'discardHold'> {
  return {
    releaseHold: (directoryId, accepted, audit) =>
      engine.inTurn(directoryId, () => release(database, directoryId, accepted, audit)),
    discardHold: (request, accepted, audit) => discard(database, engine, request, accepted, audit),
  }
}

type Release = Awaited<ReturnType<HoldStore['releaseHold']>>

function release(
  { transaction, dialect }: SqlDatabase,
  directoryId: string,
  accepted: AcceptedReasons | undefined,
  audit: AuditWrite | undefined,
): Promise<Release> {
  const reads = [{ text: lock, values: [directoryId] }, holdsRead(directoryId)]
  return transaction<Release>(withAuditHead(reads, audit), (rows) => {
    const [locked = [], holds = []] = rows
    const released = locked.length === 0 ? 'not-held' : releasedHolds(holds.map(decodeHold), accepted)
    if (typeof released === 'string') return { statements: [], answer: released === 'not-held' ? false : released }
    const statements = [...auditStatements(rows, audit), ...endHolds(directoryId, released, dialect.now)]
    return { statements, answer: true }
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
  database: SqlDatabase,
  engine: HoldEngine,
  request: ResyncRequest,
  accepted: AcceptedReasons | undefined,
  audit: AuditWrite | undefined,
): Promise<Resync | undefined> {
  const step = (split: (holds: readonly Hold[]) => SplitHolds, unwritten: AuditWrite | undefined) =>
    engine.inTurn(request.directoryId, () => discardStep(database, engine, request, split, unwritten))
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
  { transaction, dialect }: SqlDatabase,
  { storeWrites }: HoldEngine,
  request: ResyncRequest,
  split: (holds: readonly Hold[]) => SplitHolds,
  audit: AuditWrite | undefined,
): Promise<DiscardStep> {
  const { directoryId } = request
  const first = [{ text: lock, values: [directoryId] }, holdsRead(directoryId), countPresent(directoryId)]
  return transaction(first, ([locked = [], holds = [], counted]): Conclusion<DiscardStep> => {
    const [state] = locked.map(decodeCountedState)
    const chosen = split(holds.map(decodeHold))
    const { ended } = chosen
    const from = firstHeld(ended)
    if (state === undefined || from === undefined) return { statements: [], answer: { isDone: true, ended: [] } }
    const lastSequence = Math.max(from - 1, state.lastSequence - eventsPerStep)
    const removed = state.lastSequence - lastSequence
    const after = { ...state, lastSequence, discardedEvents: state.discardedEvents + removed }
    const removing = [
      ...removals.map((text) => ({ text, values: [directoryId, lastSequence] })),
      { text: setBack, values: [directoryId, lastSequence, removed] },
    ]
    const next = (rows: Row[][]): Conclusion<DiscardStep> => {
      const audited = auditStatements(rows, audit)
      if (lastSequence >= from) {
        const marks = ended.map((hold) => ({ text: markDiscarding, values: holdKey(hold) }))
        return { statements: [...audited, ...marks], answer: { isDone: false, ended } }
      }
      const { resync, writes } = resyncStart(request, after, decodeCounts(counted))
      const statements = [
        ...audited,
        { text: unmark, values: [directoryId] },
        ...storeWrites(directoryId, writes, after),
        ...endHolds(directoryId, afterDiscard(chosen, from), dialect.now),
      ]
      return { statements, answer: { isDone: true, resync, ended } }
    }
    return { statements: withAuditHead(removing, audit), next }
  })
}
