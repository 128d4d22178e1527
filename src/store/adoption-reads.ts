import type { AdoptionList, AdoptionStore, RefusedAccount } from '../adoption/adoption-store.ts'
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

/** The users who are read of those who share a value: two of them are a conflict already. */
const usersShown = 10

/** The columns of a user `u` for `decodeMatchedUser`. */
const userColumns = ({ jsonField }: Dialect) => `
  u.id, u.user_name, u.external_id, u.email, u.first_name, u.last_name, u.active, u.account_id, ${jsonField('u.raw', 'emails')} as emails`

function decodeMatchedUser(row: Row): MatchedUser {
  const emails = JSON.parse(optionalText(row, 'emails') ?? 'null') as Json
  const email = text(row, 'email')
  return {
    id: text(row, 'id'),
    userName: text(row, 'user_name'),
    externalId: optionalText(row, 'external_id'),
    email,
    firstName: text(row, 'first_name'),
    lastName: text(row, 'last_name'),
    active: boolean(row, 'active'),
    accountId: optionalText(row, 'account_id'),
    emails: new Set([...emailValues({ emails }), email].map(fold)),
  }
}

const accountColumns = `a.account_id, ${matchKeys.map((key) => `a.${key}`).join(', ')}`

function decodeAccount(row: Row): ListedAccount {
  const [external_id, user_name, email] = matchKeys.map((key) => optionalText(row, key))
  return { accountId: text(row, 'account_id'), keys: { external_id, user_name, email } }
}

const accountsAfter = `
  select ${accountColumns}, a.user_id from adoption_accounts a
  where a.directory_id = $1 and a.list = $2 and a.account_id > $3 order by a.account_id limit $4`

/** The accounts of a list with a value of a key. */
const accountsWith = ({ equals }: Dialect, key: MatchKey, columns: string, value: string, part: string) => `
  select ${columns} from adoption_accounts a
  where a.directory_id = $1 and a.list = $2 and ${equals(`a.${key}`, value)} and a.${key} is not null
  order by a.${key} ${part}`

/** The users of a directory with a value of each key. */
function usersWith(dialect: Dialect): Record<MatchKey | 'account_id', (value: string) => string> {
  const { equals, indexedBy, oneRow, rowBy } = dialect
  const columns = userColumns(dialect)
  return {
    // As the look-ups of lists: see lookups.ts.
    external_id: (value) => `
      select ${columns} from users u ${indexedBy('users_by_external_id')}
      where u.directory_id = $1 and (u.external_id, u.directory_id) between (${value}, $1) and (${value}, $1)
        and u.external_id is not null
      order by u.external_id, u.directory_id limit ${usersShown}`,
    user_name: (value) => oneRow('users', 'u', 'user_name_folded', value, columns),
    email: (value) => `
      select ${columns} from (
        select * from (
          select e.user_id as id from user_emails e where e.directory_id = $1 and ${equals('e.email', value)}
          order by e.email limit ${usersShown}) e
        union
        select named.id from (${oneRow('users', 'i', 'user_name_folded', value, 'i.id, i.email, i.user_name, i.name_is_email')}) named
        where named.name_is_email = 1 or named.email = named.user_name) k ${rowBy('users', 'u', 'id', 'k.id')}`,
    account_id: (value) => oneRow('users', 'u', 'account_id', value, columns),
  }
}

/** What the plans of lists are made of. */
export function createAdoptionReads(database: SqlDatabase) {
  const { query, readEach, dialect } = database
  const ofKey = (key: MatchKey, columns: string, part: string) =>
    readEach({
      ...{ shared: 2, input: { value: 'text' } },
      rowsOf: ({ value }: { readonly value: string }) => accountsWith(dialect, key, columns, value, part),
    })
  const accounts = byKey((key) => ofKey(key, accountColumns, `limit ${maxSharing}`))
  const tooMany = byKey((key) => ofKey(key, 'a.account_id', `limit 1 offset ${maxSharing}`))
  const texts = usersWith(dialect)
  const users = {
    ...byKey((key) => readEachKey(database, texts[key])),
    account_id: readEachKey(database, texts.account_id),
  }
  const usersAfter = `
    select ${userColumns(dialect)}, u.sequence from users u
    where u.directory_id = $1 and u.sequence > $2${dialect.indexed('u', 'sequence')} order by u.sequence limit $3`
  return {
    async adoptionAccounts({ directoryId, list }, after, limit) {
      const rows = await query({ text: accountsAfter, values: [directoryId, list, after, limit] })
      return rows.map((row) => ({ ...decodeAccount(row), userId: optionalText(row, 'user_id') }))
    },
    async accountsByKey({ directoryId, list }, key, values) {
      const found = await accounts[key](
        [directoryId, list],
        values.map((value) => ({ value })),
      )
      return found.map((rows) => rows.map(decodeAccount))
    },
    async usersToAdopt(directoryId, after, limit) {
      const rows = await query({ text: usersAfter, values: [directoryId, after, limit] })
      return rows.map((row) => ({ user: decodeMatchedUser(row), position: integer(row, 'sequence') }))
    },
    async usersByKey(directoryId, key, values) {
      return (await users[key](directoryId, values)).map((rows) => rows.map(decodeMatchedUser))
    },
    /** The first of some accounts of a list with a value that too many accounts have. */
    async sharedTooOften(
      { directoryId, list }: AdoptionList,
      some: readonly ListedAccount[],
    ): Promise<RefusedAccount | undefined> {
      for (const key of matchKeys) {
        const values = [...new Set(some.flatMap(({ keys }) => keys[key] ?? []))]
        const found = await tooMany[key](
          [directoryId, list],
          values.map((value) => ({ value })),
        )
        const value = values.find((_, index) => (found[index] ?? []).length > 0)
        if (value !== undefined) return { key, index: some.findIndex(({ keys }) => keys[key] === value) }
      }
      return undefined
    },
  } satisfies Partial<AdoptionStore> & Record<'sharedTooOften', unknown>
}

function byKey<T>(make: (key: MatchKey) => T): Record<MatchKey, T> {
  return { external_id: make('external_id'), user_name: make('user_name'), email: make('email') }
}
