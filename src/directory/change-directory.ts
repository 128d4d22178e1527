import { toJsonText } from '../scim/json-text.ts'
import type { AuditAction, Audited, AuditWrite, Caller } from './audit.ts'
import { directoryTarget } from './audit.ts'
import type { Directory } from './directory.ts'
import { directoryChanges } from './directory-changes.ts'
import type { DirectoryRecords } from './directory-store.ts'
import { DirectoryError } from './errors.ts'
import type { EventDraft, EventType, EventWrite } from './event.ts'
import type { RemovalLimit } from './removal-limit.ts'

/** Copies of directory records, by which requests are authorized. */
export interface CachedRecords {
  forget(directoryId: string): void
}

export interface DirectoriesParts {
  readonly store: DirectoryRecords
  readonly access: CachedRecords
  readonly audited: Audited
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly newId: () => string
  readonly newEndpointSecret: () => string
  /** The reason why events must not be sent to the host of a URL; undefined when they may. */
  readonly checkEndpointUrl: (url: string) => Promise<string | undefined>
  /** The limit of directories that have no limit of their own. */
  readonly removalLimit?: RemovalLimit | undefined
  /** The maximum number of directories that a tenant may have for one product; 0, the default, means unlimited. */
  readonly maxPerScope?: number | undefined
  /** Called after a change that has an event. */
  readonly onCommit?: (directory: Directory) => void
}

/** The action and the caller that the audit trail records for a change. */
export interface AuditedAction {
  readonly action: AuditAction
  readonly caller: Caller
}

/**
 * Applies `changed` to the stored record, and again if another writer was first. If it returns the same object, nothing
 * is written.
 *
 * @param by undefined leaves no audit entry
 * @throws DirectoryError `directory-not-found`
 */
export type ChangeDirectory = (
  id: string,
  changed: (directory: Directory) => Directory,
  by: AuditedAction | undefined,
) => Promise<Directory>

export function createChangeDirectory(parts: DirectoriesParts): ChangeDirectory {
  const { store, access } = parts
  return async (id, changed, by) => {
    for (;;) {
      const before = await findDirectory(store, id)
      const wanted = changed(before)
      if (wanted === before) return before
      const after = { ...wanted, revision: before.revision + 1 }
      const isTurned = by !== undefined && after.deactivated !== before.deactivated
      const { requestId = parts.newId() } = by?.caller ?? {}
      const cause = { requestId, at: parts.clock() }
      const event = isTurned ? { event: activityEvent(after), cause } : undefined
      const audit = by && directoryAudit(parts, by, before, after)
      const run = concernsUsers(before, after) ? cause : undefined
      const outcome = await store.replaceDirectory(after, audit, { event, run })
      access.forget(id)
      if (outcome !== 'replaced') continue
      if (isTurned) parts.onCommit?.(after)
      return after
    }
  }
}

/** Returns whether a change may give users another mark: see `allowed-domains.ts`. */
function concernsUsers({ domains: before }: Directory, { domains: after }: Directory): boolean {
  return (before?.allowed ?? []).join() !== (after?.allowed ?? []).join()
}

/** @throws DirectoryError `directory-not-found` */
export async function findDirectory(store: Pick<DirectoryRecords, 'getDirectory'>, id: string): Promise<Directory> {
  const directory = await store.getDirectory(id)
  if (directory === undefined) throw directoryNotFound()
  return directory
}

export function directoryNotFound(): DirectoryError {
  return new DirectoryError('directory-not-found', 'There is no such directory.')
}

type DirectoryEventType = EventType & `directory.${string}`

/** An event about a directory itself, and its cause. */
export function lifecycleEvent(
  { clock, newId }: Pick<DirectoriesParts, 'clock' | 'newId'>,
  eventType: DirectoryEventType,
  directory: Directory,
  { requestId = newId() }: Caller,
): EventWrite {
  return { event: directoryEvent(eventType, directory), cause: { requestId, at: clock() } }
}

/** The data begins with the id of the directory, as that of other events with theirs. */
export function directoryEvent(
  eventType: DirectoryEventType,
  { id, name, tenant, product, directoryType: type }: Omit<DirectoryOfEvent, 'deactivated'>,
): EventDraft {
  return { eventType, data: toJsonText({ id, name, tenant, product, type }) }
}

/** The event that says whether a directory is active. */
export function activityEvent(directory: DirectoryOfEvent): EventDraft {
  return directoryEvent(directory.deactivated ? 'directory.deactivated' : 'directory.activated', directory)
}

type DirectoryOfEvent = Pick<Directory, 'id' | 'name' | 'tenant' | 'product' | 'deactivated'> & {
  readonly directoryType: string
}

/** The audit entry of a change; `before` is undefined for a new directory, `after` for a deleted one. */
export function directoryAudit(
  { audited, clock }: Pick<DirectoriesParts, 'audited' | 'clock'>,
  { action, caller }: AuditedAction,
  before: Directory | undefined,
  after: Directory | undefined,
): AuditWrite {
  const directory = after ?? before
  const target = directory ? directoryTarget(directory) : ({ kind: 'directory', id: undefined } as const)
  return audited({ action, caller, target, changes: directoryChanges(before, after), at: clock() })
}
