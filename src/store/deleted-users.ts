import type { DeletedUser } from '../directory/returned-users.ts'
import type { Row } from './row.ts'
import { integer, text } from './row.ts'

/** The columns of `decodeDeletedUser`, of a deleted user `d`. */
export const deletedUserColumns = 'd.user_id, d.deleted_at'

export function decodeDeletedUser(row: Row): DeletedUser {
  return { id: text(row, 'user_id'), deletedAt: integer(row, 'deleted_at') }
}

/**
 * The deleted user as which a user returns: the one with its id, or else with its externalId, or else with its userName.
 *
 * @param found the last deleted one of each, in this order
 * @param returned the ids of those who have returned as another user
 */
export function recognizedUser(
  found: readonly DeletedUser[],
  since: number,
  returned: ReadonlySet<string> = new Set(),
): DeletedUser | undefined {
  return found.find(({ id, deletedAt }) => deletedAt >= since && !returned.has(id))
}
