import type { DatabaseSync } from 'node:sqlite'
import { behaviorsIn } from '../../directory/behaviors.ts'
import type { Cause, EventDraft } from '../../directory/event.ts'
import type { ImportStep, ImportStore } from '../../polis/import/import-store.ts'
import type { JsonText } from '../../scim/json-text.ts'
import { identifyEvent } from '../events.ts'
import { groupCreation, groupReplacement, memberChange } from '../group-changes.ts'
import {
  completeRevision,
  findAny,
  lockImported,
  noMembers,
  noteEvents,
  startImport,
  unlimitedImport,
} from '../imports.ts'
import { runStartIfMapped } from '../mapped-users.ts'
import type { Sealing } from '../sealing.ts'
import { markChanged } from '../volumes.ts'
import type { Batch, WrittenDirectory } from '../write/batch.ts'
import { withoutEvents } from '../write/batch.ts'
import { changeGroups } from '../write/change-groups.ts'
import { createUsers } from '../write/create-users.ts'
import { deleteGroups } from '../write/delete-groups.ts'
import { deleteUsers } from '../write/delete-users.ts'
import { replaceUsers } from '../write/replace-users.ts'
import type { AppendAudit } from './audit.ts'
import { sqliteDirectories } from './directories.ts'
import type { WriteDirectory } from './directory-writes.ts'
import { createAdvance, createInsertEvents, decodeDirectoryState, directoryStateColumns } from './events.ts'
import type { GroupCommit } from './group-commit.ts'
import type { RunStatement } from './sql-database.ts'
import { now } from './sql-database.ts'
import { createCommitParts, writeBatch } from './write/commit.ts'

type ImportWrites = Pick<ImportStore, 'createImported' | 'replaceImported' | 'writeImported' | 'addImportedEvents'>

interface Parts {
  readonly commits: GroupCommit
  readonly run: RunStatement
  readonly sealing: Sealing
  readonly appendAudit: AppendAudit
}

/**
 * Imports on SQLite. They are the writes of provisioning without its events, all in one write of the group commit, so that
 * an import follows every rule of provisioning.
 */
export function sqliteImports(db: DatabaseSync, { commits, run, sealing, appendAudit }: Parts): ImportWrites {
  const within: GroupCommit = { ...commits, write: atOnce, writeSoon: atOnce }
  const directories = sqliteDirectories(db, within, { run, sealing, appendAudit })
  const runStep = createRunStep(db, run)
  const addEvents = createAddEvents(db)
  /** Runs work on a directory that only the import has changed. */
  const onImported = (id: string, revision: number, work: () => void) =>
    commits.write(() => {
      if (run(lockImported(id, revision)).length === 0) return 'changed-here'
      work()
      return 'written'
    })
  return {
    createImported: (directory, source, audit) =>
      commits.write(() => {
        const { id, revision, createdAt } = directory
        if (run(findAny(id)).length > 0) return 'directory-exists'
        void directories.createDirectory(directory, audit)
        run(startImport(id, source, revision, createdAt))
        return 'created'
      }),
    async replaceImported(directory, completedAt, audit) {
      const { id, revision } = directory
      const outcome = await onImported(id, revision - 1, () => {
        run(completeRevision(id, revision, completedAt))
        void directories.replaceDirectory(directory, audit)
        run(runStartIfMapped(id, { requestId: 'import', at: completedAt }))
      })
      return outcome === 'written' ? 'replaced' : outcome
    },
    writeImported: (directory, steps, at) =>
      onImported(directory.id, directory.revision, () => {
        const unlimited = unlimitedImport(directory)
        for (const step of steps) runStep(unlimited, step, { requestId: 'import', at })
        run(markChanged(directory.id, now))
      }),
    addImportedEvents: (directory, events) =>
      onImported(directory.id, directory.revision, () => {
        const last = events.at(-1)
        if (last === undefined) return
        const lastSequence = addEvents(
          directory.id,
          events.map(({ event }) => event),
        )
        run(noteEvents(directory.id, lastSequence, last.position))
      }),
  }
}

