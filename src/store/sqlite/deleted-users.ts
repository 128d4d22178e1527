import type { DatabaseSync } from 'node:sqlite'
import type { ProvisioningStore } from '../../directory/directory-store.ts'
import type { DeletedUser, Recognition, Recognizable } from '../../directory/returned-users.ts'
import type { IndexedUser } from '../../directory/user.ts'
import { decodeDeletedUser, deletedUserColumns, recognizedUser } from '../deleted-users.ts'
import type { DirectoryState } from './events.ts'
import type { GroupCommit } from './group-commit.ts'

/** Deleted users in the transaction of the deletion, or of the creation by which one returns. */
export interface DeletedUsers {
  /** Keeps the digests of the user's names, in place of those of an earlier deletion. */
  keep(directoryId: string, user: Recognizable<IndexedUser>, at: number): void
  /** The deleted user as which a user returns. */
  find(directory: DirectoryState, user: Recognizable<IndexedUser>): DeletedUser | undefined
  /** Forgets one who has returned. */
  forget(directoryId: string, id: string): void
}

export function createDeletedUsers(db: DatabaseSync): DeletedUsers {
  const insert = db.prepare(`
    insert into deleted_users (directory_id, user_id, user_name_digest, external_id_digest, deleted_at)
    values (?, ?, ?, ?, ?)
    on conflict (directory_id, user_id) do update set user_name_digest = excluded.user_name_digest,
      external_id_digest = excluded.external_id_digest, deleted_at = excluded.deleted_at`)
  const byId = `select ${deletedUserColumns} from deleted_users d where d.directory_id = ?1 and d.user_id = ?2`
  const last = (column: string, value: string) => `
    select * from (select ${deletedUserColumns} from deleted_users d
      where d.directory_id = ?1 and d.${column} = ${value} order by d.deleted_at desc limit 1)`
  const select = db.prepare(
    `${byId} union all ${last('external_id_digest', '?3')} union all ${last('user_name_digest', '?4')}`,
  )
  const remove = db.prepare('delete from deleted_users where directory_id = ? and user_id = ?')

  function read(directoryId: string, id: string, { digests, since }: Recognition): DeletedUser | undefined {
    const { userName, externalId = null } = digests()
    return recognizedUser(select.all(directoryId, id, externalId, userName).map(decodeDeletedUser), since)
  }

  return {
    keep(directoryId, { id, recognition }, at) {
      if (recognition === undefined) return
      const { userName, externalId = null } = recognition.digests()
      insert.run(directoryId, id, userName, externalId, at)
    },
    find({ id: directoryId, userDeletedAt }, { id, recognition }) {
      if (recognition === undefined || userDeletedAt === undefined || userDeletedAt < recognition.since)
        return undefined
      return read(directoryId, id, recognition)
    },
    forget(directoryId, id) {
      remove.run(directoryId, id)
    },
  }
}

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
