import type { Audited, Caller } from '../../directory/audit.ts'
import { directoryTarget } from '../../directory/audit.ts'
import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { Resync } from './resync.ts'
import type { ResyncStore } from './resync-store.ts'

export interface ResyncControlParts {
  readonly store: ResyncStore
  readonly directories: { get(id: string): Promise<Directory> }
  readonly audited: Audited
  readonly clock: () => number
  readonly newId: () => string
  /** Called when a resync of the directory is running. */
  readonly onBegin: (directory: Directory) => void
}

/** A resync as the API returns it. */
export interface ResyncView {
  readonly sync_id: string
  readonly state: 'running' | 'completed'
  /** The number of snapshots so far. */
  readonly users: number
  readonly groups: number
  readonly members: number
  /** ISO 8601, in UTC. */
  readonly started_at: string
  readonly completed_at: string | null
}

/** The resyncs of directories as the API offers them. */
export type ResyncControl = ReturnType<typeof createResyncControl>

export function createResyncControl({ store, directories, audited, clock, newId, onBegin }: ResyncControlParts) {
  return {
    /**
     * Starts a resync, which runs in the background. Returns the running one if there is one already.
     *
     * @throws DirectoryError `directory-not-found`
     */
    async begin(id: string, requestId: string, caller: Caller): Promise<Pick<ResyncView, 'sync_id' | 'state'>> {
      const directory = await directories.get(id)
      const at = clock()
      const audit = audited({ action: 'directory.resync_started', caller, target: directoryTarget(directory), at })
      const request = { directoryId: directory.id, syncId: newId(), requestId, startedAt: at }
      const begun = await store.beginResync(request, audit)
      if (begun === 'directory-not-found') throw new DirectoryError(begun, 'There is no such directory.')
      onBegin(directory)
      return { sync_id: begun.syncId, state: 'running' }
    },
    /**
     * The last resync of a directory, running or completed.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found` when there was none
     */
    async last(id: string): Promise<ResyncView> {
      const { id: directoryId } = await directories.get(id)
      const resync = await store.getResync(directoryId)
      if (resync !== undefined) return resyncView(resync)
      throw new DirectoryError(
        'resource-not-found',
        'This directory has never had a resync: start one with a POST to this address.',
      )
    },
  }
}

function resyncView({ syncId, sent, startedAt, completedAt }: Resync): ResyncView {
  return {
    sync_id: syncId,
    state: completedAt === undefined ? 'running' : 'completed',
    ...sent,
    started_at: new Date(startedAt).toISOString(),
    completed_at: completedAt === undefined ? null : new Date(completedAt).toISOString(),
  }
}
