import type { DatabaseSync } from 'node:sqlite'
import type { HoldStore } from '../../delivery/hold/hold-store.ts'
import { removalsWithin } from '../../directory/removal-limit.ts'
import { decodeHold, decodeRemovedUser, decodeWindow, holdColumns, removedUserColumns } from '../removals.ts'
import { resyncStart } from '../resync.ts'
import { integer, text } from '../row.ts'
import type { AppendAudit } from './audit.ts'
import { createAddWork } from './dead-events.ts'
import type { DirectoryGate } from './directory-gate.ts'
import type { DirectoryState } from './events.ts'
import { decodeDirectoryState, directoryStateColumns } from './events.ts'
import type { GroupCommit } from './group-commit.ts'
import type { LargeChanges } from './large-changes.ts'
import type { ListCounts } from './list-counts.ts'
import { createResyncCounts, createSaveResync } from './resync.ts'
import { eventKeysAfter, rowKey } from './row-key.ts'

const from = 'from holds h join directory_state s on s.directory_id = h.directory_id where s.revision >= 0'

interface HoldParts {
  readonly counts: ListCounts
  readonly appendAudit: AppendAudit
  readonly gate: DirectoryGate
  /** Keeps a directory closed while discarded events are removed. */
  readonly large: Pick<LargeChanges, 'closed' | 'markDiscarded'>
}

/** Holds on SQLite. */
export function sqliteHolds(db: DatabaseSync, commits: GroupCommit, parts: HoldParts): HoldStore {
  return { ...createReads(db), ...createEnds(db, commits, parts), takeNewHolds: createTakeNew(db, commits) }
}

function createReads(
  db: DatabaseSync,
): Pick<HoldStore, 'getHold' | 'sendableIds' | 'removalCounts' | 'removedUsers' | 'listHolds' | 'countHolds'> {
  const byDirectory = db.prepare(`select ${holdColumns} ${from} and h.directory_id = ?`)
  const page = db.prepare(`select ${holdColumns} ${from} and h.directory_id > ? order by h.directory_id limit ?`)
  const count = db.prepare(
    'select count(*) as directories, coalesce(sum(removals - removals_before), 0) as removals from holds',
  )
  const active = db.prepare('select active_users from directory_state where directory_id = ? and revision >= 0')
  const window = db.prepare(`select buckets from removal_windows where directory_id = ? and kind = 'users'`)
  const removed = db.prepare(`
    select ${removedUserColumns} from removed_users r
    where r.directory_id = ? and r.row_position > ? order by r.row_position limit ?`)

  const sendable = db.prepare(`
    select id from events where ${eventKeysAfter('row_key', '?2')} order by row_key limit ?3`)

  const getHold: HoldStore['getHold'] = async (directoryId) => {
    const row = byDirectory.get(directoryId)
    return row && decodeHold(row)
  }
  return {
    getHold,
    sendableIds: async (directoryId, first, last) =>
      new Set(sendable.all(directoryId, first - 1, last - first + 1).map((row) => text(row, 'id'))),
    async removalCounts(directoryId, limit, now) {
      const row = active.get(directoryId)
      if (row === undefined) return undefined
      const activeUsers = integer(row, 'active_users')
      const within = removalsWithin(decodeWindow(window.get(directoryId)), limit, now)
      const highest = Math.max(within.highest, activeUsers)
      return { hold: await getHold(directoryId), activeUsers, removals: within.removals, highest }
    },
    removedUsers: async ({ directoryId, countedFrom }, after, limit) =>
      removed.all(directoryId, Math.max(after, countedFrom - 1), limit).map(decodeRemovedUser),
    listHolds: async (after, limit) => page.all(after, limit).map(decodeHold),
    async countHolds() {
      const row = count.get() ?? {}
      return { directories: integer(row, 'directories'), removals: integer(row, 'removals') }
    },
  }
}

function createTakeNew(db: DatabaseSync, { write }: GroupCommit): HoldStore['takeNewHolds'] {
  const unreported = db.prepare(`
    select ${holdColumns} from holds h indexed by holds_unreported
    cross join directory_state s on s.directory_id = h.directory_id where h.reported = 0 limit ?`)
  const report = db.prepare('update holds set reported = 1 where directory_id = ?')
  return async (limit) => {
    // Without any there is no write, which would be a commit.
    if (unreported.get(1) === undefined) return []
    return write(() => {
      const holds = unreported.all(limit).map(decodeHold)
      for (const { directoryId } of holds) report.run(directoryId)
      return holds
    })
  }
}

function createEnds(
  db: DatabaseSync,
  { write }: GroupCommit,
  { counts, appendAudit, gate, large }: HoldParts,
): Pick<HoldStore, 'releaseHold' | 'discardHold'> {
  const state = db.prepare(`
    select ${directoryStateColumns} from directory_state
    where directory_id = ? and revision >= 0 and held_from is not null`)
  const endHold = createEndHold(db)
  const discardEvents = createDiscardEvents(db)
  const countPresent = createResyncCounts(db, counts)
  const saveResync = createSaveResync(db)

  return {
    releaseHold: (directoryId, audit) =>
      gate.whenOpen(directoryId, () =>
        write(() => {
          if (state.get(directoryId) === undefined) return false
          appendAudit(audit)
          endHold(directoryId)
          return true
        }),
      ),
    async discardHold(request, audit) {
      const { directoryId } = request
      if (state.get(directoryId) === undefined) return undefined
      return large.closed(directoryId, () =>
        write(() => {
          const row = state.get(directoryId)
          if (row === undefined) return undefined
          appendAudit(audit)
          endHold(directoryId)
          large.markDiscarded(directoryId)
          const directory = discardEvents(decodeDirectoryState(directoryId, row))
          return saveResync(directory, resyncStart(request, directory, countPresent(directoryId)), request.startedAt)
        }),
      )
    },
  }
}

/** Ends the hold of a directory; what was removed before counts no longer. */
function createEndHold(db: DatabaseSync) {
  const unmark = db.prepare('update directory_state set held_from = null where directory_id = ?')
  const remove = db.prepare('delete from holds where directory_id = ?')
  const forget = db.prepare('delete from removal_windows where directory_id = ?')
  const addWork = createAddWork(db)
  return (directoryId: string): void => {
    unmark.run(directoryId)
    remove.run(directoryId)
    forget.run(directoryId)
    addWork.endpoint.run(directoryId)
    addWork['on-event'].run(directoryId)
  }
}

/**
 * Sets the last sequence number back to the one before the first held event: the events after it are visible to nobody, and
 * are removed in steps, with their deprovisionings. The first one makes way for the next event at once.
 */
function createDiscardEvents(db: DatabaseSync) {
  const setBack = db.prepare(
    'update directory_state set last_sequence = ?, discarded_events = ? where directory_id = ?',
  )
  const removeFirst = db.prepare('delete from events where row_key = ?')
  const endFirst = db.prepare('delete from deprovisionings where directory_id = ? and sequence = ?')
  const removeReplays = db.prepare('delete from replays where directory_id = ? and sequence > ?')
  return (directory: DirectoryState): DirectoryState => {
    const { id, number, lastSequence: last, heldFrom = last + 1 } = directory
    const lastSequence = heldFrom - 1
    const discardedEvents = directory.discardedEvents + last - lastSequence
    setBack.run(lastSequence, discardedEvents, id)
    removeFirst.run(rowKey(number, heldFrom))
    endFirst.run(id, heldFrom)
    removeReplays.run(id, lastSequence)
    return { ...directory, lastSequence, discardedEvents, heldFrom: undefined }
  }
}
