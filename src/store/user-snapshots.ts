import type { ComparedUser } from '../directory/directory-store.ts'
import type { MappedFields } from '../directory/user.ts'
import { listStatements } from './reads/lists.ts'
import type { Row } from './row.ts'
import { boolean, optionalJsonText, optionalText, text } from './row.ts'
import type { Dialect, Statement } from './sql-database.ts'

/** The number of users that are read at a time. */
export const usersPerPart = 500

const columns = 'u.id, u.sequence, u.active, u.email, u.first_name, u.last_name, u.account_id, u.mapped'
const stateText = `
  select s.last_sequence, s.discarded_events from directory_state s join directories d on d.id = s.directory_id
  where s.directory_id = $1 and d.deleted <> 1`

/** Makes the reads of a snapshot: the state of a directory, its users after a position, and one of them. */
export function snapshotReads(dialect: Dialect) {
  const list = listStatements(dialect, { table: 'users', alias: 'u', columns })
  const byId = dialect.oneRow('users', 'u', 'id', '$2', columns)
  return {
    state: (directoryId: string): Statement => ({ text: stateText, values: [directoryId] }),
    after: (directoryId: string, sequence: number) =>
      list(directoryId, { from: { sequence, id: '' }, limit: usersPerPart }),
    one: (directoryId: string, id: unknown): Statement => ({ text: byId, values: [directoryId, id] }),
  }
}

/** Decodes a user of a snapshot. */
export function decodeComparedUser(row: Row): ComparedUser {
  return {
    ...{ id: text(row, 'id'), active: boolean(row, 'active'), email: text(row, 'email') },
    ...{ firstName: text(row, 'first_name'), lastName: text(row, 'last_name') },
    ...{ accountId: optionalText(row, 'account_id'), mapped: optionalJsonText<MappedFields>(row, 'mapped') },
  }
}
