import { accountIdText } from '../directory/account-links.ts'
import { DirectoryError } from '../directory/errors.ts'
import { parseInput } from '../directory/inputs.ts'
import { maxIndexedLength } from '../directory/limits.ts'
import { Type } from '../inputs/json-schema.ts'
import { fold } from '../scim/fold.ts'
import type { RefusedAccount } from './adoption-store.ts'
import { maxSharing } from './adoption-store.ts'
import type { ListedAccount } from './match.ts'

/** An account as it was sent, and how it is called in a message about it, such as `Line 17`. */
export interface SentAccount {
  readonly value: unknown
  readonly place: string
}

const key = (field: string, examples: readonly string[]) =>
  Type.Optional(
    Type.Union([Type.String({ maxLength: maxIndexedLength, pattern: '^[^\\p{Cc}\\p{Cs}]*$' }), Type.Null()], {
      description: `${field}: text of at most ${maxIndexedLength} characters without control characters; "" or null: none.`,
      examples,
    }),
  )

/** An account of the product in `POST /:id/adoption`. */
export const AdoptedAccountInput = Type.Object(
  {
    account_id: Type.String({
      ...{ ...accountIdText, examples: ['acct_8231'] },
      description: `account_id: the id of the account in your product, text of 1 to ${accountIdText.maxLength} characters without control characters.`,
    }),
    external_id: key('external_id', ['701984']),
    user_name: key('user_name', ['barbara.jensen@acme.example']),
    email: key('email', ['barbara.jensen@acme.example']),
  },
  { title: 'AdoptedAccount', description: 'An account of the product.' },
)

/** @throws DirectoryError `invalid-input` that names the place of the account */
export function parseAccount({ value, place }: SentAccount): ListedAccount {
  try {
    const { account_id: accountId, external_id, user_name, email } = parseInput(AdoptedAccountInput, value)
    const folded = (text: string | null | undefined) => fold(text ?? '') || undefined
    const keys = { external_id: external_id || undefined, user_name: folded(user_name), email: folded(email) }
    return { accountId, keys }
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    throw new DirectoryError(error.code, `${place}: ${error.message}`, error.problems)
  }
}

/** The error about an account that the list cannot have. */
export function refusal({ key: field }: RefusedAccount, account: SentAccount | undefined): DirectoryError {
  const { value, place } = account ?? { value: {}, place: 'An account' }
  const sent = JSON.stringify(Object(value)[field])
  const message =
    field === 'account_id'
      ? `${place}: account_id: ${sent} is in the list before. Send each account once.`
      : `${place}: ${field}: more than ${maxSharing} accounts have ${sent}. Leave ${field} out where it does not name one person.`
  return new DirectoryError('invalid-input', message, [{ field, message }])
}
