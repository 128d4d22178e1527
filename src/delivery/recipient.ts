import type { Directory } from '../directory/directory.ts'
import type { DirectoryRecords } from '../directory/directory-store.ts'
import type { DeliveryTarget } from './event-store.ts'

/** A change of the directory takes effect after this time, or at the next attempt when attempts take longer. */
const maxAgeMs = 250

export interface RecipientOptions {
  readonly store: Pick<DirectoryRecords, 'getDirectory'>
  readonly target: DeliveryTarget
  readonly directoryId: string
  readonly clock: () => number
  /** Called when the directory no longer exists. */
  readonly onDeleted: () => void
}

/** A directory as the recipient of its events, read again when it may be outdated and not for every event. */
export interface Recipient {
  /** The directory, read within the last 250 ms; undefined when it may not receive events. */
  current(): Promise<Directory | undefined>
  /** The same, read now. */
  refresh(): Promise<Directory | undefined>
}

export function createRecipient({ store, target, directoryId, clock, onDeleted }: RecipientOptions): Recipient {
  let directory: Directory | undefined
  let readAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<Directory | undefined> {
    readAt = clock()
    directory = await store.getDirectory(directoryId)
    return ifReceiving(directory)
  }

  function ifReceiving(read: Directory | undefined): Directory | undefined {
    if (read === undefined) {
      onDeleted()
      return undefined
    }
    const hasTarget = target === 'on-event' || read.endpoint !== undefined
    return hasTarget && !read.deactivated ? read : undefined
  }

  return {
    refresh,
    current: async () => (clock() - readAt < maxAgeMs ? ifReceiving(directory) : refresh()),
  }
}
