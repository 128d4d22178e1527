import type { DatabaseSync } from 'node:sqlite'
import type { IndexedUser, User } from '../../directory/user.ts'
import { fold } from '../../scim/fold.ts'
import type { UserRow } from '../resource-rows.ts'
import { userColumns } from '../resource-rows.ts'
import type { NumberedDirectory } from './row-key.ts'
import { rowKey } from './row-key.ts'

/** The statements on `users` and their e-mail addresses. Each runs in the transaction that the caller has open. */
export function userStatements(db: DatabaseSync) {
  const insert = db.prepare(`
    insert into users (row_key, directory_id, id, sequence, version, created_at, updated_at, user_name, user_name_folded,
      name_is_email, external_id, display_name, email, first_name, last_name, active, raw)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (directory_id, user_name_folded) do nothing`)
  const update = db.prepare(`
    update users set version = ?, updated_at = ?, user_name = ?, user_name_folded = ?, name_is_email = ?, external_id = ?,
      display_name = ?, email = ?, first_name = ?, last_name = ?, active = ?, raw = ?
    where directory_id = ? and id = ? and version = ?`)
  const remove = db.prepare(
    'delete from users where directory_id = ? and id = ? and version = ? returning sequence as sequence',
  )
  const byId = db.prepare(`select ${userColumns} from users u where u.directory_id = ? and u.id = ?`)
  const named = db.prepare('select id from users where directory_id = ? and user_name_folded = ?')
  const insertEmail = db.prepare(
    'insert into user_emails (directory_id, email, user_id) values (?, ?, ?) on conflict do nothing',
  )
  const removeEmail = db.prepare('delete from user_emails where directory_id = ? and email = ? and user_id = ?')

  const changing = (user: IndexedUser, folded = fold(user.userName)) =>
    [
      user.updatedAt,
      user.userName,
      folded,
      Number(user.emails.includes(folded)),
      user.externalId ?? null,
      user.displayName,
      user.email,
      user.firstName,
      user.lastName,
      Number(user.active),
      user.raw,
    ] as const

  return {
    /** Inserts a user that the event of that sequence number made; false when its userName is taken. */
    insertUser({ id: directoryId, number }: NumberedDirectory, user: IndexedUser, sequence: number): boolean {
      const values = [
        rowKey(number, sequence),
        directoryId,
        user.id,
        sequence,
        user.version,
        user.createdAt,
        ...changing(user),
      ] as const
      if (insert.run(...values).changes === 0) return false
      for (const email of storedEmails(user)) insertEmail.run(directoryId, email, user.id)
      return true
    },
    /** Whether another user has that name. */
    isNameTaken(directoryId: string, { id, userName }: User): boolean {
      const row = named.get(directoryId, fold(userName))
      return row !== undefined && row['id'] !== id
    },
    /** Stores `after` over `before`; false when the stored version is another. */
    updateUser(directoryId: string, before: IndexedUser, after: IndexedUser): boolean {
      const values = [after.version, ...changing(after), directoryId, before.id, before.version] as const
      if (update.run(...values).changes === 0) return false
      const [had, has] = [storedEmails(before), storedEmails(after)]
      for (const email of had) if (!has.includes(email)) removeEmail.run(directoryId, email, before.id)
      for (const email of has) if (!had.includes(email)) insertEmail.run(directoryId, email, after.id)
      return true
    },
    /** Deletes a user; answers the sequence number that it had in the list, undefined when the version is another. */
    deleteUser(directoryId: string, user: IndexedUser): number | undefined {
      const row = remove.get(directoryId, user.id, user.version)
      if (row === undefined) return undefined
      for (const email of storedEmails(user)) removeEmail.run(directoryId, email, user.id)
      return Number(row['sequence'])
    },
    /** The row of a user. */
    userRow(directoryId: string, id: string): UserRow | undefined {
      return byId.get(directoryId, id) as unknown as UserRow | undefined
    },
  }
}

/**
 * The e-mail addresses that have a row: all but the one that is the userName, which most users' only address is. Each row
 * costs a page of its own in the commit, as addresses come in no order.
 */
function storedEmails({ emails, userName }: IndexedUser): readonly string[] {
  const folded = fold(userName)
  return emails.filter((email) => email !== folded)
}
