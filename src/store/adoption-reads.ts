import type { AccountList, AdoptionStore, RefusedAccount } from '../adoption/adoption-store.ts'
import { maxSharing } from '../adoption/adoption-store.ts'
import type { ListedAccount, MatchedUser, MatchKey } from '../adoption/match.ts'
import { matchKeys } from '../adoption/match.ts'
import { fold } from '../scim/fold.ts'
import type { Json } from '../scim/json.ts'
import { emailValues } from '../scim/resource/user-fields.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalText, text } from './row.ts'
import type { Dialect, SqlDatabase } from './sql-database.ts'
import { readEachKey } from './sql-database.ts'

/** The users who are read of those who share a value: two are a conflict already. */
const usersShown = 10

const userColumns = ({ jsonField }: Dialect) => `
  u.id, u.user_name, u.external_id, u.email, u.first_name, u.last_name, u.active, u.account_id, ${jsonField('u.raw', 'emails')} as emails`

/** Decodes a row of `userColumns`. */
function decodeMatchedUser(row: Row): MatchedUser {
  const [id, user_name, email] = [text(row, 'id'), text(row, 'user_name'), text(row, 'email')]
  const [first_name, last_name] = [text(row, 'first_name'), text(row, 'last_name')]
  const emails = emailValues({ emails: JSON.parse(optionalText(row, 'emails') ?? '[]') as Json })
  const externalId = optionalText(row, 'external_id')
  return {
    shown: { id, user_name, email, first_name, last_name, active: boolean(row, 'active') },
    accountId: optionalText(row, 'account_id'),
    keys: {
      external_id: externalId === undefined ? [] : [externalId],
      user_name: [fold(user_name)],
      email: [...new Set([...emails, email].map(fold))],
    },
  }
}

const accountColumns = `a.account_id, ${matchKeys.map((key) => `a.${key}`).join(', ')}`

/** Decodes a row of `accountColumns`. */
function decodeAccount(row: Row): ListedAccount {
  const [external_id, user_name, email] = matchKeys.map((key) => optionalText(row, key))
  return { id: text(row, 'account_id'), keys: { external_id, user_name, email } }
}

const accountsAfter = `
  select ${accountColumns}, a.user_id from adoption_accounts a
  where a.directory_id = $1 and a.list = $2 and a.account_id > $3 order by a.account_id limit $4`

/** The read of the accounts of a list with a value of a key. SQLite would read the whole list for each value. */
const accountsWith = ({ equals, indexedBy }: Dialect, key: MatchKey, part: string) => ({
  ...{ shared: 2, input: { value: 'text' as const } },
  rowsOf: ({ value }: { readonly value: string }) => `
    select ${accountColumns} from adoption_accounts a ${indexedBy(`adoption_accounts_by_${key}`)}
    where a.directory_id = $1 and a.list = $2 and ${equals(`a.${key}`, value)} and a.${key} is not null
    order by a.${key} ${part}`,
})

/** The users with a value of a key, which are found as in `lookups.ts`. */
function usersWith(dialect: Dialect): Record<MatchKey | 'account_id', (value: string) => string> {
  const { equals, indexedBy, oneRow, rowBy } = dialect
  const columns = userColumns(dialect)
  const names = 'n.id, n.email, n.user_name, n.name_is_email'
  return {
    external_id: (value) => `
      select ${columns} from users u ${indexedBy('users_by_external_id')}
      where u.directory_id = $1 and (u.external_id, u.directory_id) between (${value}, $1) and (${value}, $1) and u.external_id is not null
      order by u.external_id, u.directory_id limit ${usersShown}`,
    user_name: (value) => oneRow('users', 'u', 'user_name_folded', value, columns),
    email: (value) => `
      select ${columns} from (
        select * from (
          select e.user_id as id from user_emails e where e.directory_id = $1 and ${equals('e.email', value)}
          order by e.email limit ${usersShown}) e
        union
        select n.id from (${oneRow('users', 'n', 'user_name_folded', value, names)}) n
        where n.name_is_email = 1 or n.email = n.user_name) k ${rowBy('users', 'u', 'id', 'k.id')}`,
    account_id: (value) => oneRow('users', 'u', 'account_id', value, columns),
  }
}

/** The reads that plans are made of. */
export function createAdoptionReads(database: SqlDatabase) {
  const { query, readEach, dialect } = database
  const byKey = (part: string) => ({
    external_id: readEach(accountsWith(dialect, 'external_id', part)),
    user_name: readEach(accountsWith(dialect, 'user_name', part)),
    email: readEach(accountsWith(dialect, 'email', part)),
  })
  const [accounts, tooMany] = [byKey(`limit ${maxSharing}`), byKey(`limit 1 offset ${maxSharing}`)]
  const find = (read: (typeof accounts)[MatchKey], { directoryId, list }: AccountList, values: readonly string[]) =>
    read(
      [directoryId, list],
      values.map((value) => ({ value })),
    )
  const texts = usersWith(dialect)
  const users = {
    external_id: readEachKey(database, texts.external_id),
    user_name: readEachKey(database, texts.user_name),
    email: readEachKey(database, texts.email),
    account_id: readEachKey(database, texts.account_id),
  }
  const usersAfter = `
    select ${userColumns(dialect)}, u.sequence from users u
    where u.directory_id = $1 and u.sequence > $2${dialect.indexed('u', 'sequence')} order by u.sequence limit $3`
  const reads: Pick<AdoptionStore, 'accountsAfter' | 'accountsByKey' | 'usersAfter' | 'usersByKey'> = {
    async accountsAfter({ directoryId, list }, after, limit) {
      const rows = await query({ text: accountsAfter, values: [directoryId, list, after, limit] })
      return rows.map((row) => ({ ...decodeAccount(row), userId: optionalText(row, 'user_id') }))
    },
    async accountsByKey(list, key, values) {
      return (await find(accounts[key], list, values)).map((rows) => rows.map(decodeAccount))
    },
    async usersAfter(directoryId, after, limit) {
      const rows = await query({ text: usersAfter, values: [directoryId, after, limit] })
      return rows.map((row) => ({ ...decodeMatchedUser(row), position: integer(row, 'sequence') }))
    },
    async usersByKey(directoryId, key, values) {
      return (await users[key](directoryId, values)).map((rows) => rows.map(decodeMatchedUser))
    },
  }
  return {
    ...reads,
    /** The first of some accounts of a list with a value that too many accounts have. */
    async sharedTooOften(list: AccountList, some: readonly ListedAccount[]): Promise<RefusedAccount | undefined> {
      for (const key of matchKeys) {
        const values = [...new Set(some.flatMap(({ keys }) => keys[key] ?? []))]
        const found = await find(tooMany[key], list, values)
        const account = some.find(({ keys }) => (found[values.indexOf(keys[key] ?? '')] ?? []).length > 0)
        if (account !== undefined) return { account, key }
      }
      return undefined
    },
  }
}
