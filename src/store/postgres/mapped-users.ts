import { maxCharactersAtOnce } from '../../mapping/compiled.ts'
import type { MappingStore } from '../../mapping/mapping-store.ts'
import { decodeEvaluatedUser } from '../mapped-users.ts'
import { everyGroup, groupsOf } from '../reads/users.ts'
import type { SqlDatabase } from '../sql-database.ts'
import { userColumns } from '../users.ts'
import { usersInGroup } from './members.ts'
import { rowBy } from './sql.ts'
import { dialect } from './sql-database.ts'

const groupsColumn = `(${groupsOf(dialect, 'u.id', everyGroup)}) as groups`

/** Adds the bytes of the users before each of `r`, in their order, and the number of all. */
const measured = (rows: string) => `
  select r.*, sum(octet_length(r.raw)) over (order by r.sequence) - octet_length(r.raw) as bytes_before,
    count(*) over () as users
  from (${rows}) r`

/** The users `$2` and the members of the groups `$3`, no more than `$4`, until they have more than `$5` bytes. */
export const usersToEvaluate = `
  with k as materialized (
    select distinct id from (
      select unnest((select $2::text[])) as id
      union all
      select m.member_id from unnest((select $3::text[])) as n (group_id)
      cross join lateral (${usersInGroup('n.group_id', '$4::int8')}) m
    ) named limit $4::int8
  )
  select ${userColumns}, u.users::int4 as users, ${groupsColumn}
  from (${measured(`select u.* from k ${rowBy('users', 'u', 'id', 'k.id')}`)}) u
  where u.bytes_before <= $5 order by u.sequence`

/** The `$2` users after a position, until they have more than `$3` bytes. */
const usersAfter = (position: string) => `
  select ${userColumns}, ${groupsColumn}
  from (${measured(`
    select * from users where directory_id = $1 and sequence >= 0 and sequence > ${position} order by sequence limit $2::int8`)}) u
  where u.bytes_before <= $3 order by u.sequence`
const pageAfter = usersAfter('$4')

/** The next `$2` users of the run of a directory, until they have more than `$3` bytes. */
export const nextOfRun = usersAfter('(select position from mapping_runs where directory_id = $1)')

/** Reads the users after a position. */
export function createUsersToEvaluate({ query }: Pick<SqlDatabase, 'query'>): MappingStore['usersToEvaluate'] {
  return async (directoryId, after, limit) =>
    (await query({ text: pageAfter, values: [directoryId, limit, maxCharactersAtOnce, after] })).map(
      decodeEvaluatedUser,
    )
}
