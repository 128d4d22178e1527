import { accountIdText } from '../directory/account-links.ts'
import { DirectoryError } from '../directory/errors.ts'
import { parseInput } from '../directory/inputs.ts'
import { maxIndexedLength } from '../directory/limits.ts'
import { Type } from '../inputs/json-schema.ts'
import { fold } from '../scim/fold.ts'
import type { AccountList, AdoptionStore, RefusedAccount } from './adoption-store.ts'
import { maxSharing } from './adoption-store.ts'
import type { ListedAccount } from './match.ts'

const maxAccounts = 200_000

/** Others wait for one batch at most. */
export const batchSize = 400

const key = (field: string, example: string) =>
  Type.Optional(
    Type.Union([Type.String({ maxLength: maxIndexedLength, pattern: accountIdText.pattern }), Type.Null()], {
      description: `${field}: text of at most ${maxIndexedLength} characters without control characters; "" or null: none.`,
      examples: [example],
    }),
  )

/** An account in `POST /:id/adoption`. */
export const AdoptedAccountInput = Type.Named('AdoptedAccount', 'An account of your product.', {
  account_id: Type.String({
    ...{ ...accountIdText, examples: ['acct_8231'] },
    description: `account_id: the id of the account in your product, text of 1 to ${accountIdText.maxLength} characters without control characters.`,
  }),
  external_id: key('external_id', '701984'),
  user_name: key('user_name', 'barbara.jensen@acme.example'),
  email: key('email', 'barbara.jensen@acme.example'),
})

/**
 * Adds accounts to a list that was begun, while they arrive; returns their number.
 *
 * @throws DirectoryError `invalid-input` that says which account is wrong, by its number in the list
 */
export async function addAll(
  store: Pick<AdoptionStore, 'addAccounts'>,
  list: AccountList,
  sent: AsyncIterable<readonly unknown[]>,
): Promise<number> {
  let waiting: ListedAccount[] = []
  let added = 0
  const add = async (accounts: readonly ListedAccount[]) => {
    const refused = accounts.length === 0 ? undefined : await store.addAccounts(list, accounts)
    if (refused === 'gone') throw new DirectoryError('busy', 'The list took too long: send it again.')
    if (refused !== undefined) throw refusal(refused, added + accounts.indexOf(refused.account))
    added += accounts.length
  }
  for await (const values of sent) {
    for (const value of values) waiting.push(parseAccount(value, added + waiting.length))
    if (added + waiting.length > maxAccounts)
      throw new DirectoryError(
        'invalid-input',
        `A list has at most ${maxAccounts} accounts: send those of one customer.`,
      )
    for (; waiting.length >= batchSize; waiting = waiting.slice(batchSize)) await add(waiting.slice(0, batchSize))
  }
  await add(waiting)
  return added
}

function parseAccount(value: unknown, index: number): ListedAccount {
  try {
    const { account_id: id, external_id, user_name, email } = parseInput(AdoptedAccountInput, value)
    const folded = (text: string | null | undefined) => fold(text ?? '') || undefined
    return { id, keys: { external_id: external_id || undefined, user_name: folded(user_name), email: folded(email) } }
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    throw new DirectoryError(error.code, `Account ${index + 1} of the list: ${error.message}`, error.problems)
  }
}

function refusal({ account, key: field }: RefusedAccount, index: number): DirectoryError {
  const value = JSON.stringify(field === 'account_id' ? account.id : account.keys[field])
  const message =
    field === 'account_id'
      ? `account_id: ${value} is in the list before: send each account once.`
      : `${field}: more than ${maxSharing} accounts have ${value}: leave ${field} out where it names no single person.`
  return new DirectoryError('invalid-input', `Account ${index + 1} of the list: ${message}`, [{ field, message }])
}
