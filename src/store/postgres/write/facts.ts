import { removalKinds } from '../../../directory/removal-limit.ts'
import { fold } from '../../../scim/fold.ts'
import { decodeDeletedUser, deletedUserColumns } from '../../deleted-users.ts'
import { decodeEvaluatedUser, decodeMappedState, decodeRoleCounts, roleCountsRead } from '../../mapped-users.ts'
import { countOfList } from '../../reads/lists.ts'
import { everyGroup, groupsOf } from '../../reads/users.ts'
import type { CountedState } from '../../removals.ts'
import { decodeRemovedUserRow, decodeWindow, removedUserRowColumns, windowsRead } from '../../removals.ts'
import type { Row } from '../../row.ts'
import { integer, oneOf, text } from '../../row.ts'
import type { LockedDirectory } from '../../write/batch.ts'
import type { Facts, FactsRequest } from '../../write/facts.ts'
import { decodeGroupState, decodeLeaving, maxLeaving, noFacts } from '../../write/facts.ts'
import type { Statement } from '../database.ts'
import { nextOfRun, usersToEvaluate } from '../mapped-users.ts'
import { decodeFacts, factStatements, removedMembershipsRead, usersInGroup } from '../members.ts'
import { resyncPageRead } from '../resync.ts'
import { rowBy, rowsWith } from '../sql.ts'
import { dialect } from '../sql-database.ts'

/** A read of some facts in one or several statements, and how their rows are decoded. */
interface FactsRead {
  readonly statements: readonly Statement[]
  readonly decode: (rows: Row[][]) => Partial<Facts>
}

const usersById = 'from users u where u.directory_id = $1 and u.id = any($2::text[])'
const states = `select u.id, u.version, u.sequence, u.mapped, null as groups ${usersById}`
const statesWithGroups = `
  select u.id, u.version, u.sequence, u.mapped, (${groupsOf(dialect, 'u.id', everyGroup)}) as groups ${usersById}`

/** The rows that an index other than the primary key finds are read in its order, which leaves no other index to choose. */
const holders = `
  select u.id, u.user_name_folded from unnest((select $2::text[])) as k (name)
  ${rowBy('users', 'u', 'user_name_folded', 'k.name', 'u.id, u.user_name_folded')}`

const removed = `
  select ${removedUserRowColumns} from removed_users r where r.directory_id = $1 and r.user_id = any($2::text[])
  union
  select ${removedUserRowColumns} from unnest((select $3::text[])) as k (name)
  cross join lateral (${rowsWith('removed_users', 'r', 'user_name_folded', 'k.name')}) r`

/** The last deleted user with a digest. */
const lastDeleted = (column: string, digest: string) => `
  select ${deletedUserColumns} from deleted_users d
  where d.directory_id = $1 and d.${column} between ${digest} and ${digest} and d.${column} >= ''
  order by d.${column} desc, d.deleted_at desc limit 1`

const returning = `
  select k.id as returning_id, 1 as rank, ${deletedUserColumns}
  from unnest((select $2::text[])) as k (id) ${rowBy('deleted_users', 'd', 'user_id', 'k.id')}
  union all
  select k.id, 2, d.* from unnest((select $2::text[]), (select $3::text[])) as k (id, digest)
  cross join lateral (${lastDeleted('external_id_digest', 'k.digest')}) d
  union all
  select k.id, 3, d.* from unnest((select $2::text[]), (select $4::text[])) as k (id, digest)
  cross join lateral (${lastDeleted('user_name_digest', 'k.digest')}) d`

const groupStates = `
  select g.id, g.version, g.sequence, (${countOfList('g.id')}) as members
  from groups g where g.directory_id = $1 and g.id = any($2::text[])`

const firstMembers = `
  select k.group_id, m.member_id from unnest((select $2::text[])) as k (group_id)
  cross join lateral (${usersInGroup('k.group_id', '$3::int8')}) m`

const leaving = `
  select m.group_id, m.member_id, m.sequence, g.version from unnest((select $2::text[])) as k (id)
  cross join lateral (
    select m.group_id, m.member_id, m.sequence from members m
    where m.directory_id = $1 and m.member_id between k.id and k.id and m.member_id >= '' order by m.member_id limit ${maxLeaving + 1}
  ) m
  ${rowBy('groups', 'g', 'id', 'm.group_id', 'g.version')}`

