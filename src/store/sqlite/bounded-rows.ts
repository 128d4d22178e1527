import type { Row } from '../row.ts'

/**
 * Reads rows until their total size exceeds `maxBytes`; the first one in any case, and the one that exceeds it, too.
 *
 * @param bytesOf the size of a row, in characters
 */
export function readBounded(rows: Iterable<Row>, maxBytes: number, bytesOf: (row: Row) => number): Row[] {
  const read: Row[] = []
  let bytes = 0
  for (const row of rows) {
    read.push(row)
    bytes += bytesOf(row)
    if (bytes > maxBytes) break
  }
  return read
}
