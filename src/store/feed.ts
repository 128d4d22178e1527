import type { FeedDirectory } from '../delivery/feed/store.ts'
import type { Row } from './row.ts'
import { integer, text } from './row.ts'

/** The columns of a directory of the feed: `d` the directory, `s` its state. */
export const feedDirectoryColumns = 'd.id, d.tenant, d.product, s.last_sequence'

/** Decodes a row of `feedDirectoryColumns`. */
export function decodeFeedDirectory(row: Row): FeedDirectory {
  return {
    id: text(row, 'id'),
    tenant: text(row, 'tenant'),
    product: text(row, 'product'),
    lastSequence: integer(row, 'last_sequence'),
  }
}
