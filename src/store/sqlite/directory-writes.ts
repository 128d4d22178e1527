import type { DatabaseSync } from 'node:sqlite'
import type { DirectoryChanged } from '../../directory/directory-store.ts'
import type { LockedDirectory } from '../write/batch.ts'
import type { DirectoryState } from './directory-state.ts'
import { decodeDirectoryState, directoryStateColumns } from './directory-state.ts'
import type { GroupCommit } from './group-commit.ts'

/** Makes the writes to a directory wait while a change in steps is being made to it. Other directories are not affected. */
export interface DirectoryGate {
  /** Starts a write at once when the directory's gate is open, otherwise when it opens. */
  whenOpen<T>(directoryId: string, write: () => Promise<T>): Promise<T>
  /** Closes the gate, once it is open; the returned function opens it. What was queued before is still written first. */
  close(directoryId: string): Promise<() => void>
}

export function createDirectoryGate(): DirectoryGate {
  const closed = new Map<string, Promise<void>>()

  function whenOpen<T>(directoryId: string, write: () => Promise<T>): Promise<T> {
    const opening = closed.get(directoryId)
    return opening === undefined ? write() : opening.then(() => whenOpen(directoryId, write))
  }

  return {
    whenOpen,
    close: (directoryId) =>
      whenOpen(directoryId, () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        closed.set(directoryId, promise)
        return Promise.resolve(() => {
          closed.delete(directoryId)
          resolve()
        })
      }),
  }
}

/**
 * Runs work as one write of the group commit, on a directory whose record is at the expected revision, if there is one. When the
 * work returns a rejection, it must not have written anything.
 */
export type WriteDirectory = <T>(
  directory: LockedDirectory,
  work: (directory: DirectoryState) => T,
) => Promise<T | DirectoryChanged>

/** @param afterGate makes the work wait while the directory's gate is closed */
export function createWriteDirectory(
  db: DatabaseSync,
  { write }: GroupCommit,
  afterGate?: DirectoryGate['whenOpen'],
): WriteDirectory {
  const state = db.prepare(`
    select ${directoryStateColumns} from directory_state
    where directory_id = ? and revision >= 0 and revision = coalesce(?, revision)`)
  const writeNow: WriteDirectory = ({ id, revision = null }, work) =>
    write(() => {
      const row = state.get(id, revision)
      if (row === undefined) return 'directory-changed'
      return work(decodeDirectoryState(id, row))
    })
  if (afterGate === undefined) return writeNow
  return (directory, work) => afterGate(directory.id, () => writeNow(directory, work))
}
