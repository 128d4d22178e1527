import type { DatabaseSync } from 'node:sqlite'
import type { BucketCount, ListName } from '../list-buckets.ts'
import { bucketOf, locateOffset } from '../list-buckets.ts'

/** The counts of a directory's lists per bucket. */
export function listCounts(db: DatabaseSync) {
  const add = db.prepare(`
    insert into list_counts (directory_id, list_name, bucket, resources) values (?, ?, ?, 1)
    on conflict (directory_id, list_name, bucket) do update set resources = resources + 1`)
  const take = db.prepare(`
    update list_counts set resources = resources - 1 where directory_id = ? and list_name = ? and bucket = ?`)
  const dropEmpty = db.prepare(`
    delete from list_counts where directory_id = ? and list_name = ? and bucket = ? and resources = 0`)
  const drop = db.prepare('delete from list_counts where directory_id = ? and list_name = ?')
  const sum = db.prepare(`
    select coalesce(sum(resources), 0) as total from list_counts where directory_id = ? and list_name = ?`)
  const inOrder = db.prepare(`
    select bucket, resources from list_counts where directory_id = ? and list_name = ? order by bucket`)

  return {
    /** Counts a row that a list gained. */
    countIn(directoryId: string, list: ListName, sequence: number): void {
      add.run(directoryId, list, bucketOf(sequence))
    },
    /** Counts a row that a list lost. */
    countOut(directoryId: string, list: ListName, sequence: number): void {
      const key = [directoryId, list, bucketOf(sequence)] as const
      take.run(...key)
      dropEmpty.run(...key)
    },
    /** Forgets a list. */
    dropList(directoryId: string, list: ListName): void {
      drop.run(directoryId, list)
    },
    /** How many rows a list has. */
    total(directoryId: string, list: ListName): number {
      return Number(sum.get(directoryId, list)?.['total'])
    },
    /** See `locateOffset`. */
    locate(directoryId: string, list: ListName, offset: number) {
      return locateOffset(inOrder.iterate(directoryId, list) as Iterable<unknown> as Iterable<BucketCount>, offset)
    },
  }
}

export type ListCounts = ReturnType<typeof listCounts>
