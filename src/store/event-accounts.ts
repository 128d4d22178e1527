import { userIdIn, withAccountId } from '../directory/user.ts'
import type { Row } from './row.ts'
import { integer, optionalText, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'

type Reads = Pick<SqlDatabase, 'query' | 'queryAll' | 'readEach' | 'dialect'>

/** The directory of all events that are read, or that of each row, and the directories that these can be of if they are known. */
type DirectoriesOfEvents =
  | string
  | { readonly of: (row: Row) => string | undefined; readonly known?: readonly string[] }

/**
 * Makes the query for rows with `data` of events. Their users have the accounts that they are linked to now, not those of the
 * commit: an event that was held, or whose user was linked meanwhile, has the account. Users who left keep theirs while they are recognized;
 * after that the event has the one that it was stored with. For directories without accounts, nothing is read for each row.
 */
export function createEventQuery({ query, queryAll, readEach, dialect }: Reads) {
  const { elementsOf, joinOne, oneRow } = dialect
  const ofOne = 'select s.directory_id from directory_state s where s.directory_id = $1 and s.has_accounts = 1'
  const ofSeveral = `
    select s.directory_id from ${elementsOf('$1', 'j')} ${joinOne('directory_state', 's', 's.directory_id = j.value ->> 0')}
    where s.has_accounts = 1`
  const linkedAmong = (ids: readonly (string | undefined)[]) => {
    return { text: ofSeveral, values: [JSON.stringify([...new Set(ids)].map((id) => [id]))] }
  }
  /** The events, then the directories with accounts: whoever is linked between the reads may have the account, or not. */
  async function read(statement: Statement, directories: DirectoriesOfEvents): Promise<readonly Row[][]> {
    if (typeof directories === 'string') return queryAll([statement, { text: ofOne, values: [directories] }])
    const { of, known } = directories
    if (known !== undefined) return queryAll([statement, linkedAmong(known)])
    const rows = await query(statement)
    return [rows, rows.length === 0 ? [] : await query(linkedAmong(rows.map(of)))]
  }
  const accountsOf = readEach({
    ...{ shared: 0, input: { directory_id: 'text', user_id: 'text' } },
    rowsOf: ({ directory_id: directory, user_id: user }) => `
      select * from (${oneRow('users', 'u', 'id', user, '1 as rank, u.account_id', directory)}) u
      union all select * from (${oneRow('deleted_users', 'd', 'user_id', user, '2 as rank, d.account_id', directory)}) d`,
  })
  return async (statement: Statement, directories: DirectoriesOfEvents): Promise<Row[]> => {
    const [rows = [], linked = []] = await read(statement, directories)
    if (linked.length === 0) return rows
    const ids = new Set(linked.map((row) => text(row, 'directory_id')))
    const users = new Map<string, { directory_id: string; user_id: string }>()
    const keys = rows.map((row) => {
      const directory_id = typeof directories === 'string' ? directories : directories.of(row)
      const user_id = directory_id !== undefined && ids.has(directory_id) ? userIdIn(text(row, 'data')) : undefined
      if (directory_id === undefined || user_id === undefined) return ''
      users.set(`${directory_id}/${user_id}`, { directory_id, user_id })
      return `${directory_id}/${user_id}`
    })
    const found = await accountsOf([], [...users.values()])
    const accounts = new Map([...users.keys()].map((key, index) => [key, presentRow(found[index])]))
    return rows.map((row, index) => {
      const account = accounts.get(keys[index] ?? '')
      return account === undefined
        ? row
        : { ...row, data: withAccountId(text(row, 'data'), optionalText(account, 'account_id')) }
    })
  }
}

/** The row of the user, else that of the deleted one: a user can have the id that it had before its deletion. */
function presentRow(rows: readonly Row[] = []): Row | undefined {
  return rows.toSorted((a, b) => integer(a, 'rank') - integer(b, 'rank'))[0]
}