/** Runs an operation in the write that is running. An error ends that write. */
function atOnce<T>(operation: () => T): Promise<T> {
  return Promise.resolve(operation())
}

/** Adds events after the last one of a directory; returns the sequence number of the last. */
function createAddEvents(db: DatabaseSync) {
  const state = db.prepare(`select ${directoryStateColumns} from directory_state where directory_id = ?`)
  const insertEvents = createInsertEvents(db)
  const advance = createAdvance(db)
  return (directoryId: string, events: Parameters<ImportStore['addImportedEvents']>[1][number]['event'][]): number => {
    const directory = decodeDirectoryState(directoryId, state.get(directoryId) ?? {})
    const numbered = events.map((event, index) => ({ ...event, sequence: directory.lastSequence + index + 1 }))
    insertEvents(directory, numbered)
    const at = Math.max(...numbered.map(({ createdAt }) => createdAt))
    const lastSequence = directory.lastSequence + numbered.length
    advance(directory, lastSequence, { shown: { behaviors: behaviorsIn(numbered), at }, at })
    return lastSequence
  }
}

type RunStep = (directory: WrittenDirectory, step: ImportStep, cause: Cause) => void

function createRunStep(db: DatabaseSync, run: RunStatement): RunStep {
  const write = createWriteAtOnce(db)
  const commitParts = createCommitParts(db, run)
  const commit = (revision: WrittenDirectory, batch: Batch<readonly unknown[]>) =>
    void write(revision, (directory) => {
      const refused = writeBatch(commitParts, directory, withoutEvents(batch)).find((one) => typeof one !== 'object')
      return refused === undefined ? undefined : String(refused)
    })
  return (directory, step, cause) => {
    switch (step.kind) {
      case 'create-users':
        commit(
          directory,
          createUsers(
            directory,
            step.users.map((user) => ({ user, ...event('user.created', cause) })),
          ),
        )
        return
      case 'replace-users':
        commit(
          directory,
          replaceUsers(
            directory,
            step.users.map((one) => ({ ...one, ...event('user.updated', cause) })),
          ),
        )
        return
      case 'delete-users': {
        const deletions = step.users.map((user) => ({ user, ...event('user.deleted', cause) }))
        commit(directory, deleteUsers(directory, deletions, 'in-stages'))
        return
      }
      case 'create-groups':
        for (const group of step.groups) {
          commit(directory, changeGroups(directory, [groupCreation(group, noMembers, draft('group.created'), cause)]))
        }
        return
      case 'replace-groups':
        for (const { before, after } of step.groups) {
          commit(
            directory,
            changeGroups(directory, [groupReplacement(before, after, noMembers, draft('group.updated'), cause)]),
          )
        }
        return
      case 'delete-groups': {
        const deletions = step.groups.map((group) => ({ group, event: identifyEvent(draft('group.deleted'), cause) }))
        commit(directory, deleteGroups(directory, deletions, 'in-stages'))
        return
      }
      case 'change-members': {
        const { groupId, add, remove } = step
        commit(
          directory,
          changeGroups(directory, [memberChange(groupId, { kind: 'delta', add, remove }, undefined, cause)]),
        )
      }
    }
  }
}

/** Runs work in the write that is running, which a refusal ends: the import decides all changes from what it has read there. */
function createWriteAtOnce(db: DatabaseSync): WriteDirectory {
  const state = db.prepare(
    `select ${directoryStateColumns} from directory_state where directory_id = ? and revision = ?`,
  )
  return ({ id, revision = null }, work) => {
    const outcome = work(decodeDirectoryState(id, state.get(id, revision) ?? {}))
    if (typeof outcome === 'string') throw new Error(`A write of the import was refused: ${outcome}.`)
    return Promise.resolve(outcome)
  }
}

/** The event of a change of a user, and the arrival of its request. */
function event(eventType: EventDraft['eventType'], cause: Cause) {
  return { event: identifyEvent(draft(eventType), cause), receivedAt: cause.at }
}

/** The event of a change, which is not stored. */
function draft(eventType: EventDraft['eventType']): EventDraft {
  return { eventType, data: '{}' as JsonText<Record<string, never>> }
}
