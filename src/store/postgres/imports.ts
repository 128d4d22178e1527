import { changeBehaviors } from '../../directory/behaviors.ts'
import type { Cause, EventDraft } from '../../directory/event.ts'
import type { ImportStep, ImportStore } from '../../polis/import/import-store.ts'
import type { JsonText } from '../../scim/json-text.ts'
import { identifyEvent } from '../events.ts'
import { groupCreation, groupReplacement, memberChange } from '../group-changes.ts'
import { checkHealth } from '../health-checks.ts'
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
import type { Row } from '../row.ts'
import { integer } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { addVolume, minuteOf } from '../volumes.ts'
import type { Batch, WrittenDirectory } from '../write/batch.ts'
import { changeGroups } from '../write/change-groups.ts'
import { createUsers } from '../write/create-users.ts'
import { deleteGroups } from '../write/delete-groups.ts'
import { deleteUsers } from '../write/delete-users.ts'
import { replaceUsers } from '../write/replace-users.ts'
import type { Database, RunAll, Statement } from './database.ts'
import { databaseWithin } from './database.ts'
import { postgresDirectories } from './directories.ts'
import { recordEvents } from './events.ts'
import { createReader } from './reader.ts'
import { commitKnown } from './write/commit.ts'

type ImportWrites = Pick<ImportStore, 'createImported' | 'replaceImported' | 'writeImported' | 'addImportedEvents'>

/**
 * Imports on PostgreSQL. They are the writes of provisioning, in one transaction that takes their events back before it
 * commits, so that an import follows every rule of provisioning.
 */
export function postgresImports(
  { longTransaction }: Pick<Database, 'longTransaction'>,
  sealing: Sealing,
): ImportWrites {
  return {
    createImported: (directory, source, audit) =>
      longTransaction(async (run) => {
        const { id, revision, createdAt } = directory
        const [found = []] = await run([findAny(id)])
        if (found.length > 0) return 'directory-exists'
        await directoriesWithin(run, sealing).createDirectory(directory, audit)
        await run([startImport(id, source, revision, createdAt)])
        return 'created'
      }),
    replaceImported: (directory, completedAt, audit) =>
      longTransaction(async (run) => {
        const { id, revision } = directory
        const [locked = []] = await run([lockImported(id, revision - 1)])
        if (locked.length === 0) return 'changed-here'
        await run([completeRevision(id, revision, completedAt)])
        await directoriesWithin(run, sealing).replaceDirectory(directory, audit)
        await run([runStartIfMapped(id, { requestId: 'import', at: completedAt })])
        return 'replaced'
      }),
    writeImported: (directory, steps, at) =>
      longTransaction(async (run) => {
        const [[before] = []] = await run([lockImported(directory.id, directory.revision)])
        if (before === undefined) return 'changed-here'
        const cause = { requestId: 'import', at }
        const unlimited = unlimitedImport(directory)
        for (const step of steps) await runStep(databaseWithin(run), unlimited, step, cause)
        await takeEventsBack(run, directory.id, before, at)
        return 'written'
      }),
    addImportedEvents: (directory, events) =>
      longTransaction(async (run) => {
        const [[state] = []] = await run([lockImported(directory.id, directory.revision)])
        const last = events.at(-1)
        if (state === undefined) return 'changed-here'
        if (last === undefined) return 'written'
        const before = integer(state, 'last_sequence')
        const numbered = events.map(({ event }, index) => ({ ...event, sequence: before + index + 1 }))
        await run([
          ...recordEvents(directory.id, numbered, before),
          noteEvents(directory.id, before + events.length, last.position),
          checkHealth(directory.id),
        ])
        return 'written'
      }),
  }
}

function directoriesWithin(run: RunAll, sealing: Sealing) {
  const database = databaseWithin(run)
  return postgresDirectories(database, createReader(database), sealing)
}

/** The event of a change; its data does not matter, as it is taken back. */
function draft(eventType: EventDraft['eventType']): EventDraft {
  return { eventType, data: '{}' as JsonText<Record<string, never>> }
}

