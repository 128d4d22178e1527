import type { AuditWrite } from '../../directory/audit.ts'
import type { Directory, DirectoryRevision } from '../../directory/directory.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { Group } from '../../directory/group.ts'
import type { IndexedUser } from '../../directory/user.ts'

/** A directory of the database, as far as an import needs to know it. */
export interface ImportState {
  readonly directoryId: string
  /** Where it was imported from; undefined: it was not imported. */
  readonly source: string | undefined
  /** Whether something else than the import has changed it, or it is being deleted. */
  readonly isChanged: boolean
  /** Whether an import of it was ever completed. */
  readonly isComplete: boolean
  /** The position of the last event that was imported; undefined before the first. */
  readonly lastEvent: EventPosition | undefined
}

/** The place of an event in the queue of the other service. */
export interface EventPosition {
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly id: string
}

/** An event that waited in the queue of the other service. */
export interface ImportedEvent {
  readonly position: EventPosition
  readonly event: Omit<StoredEvent, 'sequence'>
}

/** One kind of change that an import makes to a directory. */
export type ImportStep =
  | { readonly kind: 'create-users'; readonly users: readonly IndexedUser[] }
  | { readonly kind: 'replace-users'; readonly users: readonly Replacement<IndexedUser>[] }
  | { readonly kind: 'delete-users'; readonly users: readonly IndexedUser[] }
  | { readonly kind: 'create-groups'; readonly groups: readonly Group[] }
  | { readonly kind: 'replace-groups'; readonly groups: readonly Replacement<Group>[] }
  | { readonly kind: 'delete-groups'; readonly groups: readonly Group[] }
  | {
      readonly kind: 'change-members'
      readonly groupId: string
      readonly add: ReadonlySet<string>
      readonly remove: ReadonlySet<string>
    }

export interface Replacement<T> {
  readonly before: T
  readonly after: T
}

/** The directory was changed by something else than the import: nothing is written. */
export type ChangedHere = 'changed-here'

/** The number of rows that one transaction of an import writes. */
export const rowsPerImportBatch = 200

/**
 * The storage of an import. It changes a directory without events, as if they had been discarded: rows keep their places
 * in lists, and the first event is number 1. Nothing counts as a removal. Every write is refused once something else has
 * changed the directory.
 */
export interface ImportStore {
  /** The state of a directory; undefined if there is none with this id. */
  importState(directoryId: string): Promise<ImportState | undefined>
  /** The directories that were imported from a source, by id, starting after one of them ('' for the first). */
  importedFrom(source: string, after: string, limit: number): Promise<string[]>
  /** Creates a directory; `directory-exists` if there is one with this id, even one that is being deleted. */
  createImported(directory: Directory, source: string, audit: AuditWrite): Promise<'created' | 'directory-exists'>
  /** Stores the next revision of the record, and that the import is complete at a time. */
  replaceImported(directory: Directory, completedAt: number, audit: AuditWrite): Promise<'replaced' | ChangedHere>
  /** Makes changes, all in one transaction: at most `rowsPerImportBatch` rows. */
  writeImported(
    directory: DirectoryRevision,
    steps: readonly ImportStep[],
    at: number,
  ): Promise<'written' | ChangedHere>
  /** Adds undelivered events after those of the directory, and remembers the position of the last one. */
  addImportedEvents(directory: DirectoryRevision, events: readonly ImportedEvent[]): Promise<'written' | ChangedHere>
  /** Remembers that a run which changed nothing else was complete at a time. */
  markImported(directoryId: string, completedAt: number, audit: AuditWrite | undefined): Promise<void>
}
