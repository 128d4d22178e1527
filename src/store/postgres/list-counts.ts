import type { ListName } from '../lists.ts'
import { bucketOf } from '../lists.ts'
import type { Statement } from './database.ts'
import { ofDirectory } from './sql.ts'

/** Collects how many rows lists gain and lose, per bucket. */
export interface CountChanges {
  /** Counts rows that were added or, with a negative number, removed. */
  count(list: ListName, sequence: number, by: number): void
  /** The statements that apply the changes. */
  statements(directoryId: string): Statement[]
}

const changeCounts = `
  insert into list_counts (directory_id, list_name, bucket, resources)
  select $1, c.list_name, c.bucket, c.resources from unnest((select $2::text[]), (select $3::int8[]), (select $4::int8[]))
    as c (list_name, bucket, resources)
  on conflict (directory_id, list_name, bucket) do update set resources = list_counts.resources + excluded.resources`

const dropEmpty = `
  delete from list_counts d where ${ofDirectory('d')} and d.ctid = any(array(
    select c.row_position from unnest((select $2::text[]), (select $3::int8[])) as k (list_name, bucket) cross join lateral (
      select c.ctid as row_position, c.resources from list_counts c
      where c.directory_id = $1 and c.list_name = k.list_name and c.bucket = k.bucket limit 1
    ) c
    where c.resources = 0
  ))`

export function createCountChanges(): CountChanges {
  const changes = new Map<string, { list: ListName; bucket: number; resources: number }>()
  return {
    count(list, sequence, by) {
      const bucket = bucketOf(sequence)
      const key = `${bucket}/${list}`
      const change = changes.get(key) ?? { list, bucket, resources: 0 }
      change.resources += by
      changes.set(key, change)
    },
    statements(directoryId) {
      const all = [...changes.values()].filter(({ resources }) => resources !== 0)
      if (all.length === 0) return []
      const columns = [
        all.map(({ list }) => list),
        all.map(({ bucket }) => bucket),
        all.map(({ resources }) => resources),
      ]
      const change = { text: changeCounts, values: [directoryId, ...columns] }
      const drop = { text: dropEmpty, values: [directoryId, ...columns.slice(0, 2)] }
      return all.some(({ resources }) => resources < 0) ? [change, drop] : [change]
    },
  }
}

/** A query for the number of rows of a list, as `n`. */
export function sumOf(listName: string): string {
  return `
    select coalesce(sum(c.resources::int4), 0) as n from list_counts c
    where c.directory_id = $1 and c.list_name between ${listName} and ${listName}`
}
