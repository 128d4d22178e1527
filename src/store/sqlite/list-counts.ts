import type { DatabaseSync } from 'node:sqlite'
import type { ListName } from '../lists.ts'
import { bucketOf } from '../lists.ts'
import { integer } from '../row.ts'

/** Counts the rows of a directory's lists per bucket of sequence numbers. */
export function createListCounts(db: DatabaseSync) {
  const increment = db.prepare(`
    insert into list_counts (directory_id, list_name, bucket, resources) values (?, ?, ?, 1)
    on conflict (directory_id, list_name, bucket) do update set resources = resources + 1`)
  const change = db.prepare(`
    insert into list_counts (directory_id, list_name, bucket, resources) values (?, ?, ?, ?)
    on conflict (directory_id, list_name, bucket) do update set resources = resources + excluded.resources`)
  const decrement = db.prepare(`
    update list_counts set resources = resources - 1 where directory_id = ? and list_name = ? and bucket = ?`)
  const deleteEmpty = db.prepare(`
    delete from list_counts where directory_id = ? and list_name = ? and bucket = ? and resources = 0`)
  const sum = db.prepare(`
    select coalesce(sum(resources), 0) as total from list_counts where directory_id = ? and list_name = ?`)
  return {
    /** Counts a row that was added to a list. */
    add(directoryId: string, list: ListName, sequence: number): void {
      increment.run(directoryId, list, bucketOf(sequence))
    },
    /** Counts a row that was removed from a list. */
    remove(directoryId: string, list: ListName, sequence: number): void {
      const key = [directoryId, list, bucketOf(sequence)] as const
      decrement.run(...key)
      deleteEmpty.run(...key)
    },
    /** Counts the rows that a list gained or lost in one bucket. */
    change(directoryId: string, list: ListName, bucket: number, by: number): void {
      if (by === 0) return
      change.run(directoryId, list, bucket, by)
      if (by < 0) deleteEmpty.run(directoryId, list, bucket)
    },
    /** The number of rows of a list. */
    total(directoryId: string, list: ListName): number {
      return integer(sum.get(directoryId, list) ?? {}, 'total')
    },
  }
}

export type ListCounts = ReturnType<typeof createListCounts>
