import type { ChosenGroup, Directory } from '../../directory/directory.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { Provisioning } from '../../provisioning/lifecycle.ts'
import { fold } from '../../scim/fold.ts'
import type { GoogleGroup, GoogleUser } from '../client/items.ts'
import type { Workspace } from '../client/workspace.ts'
import type { GoogleStore } from '../google-store.ts'
import type { IdSet } from './id-set.ts'
import { createIdSet } from './id-set.ts'
import type { Tally } from './run.ts'
import type { Write } from './write.ts'
import { createWrite } from './write.ts'

export interface SyncParts {
  readonly workspace: Workspace
  readonly provisioning: Provisioning
  readonly store: Pick<GoogleStore, 'holdDeletions' | 'heldAmong' | 'heldRun'>
  readonly directory: Directory
  readonly runId: string
  /** Whether the deletions that the run holds are approved. */
  readonly isApproved: boolean
  /** The percentage of users or groups that a run may delete without approval. */
  readonly maxDeletePercent: number
  readonly tally: Tally
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly signal: AbortSignal
  /** Reads the directory again after it has changed; throws if the run must end. */
  readonly refreshed: () => Promise<Directory>
  /** Awaited with the events of each commit. */
  readonly onEvents: (directory: Directory, events: readonly StoredEvent[]) => Promise<void>
  /** Records what the run found out about the chosen groups. */
  readonly recordGroups: (groups: readonly ChosenGroup[]) => Promise<void>
  readonly log: { warn(details: object, message: string): void }
}

/** The users and groups that a directory is restricted to, besides its domain. */
export interface Scope {
  /** The chosen groups; undefined: all groups. */
  readonly groups: readonly GoogleGroup[] | undefined
  /** The chosen groups that were deleted in Google, as they were entered. */
  readonly goneGroups: readonly string[]
  /** Returns whether a user is in a chosen unit, or was in a chosen group at the beginning of the run. */
  includes(user: GoogleUser): boolean
  /** Confirms that a user is not included: lists may be incomplete, so the groups are read a second time. */
  stillIncludes(user: GoogleUser): Promise<boolean>
}

/** The state of one sync. */
export interface SyncContext extends SyncParts {
  readonly directoryId: string
  readonly write: Write
  readonly scope: Scope
  /** The users and groups in scope that Google has listed. */
  readonly visitedUsers: IdSet
  readonly visitedGroups: IdSet
  /** Returns whether an email address belongs to the domain that the directory is limited to. */
  readonly isInDomain: (email: string) => boolean
  /** Counts a user or group as skipped, once. */
  readonly skip: (id: string) => void
  readonly notes: SyncNotes
}

/** Notes for the end of the run. */
export interface SyncNotes {
  unreadableGroups: number
  /** Whether members are left for the next run to remove. */
  hasMoreRemovals: boolean
}

export function createSyncContext(parts: SyncParts, scope: Scope): SyncContext {
  const { directory, runId, clock, tally } = parts
  const skipped = createIdSet()
  const domain = directory.google?.domain
  return {
    ...parts,
    scope,
    directoryId: directory.id,
    write: createWrite({ ...parts, cause: () => ({ requestId: runId, at: clock() }) }),
    visitedUsers: createIdSet(),
    visitedGroups: createIdSet(),
    isInDomain: (email) => domain === undefined || fold(email).endsWith(`@${fold(domain)}`),
    skip: (id) => {
      if (skipped.add(id)) tally.count('skipped')
    },
    notes: { unreadableGroups: 0, hasMoreRemovals: false },
  }
}