async function runStep(database: Database, directory: WrittenDirectory, step: ImportStep, cause: Cause) {
  requireWritten(await outcomesOf(database, directory, step, cause))
}

/** Commits a batch; returns its outcomes. */
async function committed(database: Database, batch: Batch<readonly unknown[]>): Promise<readonly unknown[]> {
  const outcomes = await commitKnown(database, batch)
  return outcomes === 'directory-changed' ? [outcomes] : outcomes
}

function outcomesOf(
  database: Database,
  directory: WrittenDirectory,
  step: ImportStep,
  cause: Cause,
): Promise<readonly unknown[]> {
  const event = (eventType: EventDraft['eventType']) => identifyEvent(draft(eventType), cause)
  switch (step.kind) {
    case 'create-users': {
      const creations = step.users.map((user) => ({ user, event: event('user.created'), receivedAt: cause.at }))
      return committed(database, createUsers(directory, creations))
    }
    case 'replace-users': {
      const changes = step.users.map((user) => ({ ...user, event: event('user.updated'), receivedAt: cause.at }))
      return committed(database, replaceUsers(directory, changes))
    }
    case 'delete-users': {
      const deletions = step.users.map((user) => ({ user, event: event('user.deleted'), receivedAt: cause.at }))
      return committed(database, deleteUsers(directory, deletions, 'in-stages'))
    }
    case 'create-groups': {
      const changes = step.groups.map((group) => groupCreation(group, noMembers, draft('group.created'), cause))
      return committed(database, changeGroups(directory, changes))
    }
    case 'replace-groups': {
      const changes = step.groups.map(({ before, after }) =>
        groupReplacement(before, after, noMembers, draft('group.updated'), cause),
      )
      return committed(database, changeGroups(directory, changes))
    }
    case 'delete-groups': {
      const deletions = step.groups.map((group) => ({ group, event: event('group.deleted') }))
      return committed(database, deleteGroups(directory, deletions, 'in-stages'))
    }
    case 'change-members': {
      const { groupId, add, remove } = step
      const change = memberChange(groupId, { kind: 'delta', add, remove }, undefined, cause)
      return committed(database, changeGroups(directory, [change]))
    }
  }
}

/** @throws Error if a write was refused: the import decides all of them from what it has read under the same lock */
function requireWritten(outcomes: readonly unknown[]): void {
  const refused = outcomes.find((outcome) => typeof outcome !== 'object')
  if (refused !== undefined) throw new Error(`A write of the import was refused: ${String(refused)}.`)
}

/** The columns of `directory_state` that tell of events. */
const eventMarks = [
  ...['endpoint_work', 'on_event_work', 'oldest_event_at', 'last_change_at'],
  ...changeBehaviors.flatMap((behavior) => [`first_${behavior}_at`, `last_${behavior}_at`]),
]

const restore = `
  update directory_state set last_sequence = $2, discarded_events = discarded_events + last_sequence - $2,
    ${eventMarks.map((column, index) => `${column} = $${index + 3}`).join(', ')}
  where directory_id = $1`
const removeEvents = 'delete from events where directory_id = $1 and sequence > $2'
const removeDeprovisionings = 'delete from deprovisionings where directory_id = $1 and sequence > $2'

/** Leaves the directory as if the events of the transaction had been discarded. */
async function takeEventsBack(run: RunAll, directoryId: string, before: Row, at: number): Promise<void> {
  const last = integer(before, 'last_sequence')
  const read = 'select last_sequence from directory_state where directory_id = $1'
  const [[row = {}] = []] = await run([{ text: read, values: [directoryId] }])
  const taken = integer(row, 'last_sequence') - last
  if (taken === 0) return
  const marks = eventMarks.map((column) => before[column] ?? null)
  const minute = minuteOf(at)
  const statements: Statement[] = [
    { text: removeEvents, values: [directoryId, last] },
    { text: removeDeprovisionings, values: [directoryId, last] },
    // The row stays without a count: it says that the directory has something new for readers.
    { text: addVolume, values: [directoryId, minute, -taken, 0] },
    { text: restore, values: [directoryId, last, ...marks] },
  ]
  await run(statements)
}
