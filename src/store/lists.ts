import type { InDirectory } from '../directory/directory-store.ts'
import type { ListRow } from '../directory/list.ts'
import type { Row } from './row.ts'
import { integer, text } from './row.ts'

/**
 * Lists are in the order of the events that created their rows, and these sequence numbers have gaps. To find the row at
 * an offset without walking there, each list counts its rows per bucket of sequence numbers: the rows before an offset are
 * the sum of a few counts and a walk within one bucket, whatever the length of the list.
 */
export const bucketSize = 1024

/** The list of a directory's users or groups; the list of a group's members has the id of the group as its name. */
export type ListName = 'users' | 'groups' | (string & {})

/** The bucket of a sequence number. */
export function bucketOf(sequence: number): number {
  return Math.floor(sequence / bucketSize)
}

/**
 * Decodes a row with its position in the list: the columns `sequence` and `id` and, in lists in these orders, the name as
 * `folded_name` or the time of the last change as `changed_at`.
 */
export function decodeListRow<T>(row: Row, decode: (row: Row) => T): ListRow<T> {
  const [position, item] = [{ sequence: integer(row, 'sequence'), id: text(row, 'id') }, decode(row)]
  if ('folded_name' in row) return { position: { ...position, name: text(row, 'folded_name') }, item }
  if ('changed_at' in row) return { position: { ...position, updatedAt: integer(row, 'changed_at') }, item }
  return { position, item }
}

/** Decodes a row with the columns `directory_id` and `directory_created_at`. */
export function decodeInDirectory<T>(row: Row, decode: (row: Row) => T): InDirectory<T> {
  const directory = { id: text(row, 'directory_id'), createdAt: integer(row, 'directory_created_at') }
  return { directory, found: decode(row) }
}
