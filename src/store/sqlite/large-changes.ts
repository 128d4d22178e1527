import type { DatabaseSync } from 'node:sqlite'
import type { TimeSlices } from '../../concurrency/time-slices.ts'
import type { DirectoryRevision } from '../../directory/directory.ts'
import type { DirectoryChanged, MembersCommitted } from '../../directory/directory-store.ts'
import { returnRun } from '../../directory/removal-limit.ts'
import { createEventReads } from '../event-reads.ts'
import type { GroupChange } from '../group-changes.ts'
import { decodeMemberType } from '../groups.ts'
import type { PresentMember, Publication, SteppedWrite } from '../large-changes.ts'
import { changeInSteps, withFurtherEvents } from '../large-changes.ts'
import type { MappedRevision } from '../mapped-users.ts'
import { affectedUsers, runStart } from '../mapped-users.ts'
import { membershipRemovals } from '../removals.ts'
import { integer, text } from '../row.ts'
import { minuteOf } from '../volumes.ts'
import type { Batch } from '../write/batch.ts'
import type { DeletionOutcome } from '../write/deletions.ts'
import { writeStagedEvents } from '../write/effects/events.ts'
import { countMemberships } from '../write/state.ts'
import { eventVolumes } from '../write/tables.ts'
import { WriteCollection } from '../write/writes.ts'
import type { DirectoryGate } from './directory-gate.ts'
import type { ProvisioningParts } from './directory-writes.ts'
import { createWriteDirectory } from './directory-writes.ts'
import type { DirectoryState } from './events.ts'
import { decodeDirectoryState, directoryStateColumns, nextRowSequence } from './events.ts'
import { createFinish } from './finish-large-changes.ts'
import type { GroupCommit } from './group-commit.ts'
import type { GroupRows } from './group-rows.ts'
import type { RunStatement } from './sql-database.ts'
import { dialect } from './sql-database.ts'
import type { CommitParts } from './write/commit.ts'
import { onlyOutcome, writeBatch } from './write/commit.ts'

/** Members per write: others wait for one step at most. */
const stepSize = 100
const rowsPerRead = 500

/** The staged members that become visible: those that leave, those that join, or none as the group was deleted. */
type Shown = 'leaving' | 'joining' | 'none'

/** The parts that changes in steps use, besides those of provisioning. */
export interface LargeChangeParts {
  readonly commits: GroupCommit
  readonly gate: DirectoryGate
  /** The time slices of the process: each step takes one. */
  readonly slices: TimeSlices
  /** Called when cleaning up after a change fails; it is repeated. */
  readonly onError: (error: unknown) => void
}

interface Parts extends LargeChangeParts {
  readonly commitParts: CommitParts
  readonly run: RunStatement
}

/**
 * Changes of many members on SQLite, where all writers share one connection and one event loop. They are made in steps of
 * their own commits, each in a slice of the process's time, while the directory's other writes wait at its gate.
 *
 * Each step marks members as `staged` and writes events after the directory's last sequence number; neither is visible. One
 * small commit publishes them: it moves the last sequence number, and which staged members are shown. What is left is then
 * removed in steps as well. A row of `large_changes` exists from the first step to the last, so that the next start
 * removes what was not published, and finishes what was.
 */
export interface LargeChanges {
  change<R extends string>(
    revision: DirectoryRevision,
    change: GroupChange<R>,
  ): Promise<MembersCommitted | R | DirectoryChanged>
  /**
   * Deletes a user or group that has many members or is in many groups. Its own memberships are marked in steps; the batch deletes
   * it in one commit, which also notes what is left: the marked memberships, and the members of a group. These are then removed in
   * steps.
   */
  delete(revision: DirectoryRevision, batch: DeletionBatch, id: string, at: number): Promise<DeletionOutcome>
  /** Cleans up after the changes that a crash interrupted. */
  recover(): void
}

/** The deletion of one user or group, which leaves its memberships and members for later. */
type DeletionBatch = Batch<readonly (DeletionOutcome | undefined)[]>

class ChangedMeanwhile extends Error {}

