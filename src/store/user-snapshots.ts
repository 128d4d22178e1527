import type { ComparedUser } from '../directory/directory-store.ts'
import { listStatements } from './reads/lists.ts'
import type { Row } from './row.ts'
import { text } from './row.ts'
import type { Dialect, Statement } from './sql-database.ts'
import { decodeShown, shownColumns } from './users.ts'

/** The number of users that are read at a time. */
export const usersPerPart = 500

const columns = `u.id, u.sequence, ${shownColumns}`
const stateText = `
  select s.last_sequence, s.discarded_events from directory_state s join directories d on d.id = s.directory_id
  where s.directory_id = $1 and d.deleted <> 1`

/** Makes the reads of a snapshot: the state of a directory, its users after a position, and one of them. */
export function snapshotReads(dialect: Dialect) {
  const list = listStatements(dialect, { table: 'users', alias: 'u', columns })
  const byId = dialect.oneRow('users', 'u', 'id', '$2', columns)
  return {
    state: (id: string): Statement => ({ text: stateText, values: [id] }),
    after: (id: string, sequence: number) => list(id, { from: { sequence, id: '' }, limit: usersPerPart }),
    one: (id: string, userId: unknown): Statement => ({ text: byId, values: [id, userId] }),
  }
}

/** Decodes a user of a snapshot. */
export function decodeComparedUser(row: Row): ComparedUser {
  return { id: text(row, 'id'), ...decodeShown(row) }
}
