import type { DirectoryRevision } from '../../directory/directory.ts'
import type { ProvisioningStore } from '../../directory/directory-store.ts'
import type { NameDigests, Recognizable } from '../../directory/returned-users.ts'
import type { IndexedUser } from '../../directory/user.ts'
import { deletedUserColumns } from '../deleted-users.ts'
import type { Statement } from './database.ts'
import type { Columns, RowOf } from './named-statement.ts'
import { namedStatement } from './named-statement.ts'
import type { Reader } from './reader.ts'
import { deleteFound, ofDirectory, oneRow, rowBy } from './sql.ts'

/** The columns of the names by which a user is recognized; null in a user without a recognition. */
export const digestColumns = {
  user_name_digest: 'text',
  external_id_digest: 'text',
} as const satisfies Columns

export function digestRow({ recognition }: Recognizable<IndexedUser>): RowOf<typeof digestColumns> {
  const digests: NameDigests | undefined = recognition?.digests()
  return { user_name_digest: digests?.userName ?? null, external_id_digest: digests?.externalId ?? null }
}

/** The time since when deletions of users count; after all times when nobody is recognized. */
export function recognizedSince(users: readonly Recognizable<IndexedUser>[]): number {
  return Math.min(...users.map(({ recognition }) => recognition?.since ?? Number.MAX_SAFE_INTEGER))
}

/** The row of the last deleted user with a digest: the range and the order leave one index to choose. */
const lastWith = (column: string, digest: string, columns: string) => `
  select ${columns} from deleted_users d
  where d.directory_id = $1 and d.${column} between ${digest} and ${digest}
  order by d.${column} desc, d.deleted_at desc limit 1`

/**
 * A query for the deleted users as which users may return, by their id, externalId and userName.
 *
 * @param users the name of the parameter with their ids and `digestColumns`; they are numbered `n` from 1
 */
export function matchingDeletedUsers(users: string, columns: string): string {
  return `
    select k.n, 1 as rank, d.* from unnest(${users}.id) with ordinality as k (id, n)
    cross join lateral (${oneRow('deleted_users', 'd', 'user_id', 'k.id', columns)}) d
    union all
    select k.n, 2, d.* from unnest(${users}.external_id_digest) with ordinality as k (digest, n)
    cross join lateral (${lastWith('external_id_digest', 'k.digest', columns)}) d
    union all
    select k.n, 3, d.* from unnest(${users}.user_name_digest) with ordinality as k (digest, n)
    cross join lateral (${lastWith('user_name_digest', 'k.digest', columns)}) d`
}

const readMatching = namedStatement(
  { directoryId: 'text', users: { id: 'text', ...digestColumns } },
  `
  select n::int4, user_id, deleted_at from (${matchingDeletedUsers(':users', deletedUserColumns)}) m order by n, rank`,
)

/** Reads the deleted users as which users may return, by the number `n` of the user, the likeliest first. */
export function deletedUsersRead(
  { id: directoryId }: DirectoryRevision,
  users: readonly Recognizable<IndexedUser>[],
): Statement {
  return readMatching({ directoryId, users: users.map((user) => ({ id: user.id, ...digestRow(user) })) })
}

const forget = `
  delete from deleted_users where ${ofDirectory()} and ctid = any(array(
    select d.ctid from unnest((select $2::text[])) as k (id) ${rowBy('deleted_users', 'd', 'user_id', 'k.id', 'd.ctid')}))`

/** Forgets deleted users who have returned; no statement without any. */
export function forgetDeletedUsers({ id }: DirectoryRevision, userIds: readonly string[]): Statement[] {
  return userIds.length === 0 ? [] : [{ text: forget, values: [id, userIds] }]
}

const prune = `
  with gone as (
    ${deleteFound(
      'deleted_users',
      'select directory_id, ctid as row_position from deleted_users where deleted_at < $1 order by deleted_at limit $2',
    )}
  )
  select count(*) as n from gone`

/** Forgets users on PostgreSQL who were deleted long ago. */
export function createPruneDeletedUsers({ number }: Reader): ProvisioningStore['pruneDeletedUsers'] {
  return (before, limit) => number({ text: prune, values: [before, limit] })
}
