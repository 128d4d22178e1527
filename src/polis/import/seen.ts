import { createIdSet } from '../../google/sync/id-set.ts'
import { IncompleteList } from './source/errors.ts'
import { digestOf, digestOfKey } from './source/keys.ts'
import type { OnUnreadable } from './source.ts'

/** The records of Polis that an import came across in a list. */
export interface SeenRecords {
  /** Adds a record that was read. False if it is there already. */
  add(id: string): boolean
  /** Adds a record that could not be read, by its key. */
  readonly addUnreadable: OnUnreadable
  /** Returns whether the record was read. */
  has(id: string): boolean
  /** Returns whether Polis has the record, but it could not be read: what an earlier import brought of it stays. */
  isUnreadable(id: string): boolean
  /** The number of records that could not be read. */
  readonly unreadable: number
  /** Whether the list had no record at all. */
  readonly isEmpty: boolean
  /** Whether the list was read to its end; else nothing is deleted because it lacks it. */
  isWhole: boolean
}

export function createSeenRecords(): SeenRecords {
  const [read, unreadable] = [createIdSet(), createIdSet()]
  return {
    add: (id) => read.add(id),
    addUnreadable(key) {
      unreadable.add(digestOfKey(key))
    },
    has: (id) => read.has(id),
    isUnreadable: (id) => unreadable.size > 0 && unreadable.has(digestOf(id)),
    get unreadable() {
      return unreadable.size
    },
    get isEmpty() {
      return read.size + unreadable.size === 0
    },
    isWhole: true,
  }
}

/** Reads a list as far as it can be read. `onIncomplete` is called with the reason if that is not its end. */
export async function* readable<T>(
  list: AsyncIterable<T>,
  onIncomplete: (reason: string) => void,
): AsyncGenerator<T, void> {
  try {
    yield* list
  } catch (error) {
    if (!(error instanceof IncompleteList)) throw error
    onIncomplete(error.message)
  }
}

/** What the report says about a record that an earlier import brought, and that cannot be read any more. */
export function unreadableText(record: 'directory' | 'user' | 'group'): string {
  return `The ${record} cannot be read in Polis any more: it stays as it was imported.`
}

/** The sentence of the report about records of a list that cannot be read. */
export function leftOutText(count: number, record: 'directory' | 'user' | 'group' | 'setup link'): string {
  const plural = record === 'directory' ? 'directories' : `${record}s`
  return count === 1
    ? `1 ${record} of Polis cannot be read, and is left out.`
    : `${count} ${plural} of Polis cannot be read, and are left out.`
}

/** The sentence of the report about a record that a list lacks, but that Polis still has. */
export function notListedText(record: 'directory' | 'user' | 'group' | 'setup link'): string {
  return `The ${record} is missing from the list of Polis, but Polis still has it: it stays as it was imported.`
}
