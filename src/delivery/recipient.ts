import type { Directory } from '../directory/directory.ts'
import type { DirectoryRecords } from '../directory/directory-store.ts'
import type { DeliveryTarget } from './event-store.ts'

/** Age after which the directory is read again, at the next attempt. */
const maxAgeMs = 250

export interface RecipientOptions {
  readonly store: Pick<DirectoryRecords, 'getDirectory'>
  readonly target: DeliveryTarget
  readonly directoryId: string
  readonly clock: () => number
  /** Called when the directory no longer exists. */
  readonly onDeleted: () => void
}

/** A directory, maybe a deleted one, as the recipient of its events. It is not read again for every event, only when it may be outdated. */
export interface Recipient {
  /** The directory, read within the last 250 ms; undefined when it may not receive events. */
  current(): Promise<Directory | undefined>
  /** The directory, read now. */
  refresh(): Promise<Directory | undefined>
}

export function createRecipient({ store, target, directoryId, clock, onDeleted }: RecipientOptions): Recipient {
  let directory: Directory | undefined
  let readAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<Directory | undefined> {
    readAt = clock()
    directory = await store.getDirectory(directoryId, 'leaving')
    return ifReceiving(directory)
  }

  function ifReceiving(read: Directory | undefined): Directory | undefined {
    if (read === undefined) {
      onDeleted()
      return undefined
    }
    const hasTarget = target === 'on-event' || read.endpoint !== undefined
    return hasTarget ? read : undefined
  }

  return {
    refresh,
    current: async () => (clock() - readAt < maxAgeMs ? ifReceiving(directory) : refresh()),
  }
}
