import type { DatabaseSync } from 'node:sqlite'
import type { TimeSlices } from '../../concurrency/time-slices.ts'
import type { DirectoryRevision } from '../../directory/directory.ts'
import type { DirectoryChanged, MembersCommitted } from '../../directory/directory-store.ts'
import { createEventReads } from '../event-reads.ts'
import type { GroupChange } from '../group-changes.ts'
import { text } from '../row.ts'
import type { Batch } from '../write/batch.ts'
import type { DeletionOutcome } from '../write/deletions.ts'
import type { WrittenDirectory } from '../write/effects/effect.ts'
import type { SteppedWrite } from '../write/large-changes.ts'
import { changeInSteps, createMemberReads, withFurtherEvents } from '../write/large-changes.ts'
import { members } from '../write/tables.ts'
import type { TableWrite, WriteShape, Writes } from '../write/writes.ts'
import { shapeOf } from '../write/writes.ts'
import type { DirectoryState } from './directory-state.ts'
import { decodeDirectoryState, directoryStateColumns } from './directory-state.ts'
import type { DirectoryGate } from './directory-writes.ts'
import { createWriteDirectory } from './directory-writes.ts'
import { createFinish } from './finish-large-changes.ts'
import type { GroupCommit } from './group-commit.ts'
import type { RunStatement } from './sql-database.ts'
import { createSqlDatabase, dialect } from './sql-database.ts'
import type { CommitParts } from './write/commit.ts'
import { onlyOutcome, writeBatch } from './write/commit.ts'

/** Rows per step of cleaning up: others wait for one step at most. */
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
    directory: WrittenDirectory,
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

const memberReads = createMemberReads(dialect)

export function createLargeChanges(
  db: DatabaseSync,
  { commits, gate, slices, onError, commitParts, run }: Parts,
): LargeChanges {
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
  const finish = createFinish(db, { step: stepsOf().step, stepSize, onError, commitParts })
  const createWrite = createSteppedWrites(commitParts, statements, run)
  const stagePart = createStagePart(db, statements)
  const { eventsAfter } = createEventReads(createSqlDatabase(run, commits.write))

  async function changeBehindGate<R extends string>(directory: WrittenDirectory, change: GroupChange<R>) {
    const open = await gate.close(directory.id)
    try {
      const steps = stepsOf(directory.tenant)
      const state = await steps.read(() => statements.findState(directory))
      if (state === undefined) return 'directory-changed'
      const made = await changeInSteps(createWrite(directory, state, change.groupId, steps), directory, change)
      if (typeof made === 'string') return made
      return withFurtherEvents(made, (sequence) => eventsAfter(directory.id, sequence, rowsPerRead))
    } catch (error) {
      if (error instanceof ChangedMeanwhile) return 'directory-changed'
      throw error
    } finally {
      void finish(directory.id, open)
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
      for (let after: string | undefined = ''; after !== undefined; ) {
        const last: string = after
        const part = await stepsOf(revision.tenant).step(() => stagePart(revision, id, last))
        if (part === 'directory-changed') return part
        after = part.at(-1)
      }
      return await writeBehindGate(revision, (directory) => {
        const outcome = onlyOutcome(writeBatch(commitParts, directory, batch))
        if (typeof outcome === 'string') return outcome
        statements.mark(directory.id, 'none', { groupId: id, memberId: id, at })
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
  { readFacts, writeRows }: CommitParts,
  { findState, mark }: Statements,
  run: RunStatement,
) {
  return (directory: WrittenDirectory, state: DirectoryState, groupId: string, { read, step }: Steps): SteppedWrite => {
    const { id } = directory

    /** Makes one write, unless the directory has been changed or deleted. */
    async function write(work: () => void): Promise<void> {
      const isMade = await step(() => {
        if (findState(directory) === undefined) return false
        work()
        return true
      })
      if (!isMade) throw new ChangedMeanwhile()
    }

    return {
      state,
      read: (request) => read(() => readFacts(state, request)),
      ...memberReads(id, groupId, (statement) => read(() => run(statement))),
      write: (writes, { lastSequence }) =>
        write(() => {
          mark(id, 'leaving', { groupId })
          writeRows({ ...state, lastSequence }, staged(writes))
        }),
      publish: (writes) =>
        write(() => {
          writeRows(state, writes)
          mark(id, 'joining', { groupId })
        }),
    }
  }
}

/** The writes of a step: members who join are staged, and those who leave stay as staged ones. */
function staged({ tables, ...writes }: Writes): Writes {
  const all = [...tables].map(([shape, write]): [WriteShape, TableWrite] => {
    if (write.table !== members) return [shape, write]
    const [kind, value] = write.kind === 'insert' ? (['insert', 'joining'] as const) : (['update', 'leaving'] as const)
    const rows = write.rows.map((row) => ({ ...row, staged: value }))
    const stagedShape = shapeOf(kind, members, write.key, rows[0] ?? {})
    return [stagedShape, { ...stagedShape, rows }]
  })
  return { ...writes, tables: new Map(all) }
}
