import type { AcceptedReasons, Hold, HoldStore } from '../delivery/hold/hold-store.ts'
import type { SplitHolds } from '../delivery/hold/reasons.ts'
import { afterDiscard, firstHeld, splitHolds } from '../delivery/hold/reasons.ts'
import type { Resync, ResyncRequest } from '../delivery/resync/resync.ts'
import type { AuditWrite } from '../directory/audit.ts'
import { activityEvent } from '../directory/change-directory.ts'
import { entryAfter, lockAuditHead } from './audit-chain.ts'
import { identifyEvent } from './events.ts'
import { decodeHold, endHolds, holdKey, holdsRead, releasedHolds } from './holds.ts'
import { countPresent, decodeCounts, resyncStart } from './resync.ts'
import type { Row } from './row.ts'
import { boolean, integer, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'
import { limitSending } from './streams.ts'
import type { Batch, Commit, Stage } from './write/batch.ts'
import { writeOwnEvents } from './write/effects/events.ts'
import type { Facts } from './write/facts.ts'
import { lockedState } from './write/facts.ts'
import { WriteCollection } from './write/writes.ts'

/** What belongs to events after the last one. */
const removals = ['events', 'replays', 'deprovisionings'].map(
  (table) => `delete from ${table} where directory_id = $1 and sequence > $2`,
)

/** Each write to the directory waits for one step at most. */
const eventsPerStep = 300

/** The last event of a step that says whether the directory is active. */
const lastTurn = `
  select e.sequence from events e
  where e.directory_id = $1 and e.event_type in ('directory.deactivated', 'directory.activated')
    and e.sequence > (select s.last_sequence - ${eventsPerStep} from directory_state s where s.directory_id = $1)
  order by e.sequence desc limit 1`
const directory = 'select id, name, tenant, product, directory_type, deactivated from directories where id = $1'

const markDiscarding = 'update holds set discarding = 1 where directory_id = $1 and reason = $2 and role = $3'
/** A resync reports what is gone, whichever hold its events were of. */
const unmark = 'update holds set discarding = 0 where directory_id = $1 and discarding = 1'

type Release = Awaited<ReturnType<HoldStore['releaseHold']>>

/** Ends of holds: their events are released, or discarded. */
export function createHoldEnds(
  { dialect: { now } }: Pick<SqlDatabase, 'dialect'>,
  commit: Commit,
): Pick<HoldStore, 'releaseHold' | 'discardHold'> {
  return {
    async releaseHold(directoryId, accepted, audit) {
      const released = await commit(releaseBatch(directoryId, accepted, audit, now))
      return released === 'directory-changed' ? false : released
    },
    /**
     * Removes the held events, the last ones first, in steps of their own transactions: nobody has received anything of them, and other
     * writes to the directory are made in between. The last step begins the resync.
     */
    async discardHold(request, accepted, audit) {
      let split = (holds: readonly Hold[]) => splitHolds(holds, accepted)
      let isTurned = false
      for (let unwritten = audit; ; unwritten = undefined) {
        const made: DiscardStep | 'directory-changed' = await commit(
          discardStep(request, split, isTurned, unwritten, now),
        )
        if (made === 'directory-changed') return undefined
        if (made.isDone) return made.resync
        isTurned = made.isTurned
        split = splitAgain(made.ended)
      }
    },
  }
}

function holdsIn({ rows }: Facts): Hold[] {
  return (rows['holds'] ?? []).map(decodeHold)
}

/** The last lock of a transaction: see `lockAuditHead`. */
function auditRead(audit: AuditWrite | undefined): Readonly<Record<string, Statement>> {
  return audit === undefined ? {} : { auditHead: lockAuditHead }
}

function audited({ rows }: Facts, audit: AuditWrite | undefined): readonly Statement[] {
  return audit === undefined ? [] : entryAfter(rows['auditHead'], audit).statements
}

function releaseBatch(
  directoryId: string,
  accepted: AcceptedReasons | undefined,
  audit: AuditWrite | undefined,
  now: string,
): Batch<Release> {
  return {
    directory: { id: directoryId },
    request: { reads: { holds: holdsRead(directoryId), ...auditRead(audit) } },
    decide(facts) {
      const writes = new WriteCollection()
      const released = releasedHolds(holdsIn(facts), accepted)
      if (typeof released === 'string') return { writes, answer: () => (released === 'not-held' ? false : released) }
      writes.run(...audited(facts, audit), ...endHolds(directoryId, released, now))
      return { writes, answer: () => true }
    },
  }
}

interface DiscardStep {
  /** Whether all discarded events are gone. */
  readonly isDone: boolean
  /** The resync that has begun; undefined before, and when nothing was held. */
  readonly resync?: Resync
  /** The ended holds: a later step ends the same ones, whatever has begun since. */
  readonly ended: readonly Hold[]
  /** Whether an event that says whether the directory is active is among those that are gone: the last step says it again. */
  readonly isTurned: boolean
}

/** Splits holds as a step before has done, which ended some. */
function splitAgain(before: readonly Hold[]): (holds: readonly Hold[]) => SplitHolds {
  const keys = new Set(before.map((hold) => holdKey(hold).join(' ')))
  const isEnded = (hold: Hold) => keys.has(holdKey(hold).join(' '))
  return (holds) => ({
    ended: holds.filter(isEnded),
    remaining: holds.filter((hold) => !isEnded(hold)),
  })
}

function discardStep(
  request: ResyncRequest,
  split: (holds: readonly Hold[]) => SplitHolds,
  wasTurned: boolean,
  audit: AuditWrite | undefined,
  now: string,
): Batch<DiscardStep> {
  const { directoryId } = request
  return {
    directory: { id: directoryId },
    request: { reads: { holds: holdsRead(directoryId), turn: { text: lastTurn, values: [directoryId] } } },
    decide(facts) {
      const writes = new WriteCollection()
      const chosen = split(holdsIn(facts))
      const from = firstHeld(chosen.ended)
      if (from === undefined) return { writes, answer: () => ({ isDone: true, ended: [], isTurned: false }) }
      const { lastSequence } = lockedState(facts)
      const last = Math.max(from - 1, lastSequence - eventsPerStep)
      writes.state.events = last - lastSequence
      writes.state.discardedEvents = lastSequence - last
      writes.run(...removals.map((one) => ({ text: one, values: [directoryId, last] })))
      const [turn] = facts.rows['turn'] ?? []
      const isTurned = wasTurned || (turn !== undefined && integer(turn, 'sequence') > last)
      return { writes, next: endOfStep(request, chosen, { from, isTurned }, audit, now) }
    },
  }
}

/** Ends the holds and begins the resync if all of their events, which begin with `from`, are gone; otherwise marks the holds. */
function endOfStep(
  request: ResyncRequest,
  chosen: SplitHolds,
  { from, isTurned }: { readonly from: number; readonly isTurned: boolean },
  audit: AuditWrite | undefined,
  now: string,
): Stage<DiscardStep> {
  const { directoryId } = request
  const { ended } = chosen
  return {
    request: {
      reads: {
        counts: countPresent(directoryId),
        directory: { text: directory, values: [directoryId] },
        ...auditRead(audit),
      },
    },
    decide(facts) {
      const state = lockedState(facts)
      if (state.lastSequence >= from) {
        const writes = new WriteCollection()
        const marks = ended.map((hold) => ({ text: markDiscarding, values: holdKey(hold) }))
        writes.run(...audited(facts, audit), ...marks)
        return { writes, answer: () => ({ isDone: false, ended, isTurned }) }
      }
      const { resync, writes } = resyncStart(request, state, decodeCounts(facts.rows['counts']))
      if (isTurned) reportActivity(request, facts.rows['directory'] ?? [], writes)
      const unmarking = { text: unmark, values: [directoryId] }
      writes.run(...audited(facts, audit), unmarking, ...endHolds(directoryId, afterDiscard(chosen, from), now))
      return { writes, answer: () => ({ isDone: true, resync, ended, isTurned }) }
    },
  }
}

/** Says again whether the directory is active. */
function reportActivity(
  { requestId, startedAt: at }: ResyncRequest,
  [row]: readonly Row[],
  writes: WriteCollection,
): void {
  if (row === undefined) return
  const [id, name, tenant, product] = [text(row, 'id'), text(row, 'name'), text(row, 'tenant'), text(row, 'product')]
  const deactivated = boolean(row, 'deactivated')
  const event = activityEvent({ id, name, tenant, product, directoryType: text(row, 'directory_type'), deactivated })
  writeOwnEvents([identifyEvent(event, { requestId, at })], writes)
  writes.run(limitSending(id, deactivated))
}
