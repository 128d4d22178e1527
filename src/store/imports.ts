import type { DirectoryRevision } from '../directory/directory.ts'
import type { Cause, EventDraft } from '../directory/event.ts'
import type { ChangedHere, ImportedEvent, ImportState, ImportStep, ImportStore } from '../polis/import/import-store.ts'
import type { JsonText } from '../scim/json-text.ts'
import { writeAudited } from './audit-chain.ts'
import type { DirectoryChanges } from './directory-changes.ts'
import { identifyEvent } from './events.ts'
import { groupCreation, groupReplacement, memberChange } from './group-changes.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, optionalText, text } from './row.ts'
import type { Conclusion, SqlDatabase, Statement, Transaction } from './sql-database.ts'
import { minuteOf } from './volumes.ts'
import type { Batch, Commit, Stage } from './write/batch.ts'
import { followedBy, withoutEvents } from './write/batch.ts'
import { changeGroups } from './write/change-groups.ts'
import { createUsers } from './write/create-users.ts'
import { deleteGroups } from './write/delete-groups.ts'
import { deleteUsers } from './write/delete-users.ts'
import type { Effect, WrittenDirectory } from './write/effects/effect.ts'
import { writeEvents } from './write/effects/events.ts'
import { lockedState } from './write/facts.ts'
import { replaceUsers } from './write/replace-users.ts'
import { eventVolumes } from './write/tables.ts'
import { WriteCollection } from './write/writes.ts'

const state = `
  select d.id, i.source, i.completed_at, i.event_created_at, i.event_id,
    case when d.deleted = 1 or s.revision <> i.revision or s.last_sequence <> i.last_sequence then 1 else 0 end as is_changed
  from directories d
  join directory_state s on s.directory_id = d.id
  left join imports i on i.directory_id = d.id
  where d.id = $1`

const fromSource = `
  select directory_id from imports where source = $1 and source >= '' and directory_id > $2 order by directory_id limit $3`

const complete = 'update imports set completed_at = $2 where directory_id = $1 returning directory_id'

/** Finds a directory by its id, even one that is being deleted. */
const findAny = 'select 1 as found from directories where id = $1'

/** Remembers that a directory is created by an import. */
const start = `
  insert into imports (directory_id, source, revision, last_sequence, started_at) values ($1, $2, $3, 0, $4)`

/** Remembers the revision that the import has given to a directory, which is complete. */
const completeRevision = 'update imports set revision = $2, completed_at = $3 where directory_id = $1'

/** Remembers the last event that the import has added. */
const note = `
  update imports set last_sequence = $2, event_created_at = $3, event_id = $4 where directory_id = $1`

/** What an import does in place of the further effects of a directory, which are made up for at its end. */
export interface EffectsOfImport {
  /** The effects of its changes. */
  of(directory: DirectoryRevision): readonly Effect[]
  /** Makes up for the others. */
  atEnd(directoryId: string, cause: Cause): Statement
}

/**
 * Imports. They are the batches of provisioning without their events, so that an import follows every rule of provisioning. All steps of a
 * write are in one commit.
 */
export function createImportStore(
  database: SqlDatabase,
  commit: Commit,
  { create, replace }: DirectoryChanges,
  effects: EffectsOfImport,
): ImportStore {
  const { query, transaction } = database
  const onImported = async (directory: DirectoryRevision, stage: Stage<'written'>) => {
    const outcome = await commit(importedBatch(directory, stage))
    return outcome === 'directory-changed' ? 'changed-here' : outcome
  }
  return {
    async importState(directoryId) {
      const [row] = await query({ text: state, values: [directoryId] })
      return row && decodeState(row)
    },
    async importedFrom(source, after, limit) {
      const rows = await query({ text: fromSource, values: [source, after, limit] })
      return rows.map((row) => text(row, 'directory_id'))
    },
    async createImported(directory, source, audit) {
      const { id, revision, createdAt } = directory
      const started = { text: start, values: [id, source, revision, createdAt] }
      return transaction<'created' | 'directory-exists'>([{ text: findAny, values: [id] }], ([found = []]) =>
        found.length > 0
          ? { statements: [], answer: 'directory-exists' }
          : changeThenRun(create(directory, audit), [started], 'created'),
      )
    },
    async replaceImported(directory, completedAt, audit) {
      const { id, revision } = directory
      const completed = [
        { text: completeRevision, values: [id, revision, completedAt] },
        effects.atEnd(id, { requestId: 'import', at: completedAt }),
      ]
      return transaction<'replaced' | ChangedHere>([lockImported({ id, revision: revision - 1 })], ([found = []]) =>
        found.length === 0
          ? { statements: [], answer: 'changed-here' }
          : changeThenRun(replace(directory, audit), completed, 'replaced'),
      )
    },
    writeImported(directory, steps, at) {
      // No limit applies.
      const unlimited = { ...directory, removalLimit: null, uniqueGroupNames: false, effects: effects.of(directory) }
      const batches = steps.map((step) => withoutEvents(batchOf(unlimited, step, { requestId: 'import', at })))
      return onImported(directory, inTurn(batches, newsForReaders(at)))
    },
    addImportedEvents: (directory, events) => onImported(directory, addEvents(directory.id, events)),
    async markImported(directoryId, completedAt, audit) {
      // First, and also if nothing has changed: an earlier import may have been interrupted after its changes.
      await database.atomically([effects.atEnd(directoryId, { requestId: 'import', at: completedAt })])
      await writeAudited(database, { text: complete, values: [directoryId, completedAt] }, audit)
    },
  }
}

