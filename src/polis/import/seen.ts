import { createIdSet } from '../../google/sync/id-set.ts'
import { digestOf, digestOfKey } from '../source/keys.ts'
import type { OnUnreadable } from '../source.ts'

/** The records of Polis that an import came across in a list. */
export interface SeenRecords {
  /** Adds a record that was read. False if it is there already. */
  add(id: string): boolean
  /** Adds a record that could not be read, by its key. */
  readonly addUnreadable: OnUnreadable
  /** Whether the record was read. */
  has(id: string): boolean
  /** Whether Polis has the record, but it could not be read: what an earlier import brought of it stays. */
  isUnreadable(id: string): boolean
  /** The number of all records. */
  readonly size: number
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
    get size() {
      return read.size + unreadable.size
    },
  }
}

/** What the report says about a record that an earlier import brought, and that cannot be read any more. */
export function unreadableText(record: 'directory' | 'user' | 'group'): string {
  return `The ${record} cannot be read in Polis any more: it stays as it was imported.`
}
