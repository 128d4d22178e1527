import { fold } from '../../scim/fold.ts'
import { decodeDeletedUser, deletedUserColumns } from '../deleted-users.ts'
import { countOfList } from '../reads/lists.ts'
import { groupsOf } from '../reads/users.ts'
import { decodeRemovedUserRow, removedUserRowColumns } from '../removals.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import type { Dialect } from '../sql-database.ts'
import { noLimit } from '../sql-database.ts'
import { decodeUserState, userStateColumns } from '../users.ts'
import type { Facts, FactsRequest, NamedUser } from './facts.ts'
import { decodeGroupState, decodeLeaving, maxLeaving } from './facts.ts'

/** A read of the rows of a key, which may have several columns; all of them are texts. The directory is `$1`. */
export interface KeyedRead {
  readonly columns: readonly string[]
  /** The query for the rows of a key, whose columns are these expressions. */
  readonly rowsOf: (...key: readonly string[]) => string
}

/** Makes the reads of facts that are found by keys. */
export function createKeyedReads(dialect: Dialect) {
  const { equals, indexed, indexedBy, oneRow, rowsWith, rowBy } = dialect
  const id = ['id']
  const user = (groups: string): KeyedRead => ({
    columns: id,
    rowsOf: (key = '') => oneRow('users', 'u', 'id', key, `${userStateColumns}, ${groups}`),
  })
  // Without the name of the index, SQLite would walk through the removed users of the directory.
  const removedBy = (column: string, value: string, index?: string) =>
    `select * from (${rowsWith('removed_users', 'r', column, value, removedUserRowColumns, '$1', index)}) r`
  /** The last deleted user with a digest. */
  const lastDeleted = (column: string, digest: string, rank: number) => `
    select * from (
      select ${rank} as rank, ${deletedUserColumns} from deleted_users d
      where d.directory_id = $1 and ${equals(`d.${column}`, digest)} and d.${column} >= ''
      order by d.${column} desc, d.deleted_at desc limit 1) d`
  return {
    users: user('null as groups'),
    usersWithGroups: user(`(${groupsOf(dialect, 'u.id', noLimit)}) as groups`),
    userNames: {
      columns: ['name'],
      rowsOf: (name = '') => oneRow('users', 'u', 'user_name_folded', name, 'u.id'),
    },
    removed: {
      columns: ['id', 'name'],
      rowsOf: (key = '', name = '') => `
        ${removedBy('user_id', key)}
        union all ${removedBy('user_name_folded', name, 'removed_users_by_name')} where r.user_id <> ${key}`,
    },
    returning: {
      columns: ['id', 'external_id', 'user_name'],
      rowsOf: (key = '', externalId = '', userName = '') => `
        select * from (${rowsWith('deleted_users', 'd', 'user_id', key, `1 as rank, ${deletedUserColumns}`)}) d
        union all ${lastDeleted('external_id_digest', externalId, 2)}
        union all ${lastDeleted('user_name_digest', userName, 3)}`,
    },
    groupStates: {
      columns: id,
      rowsOf: (key = '') =>
        oneRow('groups', 'g', 'id', key, `g.id, g.version, g.sequence, (${countOfList('g.id')}) as members`),
    },
    leaving: {
      columns: id,
      rowsOf: (key = '') => `
        select m.group_id, m.member_id, m.sequence, g.version from members m ${indexedBy('members_by_member')}
        ${rowBy('groups', 'g', 'id', 'm.group_id', 'g.version')}
        where m.directory_id = $1 and ${equals('m.member_id', key)}${indexed('m', 'member_id')}
        order by m.member_id limit ${maxLeaving + 1}`,
    },
  } satisfies Record<string, KeyedRead>
}

export type KeyedReads = ReturnType<typeof createKeyedReads>

/** A read for some keys, and how the rows of each are decoded. */
export interface KeyedFacts {
  readonly read: keyof KeyedReads
  readonly keys: readonly (readonly string[])[]
  decode(rows: readonly (readonly Row[])[]): Partial<Facts>
}

/** The reads that a request needs. */
export function keyedFacts(request: FactsRequest): KeyedFacts[] {
  const { users = [], userNames = [], removed = [], returning = [], groupStates = [], leaving = [] } = request
  const needed: KeyedFacts[] = []
  if (users.length > 0) {
    needed.push({
      read: request.withGroups === true ? 'usersWithGroups' : 'users',
      keys: users.map((id) => [id]),
      decode: (rows) => ({ users: new Map(rows.flat().map((row) => [text(row, 'id'), decodeUserState(row)])) }),
    })
  }
  if (userNames.length > 0) {
    needed.push({
      read: 'userNames',
      keys: userNames.map((name) => [name]),
      decode: (rows) => ({ userNames: holdersOf(userNames, rows) }),
    })
  }
  if (removed.length > 0) {
    needed.push({
      read: 'removed',
      keys: removed.map(({ id, userName }) => [id, fold(userName)]),
      decode: (rows) => ({ removed: rows.flat().map(decodeRemovedUserRow) }),
    })
  }
  if (returning.length > 0) {
    needed.push({
      read: 'returning',
      keys: returning.map(namesOf),
      decode: (rows) => ({ returning: new Map(returning.map(({ id }, index) => [id, decodeReturning(rows[index])])) }),
    })
  }
  if (groupStates.length > 0) {
    needed.push({
      read: 'groupStates',
      keys: groupStates.map((id) => [id]),
      decode: (rows) => ({ groupStates: new Map(rows.flat().map((row) => [text(row, 'id'), decodeGroupState(row)])) }),
    })
  }
  if (leaving.length > 0) {
    needed.push({
      read: 'leaving',
      keys: leaving.map((id) => [id]),
      decode: (rows) => ({ leaving: rows.flat().map(decodeLeaving) }),
    })
  }
  return needed
}

function holdersOf(names: readonly string[], rows: readonly (readonly Row[])[]): ReadonlyMap<string, string> {
  const holders = new Map<string, string>()
  for (const [index, name] of names.entries()) for (const row of rows[index] ?? []) holders.set(name, text(row, 'id'))
  return holders
}

/** No digest is empty. */
function namesOf({ id, recognition }: NamedUser) {
  const { userName = '', externalId = '' } = recognition?.digests() ?? {}
  return [id, externalId, userName]
}

function decodeReturning(rows: readonly Row[] = []) {
  return rows.toSorted((a, b) => integer(a, 'rank') - integer(b, 'rank')).map(decodeDeletedUser)
}
