import type { DirectoryRevision } from '../directory/directory.ts'
import { leftToRun } from '../mapping/compiled.ts'
import type { ImportState, ImportStore } from '../polis/import/import-store.ts'
import { writeAudited } from './audit-chain.ts'
import { runStartIfMapped } from './mapped-users.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, optionalText, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'
import type { WrittenDirectory } from './write/batch.ts'

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

/** The reads of imports, and what they write by themselves. */
export function createImportReads(
  database: SqlDatabase,
): Pick<ImportStore, 'importState' | 'importedFrom' | 'markImported'> {
  const { query } = database
  return {
    async importState(directoryId) {
      const [row] = await query({ text: state, values: [directoryId] })
      return row && decodeState(row)
    },
    async importedFrom(source, after, limit) {
      const rows = await query({ text: fromSource, values: [source, after, limit] })
      return rows.map((row) => text(row, 'directory_id'))
    },
    async markImported(directoryId, completedAt, audit) {
      // First, and also if nothing has changed: an earlier import may have been interrupted after its changes.
      await database.atomically([runStartIfMapped(directoryId, { requestId: 'import', at: completedAt })])
      await writeAudited(database, { text: complete, values: [directoryId, completedAt] }, audit)
    },
  }
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

/**
 * Locks a directory that nothing but its import has changed, and reads its state; no row otherwise.
 *
 * @param revision the one that the import knows
 */
export function lockImported(directoryId: string, revision: number): Statement {
  const lock = `
    select s.* from directory_state s join imports i on i.directory_id = s.directory_id
    where s.directory_id = $1 and s.revision = $2 and i.revision = s.revision and i.last_sequence = s.last_sequence
    for update`
  return { text: lock, values: [directoryId, revision] }
}

/** Whether there is a directory with an id, even one that is being deleted. */
export function findAny(directoryId: string): Statement {
  return { text: 'select 1 as found from directories where id = $1', values: [directoryId] }
}

/** Remembers that a directory is created by an import. */
export function startImport(directoryId: string, source: string, revision: number, at: number): Statement {
  const insert = `
    insert into imports (directory_id, source, revision, last_sequence, started_at) values ($1, $2, $3, 0, $4)`
  return { text: insert, values: [directoryId, source, revision, at] }
}

/** Remembers the revision that the import has given to a directory, which is complete. */
export function completeRevision(directoryId: string, revision: number, completedAt: number): Statement {
  const update = 'update imports set revision = $2, completed_at = $3 where directory_id = $1'
  return { text: update, values: [directoryId, revision, completedAt] }
}

/** Remembers the last event that the import has added. */
export function noteEvents(
  directoryId: string,
  lastSequence: number,
  { createdAt, id }: NonNullable<ImportState['lastEvent']>,
): Statement {
  const update = `
    update imports set last_sequence = $2, event_created_at = $3, event_id = $4 where directory_id = $1`
  return { text: update, values: [directoryId, lastSequence, createdAt, id] }
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

/** The directory of an import's writes: no limit applies, and users keep their roles until the run at its end. */
export function unlimitedImport(directory: DirectoryRevision): WrittenDirectory {
  const compiled = directory.mapping === undefined ? undefined : leftToRun
  return { ...directory, removalLimit: null, uniqueGroupNames: false, compiled }
}

/** The change of members that no event reports. */
export const noMembers = { kind: 'delta', add: new Set<string>(), remove: new Set<string>() } as const