export function createLargeChanges(
  parts: ProvisioningParts,
  groups: GroupRows,
  { commits, gate, slices, onError, commitParts, run }: Parts,
): LargeChanges {
  const { db } = parts
  const writeBehindGate = createWriteDirectory(db, commits)
  /** The steps of a change, in the turns of its tenant. */
  const stepsOf = (tenant?: string): Steps => ({
    async read(work) {
      await slices.next(tenant)
      return work()
    },
    async step(work) {
      await slices.next(tenant)
      return commits.write(work)
    },
  })

  const statements = createStatements(db)
  const finish = createFinish(db, { step: stepsOf().step, stepSize, onError, counts: parts.counts })
  const createWrite = createSteppedWrites(parts, groups, statements, { commitParts, run })
  const stagePart = createStagePart(db, statements)
  const { eventsAfter } = createEventReads({ query: async (statement) => run(statement), dialect })

  async function changeBehindGate<R extends string>(revision: DirectoryRevision, change: GroupChange<R>) {
    const open = await gate.close(revision.id)
    try {
      const steps = stepsOf(revision.tenant)
      const state = await steps.read(() => statements.findState(revision))
      if (state === undefined) return 'directory-changed'
      const made = await changeInSteps(createWrite(revision, state, change.groupId, steps), change)
      if (typeof made === 'string') return made
      return withFurtherEvents(made, (sequence) => eventsAfter(revision.id, sequence, rowsPerRead))
    } catch (error) {
      if (error instanceof ChangedMeanwhile) return 'directory-changed'
      throw error
    } finally {
      void finish(revision.id, open)
    }
  }

  async function deleteBehindGate(
    revision: DirectoryRevision,
    batch: DeletionBatch,
    id: string,
    at: number,
  ): Promise<DeletionOutcome> {
    const open = await gate.close(revision.id)
    try {
      let memberships = 0
      for (let after: string | undefined = ''; after !== undefined; ) {
        const last: string = after
        const part = await stepsOf(revision.tenant).step(() => stagePart(revision, id, last))
        if (part === 'directory-changed') return part
        memberships += part.length
        after = part.at(-1)
      }
      return await writeBehindGate(revision, (directory) => {
        const outcome = onlyOutcome(writeBatch(commitParts, directory, batch))
        if (typeof outcome === 'string') return outcome
        statements.mark(directory.id, 'none', { groupId: id, memberId: id, at })
        run(countMemberships(directory.id, -memberships))
        return outcome
      })
    } finally {
      void finish(revision.id, open)
    }
  }

  return {
    change: changeBehindGate,
    delete: deleteBehindGate,
    recover() {
      for (const directoryId of statements.interrupted()) {
        void gate.close(directoryId).then((open) => finish(directoryId, open))
      }
    },
  }
}

type Statements = ReturnType<typeof createStatements>

/** The group whose members are staged, or the user or group that is deleted, with the time of its deletion. */
interface Marked {
  readonly groupId?: string
  readonly memberId?: string
  readonly at?: number
}

/** Marks the next memberships of a user or group, in the order of their groups; returns these, none at the end. */
function createStagePart(db: DatabaseSync, { findState, mark }: Statements) {
  const next = db.prepare(`
    select group_id from members indexed by members_by_member
    where directory_id = ? and member_id = ? and group_id > ? order by group_id limit ${stepSize}`)
  const leave = db.prepare(
    `update members set staged = 'leaving' where directory_id = ? and group_id = ? and member_id = ?`,
  )
  return (revision: DirectoryRevision, memberId: string, after: string): string[] | DirectoryChanged => {
    const { id: directoryId } = revision
    if (findState(revision) === undefined) return 'directory-changed'
    const groupIds = next.all(directoryId, memberId, after).map((row) => text(row, 'group_id'))
    if (groupIds.length > 0) mark(directoryId, 'leaving', { memberId })
    for (const groupId of groupIds) leave.run(directoryId, groupId, memberId)
    return groupIds
  }
}

function createStatements(db: DatabaseSync) {
  const state = db.prepare(
    `select ${directoryStateColumns} from directory_state where directory_id = ? and revision = ?`,
  )
  const mark = db.prepare(`
    insert into large_changes (directory_id, shown, group_id, member_id, left_at) values (?, ?, ?, ?, ?)
    on conflict (directory_id) do update set shown = excluded.shown, group_id = excluded.group_id,
      member_id = excluded.member_id, left_at = excluded.left_at`)
  const interrupted = db.prepare('select directory_id as id from large_changes')
  return {
    /** The state of the directory; undefined when its record is not at that revision. */
    findState({ id, revision }: DirectoryRevision): DirectoryState | undefined {
      const row = state.get(id, revision)
      return row && decodeDirectoryState(id, row)
    },
    mark(directoryId: string, shown: Shown, { groupId = '', memberId = '', at = 0 }: Marked): void {
      mark.run(directoryId, shown, groupId, memberId, at)
    },
    interrupted: (): string[] => interrupted.all().map((row) => text(row, 'id')),
  }
}

/** Parts of a change, each in a slice of the process's time. */
interface Steps {
  read<T>(work: () => T): Promise<T>
  step<T>(work: () => T): Promise<T>
}

