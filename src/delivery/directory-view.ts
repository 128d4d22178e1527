import type { Directory } from '../directory/directory.ts'
import type { DirectoryRecords } from '../directory/store.ts'

/** A change of the record is heard of this soon, and at the next attempt when attempts take longer. */
const maxAgeMs = 250

/** A directory's record as delivery sees it: read again before it is old, not for every event. */
export interface DirectoryView {
  /** The record, at most 250 ms old; undefined when the directory is gone. */
  current(): Promise<Directory | undefined>
  /** The same, read now. */
  refresh(): Promise<Directory | undefined>
}

export function createDirectoryView(
  store: Pick<DirectoryRecords, 'getDirectory'>,
  directoryId: string,
  clock: () => number,
): DirectoryView {
  let directory: Directory | undefined
  let readAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<Directory | undefined> {
    readAt = clock()
    directory = await store.getDirectory(directoryId)
    return directory
  }

  return {
    refresh,
    current: async () => (clock() - readAt < maxAgeMs ? directory : refresh()),
  }
}
