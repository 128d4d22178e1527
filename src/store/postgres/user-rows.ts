import type { IndexedUser } from '../../directory/user.ts'
import { fold } from '../../scim/fold.ts'
import { withoutNul } from './reader.ts'
import type { ColumnType } from './sql.ts'

/** The columns of `userValues` as statements name them. */
export const userValueColumns = `id, version, created_at, updated_at, user_name, user_name_folded, external_id,
      display_name, email, first_name, last_name, active, raw`

/** Their types. */
export const userTypes = [
  'text',
  'int8',
  'int8',
  'int8',
  'text',
  'text',
  'text',
  'text',
  'text',
  'text',
  'text',
  'int4',
  'text',
] as const satisfies readonly ColumnType[]

/** A user as its row has it. */
export function userValues(user: IndexedUser): unknown[] {
  return [
    user.id,
    user.version,
    user.createdAt,
    user.updatedAt,
    user.userName,
    fold(user.userName),
    user.externalId ?? null,
    user.displayName,
    user.email,
    withoutNul(user.firstName),
    withoutNul(user.lastName),
    Number(user.active),
    user.raw,
  ]
}

/** Who has which e-mail addresses, by column: the user's id, the address. */
export function emailArrays(owners: readonly { id: string; emails: readonly string[] }[]): [string[], string[]] {
  return [owners.flatMap(({ id, emails }) => emails.map(() => id)), owners.flatMap(({ emails }) => emails)]
}
