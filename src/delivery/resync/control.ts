import type { Audited, Caller } from '../../directory/audit.ts'
import { directoryTarget } from '../../directory/audit.ts'
import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { Resync } from './resync.ts'
import type { ResyncStore } from './store.ts'

export interface ResyncControlParts {
  readonly store: ResyncStore
  readonly directories: { get(id: string): Promise<Directory> }
  readonly audited: Audited
  readonly clock: () => number
  readonly newId: () => string
  /** A resync of the directory runs; what it has told until now is on disk. */
  readonly onBegin: (directory: Directory) => void
}

/** A resync as the API answers it. */
export interface ResyncView {
  readonly sync_id: string
  readonly state: 'running' | 'completed'
  /** How many were told until now. */
  readonly users: number
  readonly groups: number
  readonly members: number
  /** ISO 8601, in UTC. */
  readonly started_at: string
  readonly completed_at: string | null
}

/** Resyncs as the product asks for them. */
export type ResyncControl = ReturnType<typeof createResyncControl>

/** Makes the resyncs of a service. What they tell is told in the background. */
export function createResyncControl({ store, directories, audited, clock, newId, onBegin }: ResyncControlParts) {
  return {
    /**
     * Begins to tell all that a directory holds; while that runs, every further call answers the same.
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
     * How the last resync of a directory goes, or went.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found` when there was none
     */
    async last(id: string): Promise<ResyncView> {
      const { id: directoryId } = await directories.get(id)
      const resync = await store.getResync(directoryId)
      if (resync !== undefined) return resyncAnswer(resync)
      throw new DirectoryError(
        'resource-not-found',
        'This directory has had no resync: POST to this address begins one.',
      )
    },
  }
}

function resyncAnswer({ syncId, sent, startedAt, completedAt }: Resync): ResyncView {
  return {
    sync_id: syncId,
    state: completedAt === undefined ? 'running' : 'completed',
    ...sent,
    started_at: new Date(startedAt).toISOString(),
    completed_at: completedAt === undefined ? null : new Date(completedAt).toISOString(),
  }
}
