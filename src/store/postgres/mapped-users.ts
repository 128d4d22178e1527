import type { Cause } from '../../directory/event.ts'
import { maxCharactersAtOnce } from '../../mapping/compiled.ts'
import type { EvaluatedUser, MappingOfWrite, Reevaluation, RoleChange } from '../mapped-users.ts'
import { decodeRoleCounts, reevaluate, shortageStatements, shortagesAfter } from '../mapped-users.ts'
import type { Row } from '../row.ts'
import { userColumns } from '../users.ts'
import type { Statement } from './database.ts'
import { recordEvents } from './events.ts'
import { usersInGroup } from './members.ts'
import type { ColumnType } from './parameters.ts'
import { arrayParameters, columnsOf, ofDirectory, rowBy } from './sql.ts'
import { groupsOf } from './user-reads.ts'

/** All groups of a user; the planner cannot know the limit. */
const everyGroup = '(select 1000000000)'
const groupsColumn = `(${groupsOf('u.id', everyGroup)}) as groups`

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
const page = usersAfter('(select position from mapping_runs where directory_id = $1)')
const pageAfter = usersAfter('$4')

/** Reads the users after a position. */
export function usersAfterRead(directoryId: string, after: number, limit: number): Statement {
  return { text: pageAfter, values: [directoryId, limit, maxCharactersAtOnce, after] }
}

/** Reads the next users of the run of a directory. */
export function runPageRead(directoryId: string, limit: number, maxCharacters: number): Statement {
  return { text: page, values: [directoryId, limit, maxCharacters] }
}

/** The directory of a change, and its counters after it. */
interface Reevaluated {
  readonly directoryId: string
  readonly compiled: MappingOfWrite
  readonly lastSequence: number
  readonly discardedEvents: number
}

/** Evaluates the users of a page. @param counts the rows of `roleCountsRead` */
export function pageStatements(directory: Reevaluated, users: readonly EvaluatedUser[], cause: Cause, counts: Row[]) {
  const evaluated = reevaluate(directory.compiled, users, () => cause, directory.lastSequence)
  return { statements: evaluationStatements(directory, evaluated, counts, cause.at), changed: evaluated.events.length }
}

const writtenTypes = ['text', 'text'] as const satisfies readonly ColumnType[]

const updateMapped = `
  with written as materialized (
    select c.mapped, u.row_position from unnest(${arrayParameters(2, writtenTypes)}) as c (id, mapped)
    ${rowBy('users', 'u', 'id', 'c.id', 'u.ctid as row_position')}
  )
  update users u set mapped = c.mapped from written c
  where u.ctid = c.row_position and ${ofDirectory('u')} and u.ctid = any(array(select row_position from written))`

function evaluationStatements(
  directory: Reevaluated,
  { written, events, roles }: Reevaluation,
  counts: readonly Row[] | undefined,
  at: number,
): Statement[] {
  const { directoryId, lastSequence } = directory
  const rows = written.map(({ userId, mapped = null }) => [userId, mapped])
  const update = { text: updateMapped, values: [directoryId, ...columnsOf(writtenTypes, rows)] }
  return [
    ...(written.length > 0 ? [update] : []),
    ...recordEvents(directoryId, events, lastSequence),
    ...roleStatements(directory, roles, counts, at),
  ]
}

const roleTypes = ['text', 'int8', 'text'] as const satisfies readonly ColumnType[]

/** Counts the users of the roles in a common table expression. */
const counting = (source: string) => `
  insert into role_counts (directory_id, role, users) select $1, role, count(*) from ${source} group by role
  on conflict (directory_id, role) do update set users = role_counts.users + excluded.users`

const gain = `
  with gained as (
    insert into user_roles (directory_id, role, position, user_id)
    select $1, * from unnest(${arrayParameters(2, roleTypes)})
    on conflict do nothing returning role
  )
  ${counting('gained')}`

const lose = `
  with lost as (
    delete from user_roles x where ${ofDirectory('x')} and x.ctid = any(array(
      select r.ctid from unnest((select $2::text[]), (select $3::int8[])) as k (role, position)
      cross join lateral (
        select r.ctid from user_roles r
        where r.directory_id = $1 and r.role between k.role and k.role and r.position between k.position and k.position
        order by r.role, r.position limit 1
      ) r))
    returning x.role
  )
  update role_counts c set users = c.users - l.users
  from (select role, count(*) as users from lost group by role) l where c.directory_id = $1 and c.role = l.role`

/**
 * The statements that write the roles that users gain and lose, and begin a hold when too few users keep one.
 *
 * @param counts the rows of `roleCountsRead`, as of before
 */
function roleStatements(
  { directoryId, compiled, discardedEvents }: Omit<Reevaluated, 'lastSequence'>,
  changes: readonly RoleChange[],
  counts: readonly Row[] | undefined,
  at: number,
): Statement[] {
  const gained = changes.flatMap(({ gained: roles, position, userId }) => roles.map((role) => [role, position, userId]))
  const lost = changes.flatMap(({ lost: roles, position, userId }) => roles.map((role) => [role, position, userId]))
  const [lostRoles, positions] = columnsOf(roleTypes, lost)
  const shortages = shortagesAfter(compiled.keepAtLeast, decodeRoleCounts(counts), changes)
  return [
    ...(lost.length > 0 ? [{ text: lose, values: [directoryId, lostRoles, positions] }] : []),
    ...(gained.length > 0 ? [{ text: gain, values: [directoryId, ...columnsOf(roleTypes, gained)] }] : []),
    ...shortageStatements(directoryId, shortages, discardedEvents, at),
  ]
}