function createSteppedWrites(
  { db, counts, members, removed: removals, limitOf }: ProvisioningParts,
  groups: GroupRows,
  { findState, mark }: Statements,
  { commitParts: { writeRows }, run }: Pick<Parts, 'commitParts' | 'run'>,
) {
  const reads = createReads(db)
  const join = db.prepare(`
    insert into members (directory_id, group_id, member_id, member_type, sequence, staged)
    values (?, ?, ?, ?, ?, 'joining')`)
  const leave = db.prepare(
    `update members set staged = 'leaving' where directory_id = ? and group_id = ? and member_id = ?`,
  )

  return (
    revision: MappedRevision,
    directory: DirectoryState,
    groupId: string,
    { read, step }: Steps,
  ): SteppedWrite => {
    const { id: directoryId, lastSequence, discardedEvents, memberships } = directory

    const isCounted = limitOf(revision) !== null || removals.isHeld(directory, 'memberships')
    /** The positions of removals that the change undoes. */
    const undone: number[] = []

    /** Makes one write, unless the directory has been changed or deleted. */
    async function write<T>(work: () => T): Promise<T> {
      const written = await step(() => (findState(revision) === undefined ? undefined : { result: work() }))
      if (written === undefined) throw new ChangedMeanwhile()
      return written.result
    }

    return {
      ...{ lastSequence, discardedEvents, memberships },
      stepSize,
      findGroup: () => read(() => groups.find(directoryId, groupId)),
      isNameTaken: (name) =>
        read(() => revision.uniqueGroupNames === true && groups.isNameTaken(directoryId, name, groupId)),
      presentMembers: (ids) => read(() => reads.membersOf(directoryId, groupId, ids)),
      presentMembersAfter: (id) => read(() => reads.membersAfter(directoryId, groupId, id)),
      groupsAmong: (ids) => read(() => members.groupsAmong(directoryId, ids)),
      userBytes: (ids) => read(() => members.userBytes(directoryId, ids)),
      users: (ids) => read(() => members.users(directoryId, ids)),
      async write({ events, added, removed, ended }) {
        const taken = await write(() => {
          mark(directoryId, 'leaving', { groupId })
          const staged = new WriteCollection()
          writeStagedEvents(events, staged)
          writeRows(directory, staged)
          for (const id of removed) leave.run(directoryId, groupId, id)
          for (const { id, memberType, sequence } of added) join.run(directoryId, groupId, id, memberType, sequence)
          if (isCounted) removals.keepMemberships(directory, ended)
          const joining = added.map(({ id }) => id)
          return removals.takeMemberships(directoryId, groupId, joining)
        })
        for (const position of taken) undone.push(position)
      },
      publish: (publication) =>
        write(() => {
          const { kind, group, counts: changes, removals: runs, at, requestId } = publication
          const before = kind === 'create' ? undefined : groups.find(directoryId, groupId)
          const changed = changes.size > 0 ? [groupId] : []
          if (affectedUsers(revision.compiled, before, group, changed)) {
            run(runStart(directoryId, { requestId, at }))
            revision.compiled?.onRun?.()
          }
          groups.write(directory, revision.product, kind, group)
          if (kind === 'create') counts.add(directoryId, 'groups', nextRowSequence(directory))
          for (const [bucket, by] of changes) counts.change(directoryId, groupId, bucket, by)
          writeRows(directory, publishedEvents(publication, lastSequence))
          const all = undone.length > 0 ? [returnRun(undone), ...runs] : runs
          if (all.length > 0) removals.count(directory, limitOf(revision), membershipRemovals(all, [], at))
          mark(directoryId, 'joining', { groupId })
        }),
    }
  }
}

/** Writes the events that precede those of the steps, and the state of the directory with all of them. */
function publishedEvents(
  { events, lastSequence, behaviors, at, memberships }: Publication,
  before: number,
): WriteCollection {
  const writes = new WriteCollection()
  writeStagedEvents(events, writes)
  const added = lastSequence - before
  writes.write('add', eventVolumes, { minute: minuteOf(at), events: added, failed_deliveries: 0 })
  writes.state.events = added
  writes.state.memberships = memberships
  writes.state.changedAt = at
  for (const behavior of behaviors) writes.state.behaviors.set(behavior, at)
  return writes
}

function createReads(db: DatabaseSync) {
  const one = db.prepare(
    'select member_type, sequence from members where directory_id = ? and group_id = ? and member_id = ?',
  )
  const page = db.prepare(`
    select member_id, member_type, sequence from members
    where directory_id = ? and group_id = ? and member_id > ? order by member_id limit ${rowsPerRead}`)
  const decode = (row: Record<string, unknown>): PresentMember => {
    return { memberType: decodeMemberType(row), sequence: integer(row, 'sequence') }
  }
  return {
    membersOf(directoryId: string, groupId: string, ids: readonly string[]): Map<string, PresentMember> {
      const found = new Map<string, PresentMember>()
      for (const id of ids) {
        const row = one.get(directoryId, groupId, id)
        if (row !== undefined) found.set(id, decode(row))
      }
      return found
    },
    membersAfter: (directoryId: string, groupId: string, id: string): Map<string, PresentMember> =>
      new Map(page.all(directoryId, groupId, id).map((row) => [text(row, 'member_id'), decode(row)])),
  }
}
