import type { DatabaseSync } from 'node:sqlite'
import { afterDiscard, firstHeld, splitHolds } from '../../delivery/hold/reasons.ts'
import type { EngineHolds } from '../holds.ts'
import { decodeHold, endHolds, holdsRead, releasedHolds } from '../holds.ts'
import { countPresent, decodeCounts, resyncStart } from '../resync.ts'
import { text } from '../row.ts'
import type { AppendAudit } from './audit.ts'
import type { DirectoryGate } from './directory-gate.ts'
import type { DirectoryState } from './events.ts'
import { decodeDirectoryState, directoryStateColumns } from './events.ts'
import type { GroupCommit } from './group-commit.ts'
import type { LargeChanges } from './large-changes.ts'
import { eventKeysAfter, rowKey } from './row-key.ts'
import type { RunStatement } from './sql-database.ts'
import { now } from './sql-database.ts'
import type { WriteRows } from './write/rows.ts'

interface HoldParts {
  readonly run: RunStatement
  readonly appendAudit: AppendAudit
  readonly gate: DirectoryGate
  readonly writeRows: WriteRows
  /** Keeps a directory closed while discarded events are removed. */
  readonly large: Pick<LargeChanges, 'closed' | 'markDiscarded'>
}

/** Ends of holds on SQLite, and the events that are not held. */
export function sqliteHolds(
  db: DatabaseSync,
  { write }: GroupCommit,
  { run, appendAudit, gate, writeRows, large }: HoldParts,
): EngineHolds {
  const state = db.prepare(`
    select ${directoryStateColumns} from directory_state
    where directory_id = ? and revision >= 0 and held_from is not null`)
  const holdsOf = (directoryId: string) => run(holdsRead(directoryId)).map(decodeHold)
  const discardEvents = createDiscardEvents(db)
  const sendable = db.prepare(`
    select id from events where ${eventKeysAfter('row_key', '?2')} order by row_key limit ?3`)

  return {
    sendableIds: async (directoryId, first, last) =>
      new Set(sendable.all(directoryId, first - 1, last - first + 1).map((row) => text(row, 'id'))),
    releaseHold: (directoryId, accepted, audit) =>
      gate.whenOpen(directoryId, () =>
        write(() => {
          const released = releasedHolds(holdsOf(directoryId), accepted)
          if (typeof released === 'string') return released === 'not-held' ? false : released
          appendAudit(audit)
          endHolds(directoryId, released, now).forEach(run)
          return true
        }),
      ),
    async discardHold(request, accepted, audit) {
      const { directoryId } = request
      if (state.get(directoryId) === undefined) return undefined
      return large.closed(directoryId, () =>
        write(() => {
          const row = state.get(directoryId)
          const split = splitHolds(holdsOf(directoryId), accepted)
          const from = firstHeld(split.ended)
          if (row === undefined || from === undefined) return undefined
          appendAudit(audit)
          endHolds(directoryId, afterDiscard(split, from), now).forEach(run)
          large.markDiscarded(directoryId)
          const directory = discardEvents(decodeDirectoryState(directoryId, row), from)
          const counts = decodeCounts(run(countPresent(directoryId)))
          const { resync, writes } = resyncStart(request, directory, counts)
          writeRows(directory, writes)
          return resync
        }),
      )
    },
  }
}

/**
 * Sets the last sequence number back to the one before the first discarded event: the events after it are visible to nobody, and
 * are removed in steps, with their deprovisionings. The first one makes way for the next event at once.
 */
function createDiscardEvents(db: DatabaseSync) {
  const setBack = db.prepare(
    'update directory_state set last_sequence = ?, discarded_events = ? where directory_id = ?',
  )
  const removeFirst = db.prepare('delete from events where row_key = ?')
  const endFirst = db.prepare('delete from deprovisionings where directory_id = ? and sequence = ?')
  const removeReplays = db.prepare('delete from replays where directory_id = ? and sequence > ?')
  return (directory: DirectoryState, first: number): DirectoryState => {
    const { id, number, lastSequence: last } = directory
    const lastSequence = first - 1
    const discardedEvents = directory.discardedEvents + last - lastSequence
    setBack.run(lastSequence, discardedEvents, id)
    removeFirst.run(rowKey(number, first))
    endFirst.run(id, first)
    removeReplays.run(id, lastSequence)
    return { ...directory, lastSequence, discardedEvents }
  }
}
