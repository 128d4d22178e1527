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
import type { Facts, FactsRequest, KeyedFacts, KeyedRead, NamedUser } from './facts.ts'
import { decodeGroupState, decodeLeaving, maxLeaving } from './facts.ts'
import { createGroupFacts } from './group-facts.ts'

/** Facts of one kind: how they are read, by which keys, and how the rows of each key are decoded. */
interface KindOfFacts extends KeyedRead {
  keysOf(request: FactsRequest): readonly (readonly string[])[]
  decode(rows: readonly (readonly Row[])[], request: FactsRequest): Partial<Facts>
}

function kindsOf(dialect: Dialect): readonly KindOfFacts[] {
  const deletedColumns = deletedUserColumns(dialect)
  const { equals, indexed, indexedBy, oneRow, rowsWith, rowBy } = dialect
  const users = (withGroups: boolean, groups: string): KindOfFacts => ({
    columns: ['id'],
    rowsOf: (key = '') => oneRow('users', 'u', 'id', key, `${userStateColumns}, ${groups}`),
    keysOf: ({ users: ids = [], withGroups: isWanted = false }) =>
      isWanted === withGroups ? ids.map((id) => [id]) : [],
    decode: (rows) => ({ users: new Map(rows.flat().map((row) => [text(row, 'id'), decodeUserState(row)])) }),
  })
  // Without the name of the index, SQLite would walk through the removed users of the directory.
  const removedBy = (column: string, value: string, index?: string) =>
    `select * from (${rowsWith('removed_users', 'r', column, value, removedUserRowColumns, '$1', index)}) r`
  /** The last deleted user with a digest. */
  const lastDeleted = (column: string, digest: string, rank: number) => `
    select * from (
      select ${rank} as rank, ${deletedColumns} from deleted_users d
      where d.directory_id = $1 and ${equals(`d.${column}`, digest)} and d.${column} >= ''
      order by d.${column} desc, d.deleted_at desc limit 1) d`
  return [
    users(false, 'null as groups'),
    users(true, `(${groupsOf(dialect, 'u.id', noLimit)}) as groups`),
    {
      columns: ['name'],
      rowsOf: (name = '') => oneRow('users', 'u', 'user_name_folded', name, 'u.id'),
      keysOf: ({ userNames = [] }) => userNames.map((name) => [name]),
      decode: (rows, { userNames = [] }) => ({ userNames: holdersOf(userNames, rows) }),
    },
    {
      columns: ['account'],
      rowsOf: (account = '') => oneRow('users', 'u', 'account_id', account, 'u.id'),
      keysOf: ({ accounts = [] }) => accounts.map((account) => [account]),
      decode: (rows, { accounts = [] }) => ({ accounts: holdersOf(accounts, rows) }),
    },
    {
      columns: ['id', 'name'],
      rowsOf: (key = '', name = '') => `
        ${removedBy('user_id', key)}
        union all ${removedBy('user_name_folded', name, 'removed_users_by_name')} where r.user_id <> ${key}`,
      keysOf: ({ removed = [] }) => removed.map(({ id, userName }) => [id, fold(userName)]),
      decode: (rows) => ({ removed: rows.flat().map(decodeRemovedUserRow) }),
    },
    {
      columns: ['id', 'external_id', 'user_name'],
      rowsOf: (key = '', externalId = '', userName = '') => `
        select 1 as rank, ${deletedColumns} from (${rowsWith('deleted_users', 'd', 'user_id', key)}) d
        where d.user_name_digest <> ''
        union all ${lastDeleted('external_id_digest', externalId, 2)}
        union all ${lastDeleted('user_name_digest', userName, 3)}`,
      keysOf: ({ returning = [] }) => returning.map(namesOf),
      decode: (rows, { returning = [] }) => ({
        returning: new Map(returning.map(({ id }, index) => [id, decodeReturning(rows[index])])),
      }),
    },
    {
      columns: ['id'],
      rowsOf: (key = '') =>
        oneRow('groups', 'g', 'id', key, `g.id, g.version, g.sequence, (${countOfList('g.id')}) as members`),
      keysOf: ({ groupStates = [] }) => groupStates.map((id) => [id]),
      decode: (rows) => ({ groupStates: new Map(rows.flat().map((row) => [text(row, 'id'), decodeGroupState(row)])) }),
    },
    {
      columns: ['id'],
      rowsOf: (key = '') => `
        select m.group_id, m.member_id, m.sequence, g.version from members m ${indexedBy('members_by_member')}
        ${rowBy('groups', 'g', 'id', 'm.group_id', 'g.version')}
        where m.directory_id = $1 and ${equals('m.member_id', key)}${indexed('m', 'member_id')}
        order by m.member_id limit ${maxLeaving + 1}`,
      keysOf: ({ leaving = [] }) => leaving.map((id) => [id]),
      decode: (rows) => ({ leaving: rows.flat().map(decodeLeaving) }),
    },
  ]
}

/** Makes the reads of facts that are found by keys: only those that a request needs. */
export function createKeyedFacts<S>(
  dialect: Dialect,
  prepare: (read: KeyedRead) => S,
): (request: FactsRequest) => KeyedFacts<S>[] {
  const kinds = kindsOf(dialect).map((kind) => ({ kind, statement: prepare(kind) }))
  const groupFacts = createGroupFacts(dialect, prepare)
  return (request) => {
    const { changes, groupNames = [] } = request
    const needed = kinds.flatMap(({ kind, statement }): KeyedFacts<S>[] => {
      const keys = kind.keysOf(request)
      return keys.length === 0
        ? []
        : [{ reads: [{ statement, keys }], decode: ([rows = []]) => kind.decode(rows, request) }]
    })
    return changes === undefined ? needed : [...needed, groupFacts(changes, groupNames)]
  }
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
