import type { DatabaseSync } from 'node:sqlite'
import type { Resync, ResyncCounts, ResyncPage } from '../../delivery/resync/resync.ts'
import type { ResyncStepLimits, ResyncStore } from '../../delivery/resync/resync-store.ts'
import { groupColumns } from '../groups.ts'
import type { ResyncDecision } from '../resync.ts'
import {
  decideResyncStart,
  decideResyncStep,
  decodeResync,
  decodeResyncPage,
  maxCountedLists,
  membershipColumns,
  resyncColumnNames,
  resyncValues,
} from '../resync.ts'
import type { Row } from '../row.ts'
import { integer, optionalText, text } from '../row.ts'
import { decodeDuePage } from '../streams.ts'
import { userColumns } from '../users.ts'
import type { AppendAudit } from './audit.ts'
import { readBounded } from './bounded-rows.ts'
import type { DirectoryGate } from './directory-gate.ts'
import type { DirectoryState } from './events.ts'
import { createRecordEvents, decodeDirectoryState, directoryStateColumns } from './events.ts'
import type { GroupCommit } from './group-commit.ts'
import type { ListCounts } from './list-counts.ts'
import { rowKeysAfter } from './row-key.ts'

const names = resyncColumnNames.join(', ')
const columns = resyncColumnNames.map((name) => `r.${name}`).join(', ')

interface ResyncParts {
  readonly counts: ListCounts
  readonly gate: DirectoryGate
  readonly appendAudit: AppendAudit
}

/** Resyncs on SQLite: every step is one write of the group commit. */
export function sqliteResyncs(
  db: DatabaseSync,
  { write: writeNow }: GroupCommit,
  { counts, gate, appendAudit }: ResyncParts,
): ResyncStore {
  const byDirectory = db.prepare(`
    select ${columns} from resyncs r join directories d on d.id = r.directory_id
    where r.directory_id = ? and d.deleted = 0`)
  const running = db.prepare(`
    select r.directory_id as id, d.tenant from resyncs r indexed by resyncs_running
    cross join directories d on d.id = r.directory_id
    where r.completed_at is null and r.directory_id > ? and d.deleted = 0 order by r.directory_id limit ?`)
  const state = db.prepare(
    `select ${directoryStateColumns} from directory_state where directory_id = ? and revision >= 0`,
  )
  const countPresent = createResyncCounts(db, counts)
  const readPage = createResyncPages(db)
  const save = createSaveResync(db)
  const write = <T>(directoryId: string, work: () => T) => gate.whenOpen(directoryId, () => writeNow(work))

  function findResync(directoryId: string): Resync | undefined {
    const row = byDirectory.get(directoryId)
    return row && decodeResync(row)
  }

  function findDirectory(id: string): DirectoryState | undefined {
    const row = state.get(id)
    return row && decodeDirectoryState(id, row)
  }

  return {
    getResync: async (directoryId) => findResync(directoryId),
    beginResync: (request, audit) =>
      write(request.directoryId, () => {
        const { directoryId, startedAt } = request
        const directory = findDirectory(directoryId)
        const facts = { directory, stored: findResync(directoryId) }
        const decision = decideResyncStart(request, facts, countPresent(directoryId))
        if (decision.step !== undefined) appendAudit(audit)
        return save(directory, decision, startedAt)
      }),
    stepResync: async (before, limits, now) => {
      const { directoryId, phase } = before
      if (phase === 'completed') return 'conflict'
      return write(directoryId, () => {
        const directory = findDirectory(directoryId)
        const facts = { directory, stored: findResync(directoryId) }
        return save(directory, decideResyncStep(before, facts, readPage(before, phase, limits), now), now)
      })
    },
    listRunningResyncs: async (after, limit) => decodeDuePage(running.all(after, limit), limit),
  }
}

/** Writes the step of a decision, and returns the decision's result. */
export function createSaveResync(db: DatabaseSync) {
  const recordEvents = createRecordEvents(db)
  const put = db.prepare(
    `insert or replace into resyncs (${names}) values (${resyncColumnNames.map(() => '?').join(', ')})`,
  )
  return <T>(directory: DirectoryState | undefined, { result, step }: ResyncDecision<T>, at: number): T => {
    if (directory === undefined || step === undefined) return result
    const { resync, events } = step
    recordEvents(directory, events, { requestId: resync.requestId, traceContext: resync.traceContext, at })
    put.run(...resyncValues(resync))
    return result
  }
}

export function createResyncCounts(db: DatabaseSync, counts: ListCounts): (directoryId: string) => ResyncCounts {
  const members = db.prepare(`
    select coalesce(sum(resources), 0) as members from (
      select resources from list_counts
      where directory_id = ? and list_name not in ('users', 'groups') limit ${maxCountedLists})`)
  return (id) => ({
    users: counts.total(id, 'users'),
    groups: counts.total(id, 'groups'),
    members: integer(members.get(id) ?? {}, 'members'),
  })
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
