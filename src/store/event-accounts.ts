import { userIdIn, withAccountId } from '../directory/user.ts'
import type { Row } from './row.ts'
import { integer, optionalText, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'

/**
 * The column of an event that names its directory if any user there was ever linked to an account. It is read once for all rows where they are
 * of one directory.
 */
export const accountsColumn = (directory: '$1' | 'e.directory_id') => `(
  select s.directory_id from directory_state s where s.directory_id = ${directory} and s.has_accounts = 1) as accounts_of`

/**
 * Makes the query for rows with `data` and `accountsColumn` of events. Their users have the accounts that they are linked to now, not those
 * of the commit: an event that was held, or whose user was linked meanwhile, has the account. Users who left keep theirs while they are
 * recognized; after that the event has the one that it was stored with.
 */
export function createEventQuery(
  database: Pick<SqlDatabase, 'query' | 'readEach' | 'dialect'>,
): (statement: Statement) => Promise<Row[]> {
  const { oneRow } = database.dialect
  const accountsOf = database.readEach({
    ...{ shared: 0, input: { directory_id: 'text', user_id: 'text' } },
    rowsOf: ({ directory_id: directory, user_id: user }) => `
      select * from (${oneRow('users', 'u', 'id', user, '1 as rank, u.account_id', directory)}) u
      union all select * from (${oneRow('deleted_users', 'd', 'user_id', user, '2 as rank, d.account_id', directory)}) d`,
  })
  return async (statement) => {
    const rows = await database.query(statement)
    const linked = new Map<string, { directory_id: string; user_id: string }>()
    const keys = rows.map((row) => {
      const directory = optionalText(row, 'accounts_of')
      const user = directory && userIdIn(text(row, 'data'))
      if (directory === undefined || user === undefined) return ''
      linked.set(`${directory}/${user}`, { directory_id: directory, user_id: user })
      return `${directory}/${user}`
    })
    if (linked.size === 0) return rows
    const found = await accountsOf([], [...linked.values()])
    const accounts = new Map([...linked.keys()].map((key, index) => [key, presentRow(found[index])]))
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
