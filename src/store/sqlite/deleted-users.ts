import type { DatabaseSync } from 'node:sqlite'
import type { ProvisioningStore } from '../../directory/directory-store.ts'
import type { GroupCommit } from './group-commit.ts'

/** Forgets users on SQLite who were deleted long ago. */
export function createPruneDeletedUsers(
  db: DatabaseSync,
  { write }: GroupCommit,
): ProvisioningStore['pruneDeletedUsers'] {
  const old = db.prepare('select 1 from deleted_users where deleted_at < ? limit 1')
  const prune = db.prepare(`
    delete from deleted_users where (directory_id, user_id) in (
      select directory_id, user_id from deleted_users where deleted_at < ? order by deleted_at limit ?)`)
  return async (before, limit) => {
    // Without any there is no write, which would be a commit.
    if (old.get(before) === undefined) return 0
    return write(() => Number(prune.run(before, limit).changes))
  }
}
