import type { ListName } from '../../reads/lists.ts'
import type { DirectoryNumber, Position } from '../numbers.ts'
import { bucketValue } from '../numbers.ts'
import { listCounts } from '../tables.ts'
import type { WriteCollection } from '../writes.ts'
import type { Effect } from './effect.ts'

/** Collects how many rows lists gain and lose, per bucket of positions. */
export class ListCounts {
  private readonly changes = new Map<string, { list: ListName; bucket: number | DirectoryNumber; by: number }>()

  /** Counts rows that were added or, with a negative number, removed. */
  count(list: ListName, position: Position, by: number): void {
    const bucket = bucketValue(position)
    const key = `${typeof bucket === 'number' ? bucket : `after ${bucket.n}`}/${list}`
    const change = this.changes.get(key) ?? { list, bucket, by: 0 }
    change.by += by
    this.changes.set(key, change)
  }

  collect(writes: WriteCollection): void {
    for (const { list, bucket, by } of this.changes.values()) {
      const row = { list_name: list, bucket, resources: Math.abs(by) }
      if (by !== 0) writes.write(by > 0 ? 'add' : 'subtract', listCounts, row)
    }
  }
}

/** Counts the users who are created and deleted. */
export const countUsers: Effect = {
  write(changes, _, writes) {
    const counts = new ListCounts()
    for (const { before, after, position } of changes) {
      if (position === undefined || (before === undefined) === (after === undefined)) continue
      counts.count('users', position, after === undefined ? -1 : 1)
    }
    counts.collect(writes)
  },
}
