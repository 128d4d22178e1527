import { userIdIn, withAccountId } from '../directory/user.ts'
import type { Row } from './row.ts'
import { integer, optionalText, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'
import { readEachKey } from './sql-database.ts'

/** The column of an event `e` that names its directory if any user there was linked to an account. */
export const accountsColumn = `(
  select s.directory_id from directory_state s where s.directory_id = e.directory_id and s.has_accounts = 1) as accounts_of`

/**
 * Makes the query for rows with `data` and `accountsColumn` of events. Their users have the accounts that they are linked to now, not those
 * of the commit: an event that was held, or whose user was linked meanwhile, has the account. Users who left keep theirs while they are
 * recognized; after that the event has the one that it was stored with.
 */
export function createEventQuery(
  database: Pick<SqlDatabase, 'query' | 'readEach' | 'dialect'>,
): (statement: Statement) => Promise<Row[]> {
  const { oneRow } = database.dialect
  const accountsOf = readEachKey(
    database,
    (id) => `
      select * from (${oneRow('users', 'u', 'id', id, '1 as rank, u.account_id')}) u
      union all select * from (${oneRow('deleted_users', 'd', 'user_id', id, '2 as rank, d.account_id')}) d`,
  )
  return async (statement) => {
    const rows = await database.query(statement)
    const directories = new Set(rows.flatMap((row) => optionalText(row, 'accounts_of') ?? []))
    if (directories.size === 0) return rows
    const known = new Map<string, Map<string, string | undefined>>()
    for (const directoryId of directories) {
      const ofDirectory = rows.filter((row) => row['accounts_of'] === directoryId)
      const ids = [...new Set(ofDirectory.flatMap((row) => userIdIn(text(row, 'data')) ?? []))]
      const found = await accountsOf(directoryId, ids)
      const accounts = ids.flatMap((id, index): [string, string | undefined][] => {
        const [first] = (found[index] ?? []).toSorted((a, b) => integer(a, 'rank') - integer(b, 'rank'))
        return first === undefined ? [] : [[id, optionalText(first, 'account_id')]]
      })
      known.set(directoryId, new Map(accounts))
    }
    return rows.map((row) => {
      const accounts = known.get(optionalText(row, 'accounts_of') ?? '')
      const [data, id] = accounts === undefined ? [] : [text(row, 'data'), userIdIn(text(row, 'data'))]
      if (data === undefined || id === undefined || !accounts?.has(id)) return row
      return { ...row, data: withAccountId(data, accounts.get(id)) }
    })
  }
}
