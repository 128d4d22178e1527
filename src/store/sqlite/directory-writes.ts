import type { DatabaseSync } from 'node:sqlite'
import type { DirectoryChanged } from '../../directory/directory-store.ts'
import type { MappedRevision } from '../mapped-users.ts'
import type { LockedDirectory, WrittenDirectory } from '../write/batch.ts'
import type { DirectoryGate } from './directory-gate.ts'
import type { DirectoryState } from './events.ts'
import { decodeDirectoryState, directoryStateColumns } from './events.ts'
import type { GroupCommit } from './group-commit.ts'
import type { Members } from './members.ts'
import type { Batched, CommitParts } from './write/commit.ts'

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

/** The parts that the provisioning of users and of groups share. */
export interface ProvisioningParts {
  readonly db: DatabaseSync
  readonly commitParts: CommitParts
  readonly batched: Batched
  readonly members: Members
  /** The directory with the removal limit in effect. */
  readonly written: (revision: MappedRevision) => WrittenDirectory
}
