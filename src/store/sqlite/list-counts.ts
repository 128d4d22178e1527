import type { DatabaseSync } from 'node:sqlite'
import type { ListName } from '../lists.ts'
import { bucketOf, bucketSize } from '../lists.ts'

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
  const holding = db.prepare(`
    select bucket, before from (
      select bucket, resources, sum(resources) over (order by bucket) - resources as before
      from list_counts where directory_id = ? and list_name = ?)
    where before + resources > ? order by bucket limit 1`)

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
    /** Where a walk to an offset starts; undefined when the list is shorter. */
    locate(directoryId: string, list: ListName, offset: number): { sequence: number; skip: number } | undefined {
      const row = holding.get(directoryId, list, offset)
      if (row === undefined) return undefined
      return { sequence: Number(row['bucket']) * bucketSize, skip: offset - Number(row['before']) }
    },
  }
}

export type ListCounts = ReturnType<typeof listCounts>