/** The end of a transaction that makes a change and then runs statements. */
function changeThenRun<T>(
  { first, conclude }: Transaction<unknown>,
  statements: readonly Statement[],
  answer: T,
): Conclusion<T> {
  const ended = (conclusion: Conclusion<unknown>): Conclusion<T> =>
    'next' in conclusion
      ? { statements: conclusion.statements, next: (rows) => ended(conclusion.next(rows)) }
      : { statements: [...conclusion.statements, ...statements], answer }
  return { statements: first, next: (rows) => ended(conclude(rows)) }
}

function decodeState(row: Row): ImportState {
  const id = optionalText(row, 'event_id')
  const isBeforeFirst = id === undefined || id === ''
  return {
    directoryId: text(row, 'id'),
    source: optionalText(row, 'source'),
    isChanged: boolean(row, 'is_changed'),
    isComplete: optionalInteger(row, 'completed_at') !== undefined,
    lastEvent: isBeforeFirst ? undefined : { createdAt: integer(row, 'event_created_at'), id },
  }
}

const lock = `
  select 1 as found from directory_state s join imports i on i.directory_id = s.directory_id
  where s.directory_id = $1 and s.revision = $2 and i.revision = s.revision and i.last_sequence = s.last_sequence
  for update`

/** Locks a directory that nothing but its import has changed; no row otherwise. */
function lockImported({ id, revision }: Pick<DirectoryRevision, 'id' | 'revision'>): Statement {
  return { text: lock, values: [id, revision] }
}

/** Commits a stage on a directory that nothing but its import has changed. */
function importedBatch(directory: DirectoryRevision, stage: Stage<'written'>): Batch<'written' | ChangedHere> {
  return {
    directory,
    request: { reads: { imported: lockImported(directory) } },
    decide({ rows: { imported = [] } }) {
      const writes = new WriteCollection()
      return imported.length === 0 ? { writes, answer: () => 'changed-here' } : { writes, next: stage }
    },
  }
}

/**
 * Decides batches one after the other, each of which has to be made as a whole, then the last stage.
 *
 * @throws Error if a change is refused: the import decides all of them from what it has read before
 */
function inTurn<T>([first, ...others]: readonly Stage<readonly unknown[]>[], last: Stage<T>): Stage<T> {
  if (first === undefined) return last
  return followedBy(first, (outcomes) => {
    const refused = outcomes.find((outcome) => typeof outcome !== 'object')
    if (refused !== undefined) throw new Error(`A write of the import was refused: ${String(refused)}.`)
    return { next: inTurn(others, last) }
  })
}

/** Says that the directory has something new for readers, although no event was committed: see `feed-order.ts`. */
function newsForReaders(at: number): Stage<'written'> {
  return {
    request: {},
    decide() {
      const writes = new WriteCollection()
      writes.write('add', eventVolumes, { minute: minuteOf(at), events: 0, failed_deliveries: 0 })
      return { writes, answer: () => 'written' }
    },
  }
}

/** Adds events, and remembers the last one. */
function addEvents(directoryId: string, events: readonly ImportedEvent[]): Stage<'written'> {
  return {
    request: {},
    decide(facts) {
      const writes = new WriteCollection()
      writeEvents(
        events.map(({ event }) => event),
        writes,
      )
      const last = events.at(-1)?.position
      const lastSequence = lockedState(facts).lastSequence + events.length
      if (last !== undefined) writes.run({ text: note, values: [directoryId, lastSequence, last.createdAt, last.id] })
      return { writes, answer: () => 'written' }
    },
  }
}

function batchOf(directory: WrittenDirectory, step: ImportStep, cause: Cause): Batch<readonly unknown[]> {
  const event = (eventType: EventDraft['eventType']) => identifyEvent(draft(eventType), cause)
  const received = (eventType: EventDraft['eventType']) => ({ event: event(eventType), receivedAt: cause.at })
  switch (step.kind) {
    case 'create-users':
      return createUsers(
        directory,
        step.users.map((user) => ({ user, ...received('user.created') })),
      )
    case 'replace-users':
      return replaceUsers(
        directory,
        step.users.map((replacement) => ({ ...replacement, ...received('user.updated') })),
      )
    case 'delete-users':
      return deleteUsers(
        directory,
        step.users.map((user) => ({ user, ...received('user.deleted') })),
        'in-stages',
      )
    case 'create-groups':
      return changeGroups(
        directory,
        step.groups.map((group) => groupCreation(group, noMembers, draft('group.created'), cause)),
      )
    case 'replace-groups':
      return changeGroups(
        directory,
        step.groups.map(({ before, after }) =>
          groupReplacement(before, after, noMembers, draft('group.updated'), cause),
        ),
      )
    case 'delete-groups':
      return deleteGroups(
        directory,
        step.groups.map((group) => ({ group, event: event('group.deleted') })),
        'in-stages',
      )
    case 'change-members': {
      const { groupId, add, remove } = step
      return changeGroups(directory, [memberChange(groupId, { kind: 'delta', add, remove }, undefined, cause)])
    }
  }
}

/** The event of a change, which is not stored. */
function draft(eventType: EventDraft['eventType']): EventDraft {
  return { eventType, data: '{}' as JsonText<Record<string, never>> }
}

/** Notes that events of a run, or a new revision, are no change by somebody else: an import of the directory can be repeated. */
export function followRun(directoryId: string, before: number, after: number): Statement {
  const update = 'update imports set last_sequence = $3 where directory_id = $1 and last_sequence = $2'
  return { text: update, values: [directoryId, before, after] }
}

/** As `followRun`, for the next revision of the record. */
export function followRevision(directoryId: string): Statement {
  const update = `
    update imports set revision = revision + 1
    where directory_id = $1 and revision = (select s.revision from directory_state s where s.directory_id = $1)`
  return { text: update, values: [directoryId] }
}

/** The change of members that no event reports. */
const noMembers = { kind: 'delta', add: new Set<string>(), remove: new Set<string>() } as const