/** The statements that read facts, after the directory is locked. */
export function factReads(directory: LockedDirectory, request: FactsRequest): readonly FactsRead[] {
  const { id } = directory
  const { users = [], withGroups = false, userNames = [] } = request
  const reads: FactsRead[] = []
  const read = (text: string, values: readonly unknown[], decode: (rows: readonly Row[]) => Partial<Facts>) =>
    reads.push({ statements: [{ text, values: [id, ...values] }], decode: ([rows = []]) => decode(rows) })
  if (users.length > 0) {
    read(withGroups ? statesWithGroups : states, [users], (rows) => ({
      users: new Map(rows.map((row) => [text(row, 'id'), decodeMappedState(row)])),
    }))
  }
  if (userNames.length > 0) {
    read(holders, [userNames], (rows) => ({
      userNames: new Map(rows.map((row) => [text(row, 'user_name_folded'), text(row, 'id')])),
    }))
  }
  if (request.removed !== undefined && request.removed.length > 0) {
    const names = request.removed.map(({ userName }) => fold(userName))
    const ids = request.removed.map((user) => user.id)
    read(removed, [ids, names], (rows) => ({ removed: rows.map(decodeRemovedUserRow) }))
  }
  if (request.returning !== undefined && request.returning.length > 0) {
    const digests = request.returning.map(({ recognition }) => recognition?.digests())
    const values = [
      request.returning.map((user) => user.id),
      digests.map((one) => one?.externalId ?? null),
      digests.map((one) => one?.userName ?? null),
    ]
    read(returning, values, (rows) => ({ returning: returningOf(rows) }))
  }
  if (request.groupStates !== undefined && request.groupStates.length > 0) {
    read(groupStates, [request.groupStates], (rows) => ({
      groupStates: new Map(rows.map((row) => [text(row, 'id'), decodeGroupState(row)])),
    }))
  }
  if (request.firstMembers !== undefined && request.firstMembers.groupIds.length > 0) {
    const { groupIds, limit } = request.firstMembers
    read(firstMembers, [groupIds, limit], (rows) => ({
      firstMembers: rows.map((row) => ({ groupId: text(row, 'group_id'), memberId: text(row, 'member_id') })),
    }))
  }
  if (request.leaving !== undefined && request.leaving.length > 0) {
    read(leaving, [request.leaving], (rows) => ({ leaving: rows.map(decodeLeaving) }))
  }
  if (request.changes !== undefined) {
    const { changes, groupNames = [] } = request
    const statements = [removedMembershipsRead(directory, changes), ...factStatements(directory, changes, groupNames)]
    reads.push({ statements, decode: (rows) => ({ groups: decodeFacts(rows) }) })
  }
  if (request.evaluation !== undefined) {
    const { of, limit, maxCharacters } = request.evaluation
    if (of === 'run') {
      read(nextOfRun, [limit, maxCharacters], (rows) => ({
        evaluation: { users: rows.map(decodeEvaluatedUser), areAll: false },
      }))
    } else {
      read(usersToEvaluate, [of.userIds, of.groupIds, limit + 1, maxCharacters], (rows) => {
        const found = rows[0] === undefined ? 0 : integer(rows[0], 'users')
        return { evaluation: { users: rows.map(decodeEvaluatedUser), areAll: found <= limit && found <= rows.length } }
      })
    }
  }
  if (request.windows === true) {
    reads.push({
      statements: [windowsRead(id)],
      decode: ([rows = []]) => ({
        windows: new Map(rows.map((row) => [oneOf(row, 'kind', removalKinds), decodeWindow(row)])),
      }),
    })
  }
  if (request.roleCounts === true) {
    reads.push({ statements: [roleCountsRead(id)], decode: ([rows]) => ({ roleCounts: decodeRoleCounts(rows) }) })
  }
  if (request.resyncPage !== undefined) {
    const statements = [resyncPageRead(request.resyncPage)]
    reads.push({ statements, decode: ([rows = []]) => ({ resyncPage: rows }) })
  }
  if (request.reads !== undefined) reads.push({ statements: request.reads, decode: (rows) => ({ rows }) })
  return reads
}

/** The facts in the rows of `factReads`. */
export function factsOf(
  state: CountedState,
  reads: readonly FactsRead[],
  rows: readonly Row[][],
): Facts & { readonly state: CountedState } {
  const left = [...rows]
  const found = reads.map(({ statements, decode }) => decode(left.splice(0, statements.length)))
  return Object.assign({}, noFacts, { state }, ...found)
}

function returningOf(rows: readonly Row[]): Facts['returning'] {
  const found = Map.groupBy(
    rows.toSorted((a, b) => integer(a, 'rank') - integer(b, 'rank')),
    (row) => text(row, 'returning_id'),
  )
  return new Map([...found].map(([id, ofUser]) => [id, ofUser.map(decodeDeletedUser)]))
}
