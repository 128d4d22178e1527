import type { Directory } from '../../directory/directory.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { Provisioning } from '../../provisioning/lifecycle.ts'
import type { Workspace } from '../client/workspace.ts'
import type { ExtdirStore } from '../store.ts'
import type { Tally } from './tally.ts'

/** What a reconcile is given. */
export interface ReconcileParts {
  readonly workspace: Workspace
  readonly provisioning: Provisioning
  readonly store: Pick<ExtdirStore, 'holdDeletions' | 'heldAmong' | 'heldRun'>
  readonly directory: Directory
  readonly runId: string
  /** Whether the deletions that the run holds are approved. */
  readonly isApproved: boolean
  /** Of the users, or groups, there are: to delete more of them at once needs an approval. */
  readonly maxDeletePercent: number
  readonly tally: Tally
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly signal: AbortSignal
  /** The directory as it is now, after it has changed; throws when the run must end. */
  readonly refreshed: () => Promise<Directory>
  /** Awaited with the events of each commit. */
  readonly onEvents: (directory: Directory, events: readonly StoredEvent[]) => Promise<void>
  readonly log: { warn(details: object, message: string): void }
}
