import type { DatabaseSync } from 'node:sqlite'
import type { Resync, ResyncPage } from '../../delivery/resync/resync.ts'
import type { ResyncStepLimits } from '../../delivery/resync/resync-store.ts'
import { groupColumns } from '../groups.ts'
import type { EngineResyncs, ResyncDecision } from '../resync.ts'
import {
  countPresent,
  decideResyncStart,
  decideResyncStep,
  decodeCounts,
  decodeResyncPage,
  decodeStored,
  membershipColumns,
  putResync,
  readResync,
} from '../resync.ts'
import type { Row } from '../row.ts'
import { optionalText, text } from '../row.ts'
import { userColumns } from '../users.ts'
import type { AppendAudit } from './audit.ts'
import { readBounded } from './bounded-rows.ts'
import type { DirectoryGate } from './directory-gate.ts'
import type { DirectoryState } from './events.ts'
import { createRecordEvents, decodeDirectoryState, directoryStateColumns } from './events.ts'
import type { GroupCommit } from './group-commit.ts'
import { rowKeysAfter } from './row-key.ts'
import type { RunStatement } from './sql-database.ts'

interface ResyncParts {
  readonly run: RunStatement
  readonly gate: DirectoryGate
  readonly appendAudit: AppendAudit
}

/** Writes of resyncs on SQLite: every step is one write of the group commit. */
export function sqliteResyncs(
  db: DatabaseSync,
  { write: writeNow }: GroupCommit,
  { run, gate, appendAudit }: ResyncParts,
): EngineResyncs {
  const state = db.prepare(
    `select ${directoryStateColumns} from directory_state where directory_id = ? and revision >= 0`,
  )
  const readPage = createResyncPages(db)
  const save = createSaveResync(db, run)
  const write = <T>(directoryId: string, work: () => T) => gate.whenOpen(directoryId, () => writeNow(work))

  function findDirectory(id: string): DirectoryState | undefined {
    const row = state.get(id)
    return row && decodeDirectoryState(id, row)
  }

  return {
    beginResync: (request, audit) =>
      write(request.directoryId, () => {
        const { directoryId, startedAt } = request
        const directory = findDirectory(directoryId)
        const facts = { directory, stored: decodeStored(run(readResync(directoryId))) }
        const decision = decideResyncStart(request, facts, decodeCounts(run(countPresent(directoryId))))
        if (decision.step !== undefined) appendAudit(audit)
        return save(directory, decision, startedAt)
      }),
    stepResync: async (before, limits, now) => {
      const { directoryId, phase } = before
      if (phase === 'completed') return 'conflict'
      return write(directoryId, () => {
        const directory = findDirectory(directoryId)
        const facts = { directory, stored: decodeStored(run(readResync(directoryId))) }
        return save(directory, decideResyncStep(before, facts, readPage(before, phase, limits), now), now)
      })
    },
  }
}

/** Writes the step of a decision, and returns the decision's result. */
export function createSaveResync(db: DatabaseSync, run: RunStatement) {
  const recordEvents = createRecordEvents(db)
  return <T>(directory: DirectoryState | undefined, { result, step }: ResyncDecision<T>, at: number): T => {
    if (directory === undefined || step === undefined) return result
    const { resync, events } = step
    recordEvents(directory, events, { requestId: resync.requestId, traceContext: resync.traceContext, at })
    run(putResync(resync))
    return result
  }
}

/** Reads the next page of a resync, in the transaction of its step. */
function createResyncPages(db: DatabaseSync) {
  const users = db.prepare(`
    select ${userColumns} from users u where ${rowKeysAfter('u.row_key', '?2')} and u.sequence < ?3
    order by u.row_key limit ?4`)
  const groups = db.prepare(`
    select ${groupColumns} from groups g where ${rowKeysAfter('g.row_key', '?2')} and g.sequence < ?3
    order by g.row_key limit ?4`)
  const members = db.prepare(`
    select ${membershipColumns} from members m
    left join groups g on g.directory_id = m.directory_id and g.id = m.group_id
    left join users u on u.directory_id = m.directory_id and u.id = m.member_id
    where m.directory_id = ?1 and (m.group_id, m.member_id) > (?2, ?3)
    order by m.group_id, m.member_id limit ?4`)

  return (
    { directoryId, position, startedSequence }: Resync,
    phase: ResyncPage['phase'],
    { rows: limit, bytes }: ResyncStepLimits,
  ): ResyncPage => {
    const rows =
      phase === 'members'
        ? members.iterate(directoryId, position.groupId, position.memberId, limit)
        : (phase === 'users' ? users : groups).iterate(directoryId, position.sequence, startedSequence, limit)
    return decodeResyncPage(phase, readBounded(rows, bytes, phase === 'members' ? membershipBytes : rawBytes))
  }
}

const rawBytes = (row: Row): number => text(row, 'raw').length

function membershipBytes(row: Row): number {
  return (optionalText(row, 'user_raw')?.length ?? 0) + (optionalText(row, 'group_raw')?.length ?? 0)
}
