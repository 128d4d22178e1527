import type { DirectoryRevision } from '../../directory/directory.ts'
import { bucketSize } from '../lists.ts'
import type { Row } from '../row.ts'
import type { Database } from './database.ts'
import { isNameTaken } from './errors.ts'
import { eventTypes, eventValues } from './events.ts'
import type { NewUser, NewUserOutcome } from './new-user.ts'
import { valueParameters } from './sql.ts'
import { userTypes, userValues } from './user-rows.ts'

/** See `migrations/0001-initial.sql`. */
const text = `
  select create_user_v1($1, $2, ${valueParameters(3, [...userTypes, ...eventTypes])}, $22, ${bucketSize}) as sequence`

/** Creates one user. It waits for no lock but the directory's: that a name is taken is certain. */
export async function createUser(
  { query }: Database,
  { id, revision }: DirectoryRevision,
  { user, event }: NewUser,
): Promise<NewUserOutcome> {
  const values = [id, revision, ...userValues(user), ...eventValues(event), user.emails]
  const [row] = await query({ text, values }).catch(noneWhenTaken)
  if (row === undefined) return 'user-name-taken'
  const { sequence } = row as { sequence: number | null }
  return sequence === null ? 'directory-changed' : { events: [{ ...event, sequence }] }
}

function noneWhenTaken(error: unknown): Row[] {
  if (isNameTaken(error)) return []
  throw error
}
