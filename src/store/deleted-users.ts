import type { ProvisioningStore } from '../directory/directory-store.ts'
import type { DeletedUser } from '../directory/returned-users.ts'
import { removeOldRows } from './remove-rows.ts'
import type { Row } from './row.ts'
import { integer, optionalText, text } from './row.ts'
import type { Dialect, SqlDatabase } from './sql-database.ts'

/** The columns of `decodeDeletedUser`, of a deleted user `d`. */
export const deletedUserColumns = ({ oneRow }: Dialect) => `
  d.user_id, d.deleted_at, d.account_id, (${oneRow('users', 'u', 'account_id', 'd.account_id', 'u.id')}) as holder`

export function decodeDeletedUser(row: Row): DeletedUser {
  return {
    ...{ id: text(row, 'user_id'), deletedAt: integer(row, 'deleted_at') },
    accountId: optionalText(row, 'account_id'),
    isAccountTaken: optionalText(row, 'holder') !== undefined,
  }
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

const old = { table: 'deleted_users', key: ['user_id'], isOld: 'deleted_at < $1', order: 'deleted_at' }

/** Forgets users who were deleted long ago. */
export function createPruneDeletedUsers(database: SqlDatabase): Pick<ProvisioningStore, 'pruneDeletedUsers'> {
  return { pruneDeletedUsers: (before, limit) => removeOldRows(database, old, before, limit) }
}
