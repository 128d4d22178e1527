import type { Static } from '../inputs/json-schema.ts'
import { Type } from '../inputs/json-schema.ts'
import type { Audited, AuditWrite, Caller } from './audit.ts'
import type { Directory } from './directory.ts'
import type { DirectoryChanged } from './directory-store.ts'
import { DirectoryError } from './errors.ts'
import { parseInput } from './inputs.ts'

/** The account in the product that a user is linked to from now on; undefined: none. */
export interface AccountLink {
  readonly userId: string
  readonly accountId: string | undefined
}

/** The outcome of a link. `account-taken`: another user is linked to the account, or the same commit links the user already. */
export type LinkOutcome = 'changed' | 'unchanged' | 'user-not-found' | 'account-taken'

/** The maximum number of links of one commit, which other writes to the directory wait for: callers that have more make several. */
export const maxLinksAtOnce = 300

/** The storage of links between users and accounts. */
export interface AccountLinkStore {
  /**
   * Links at most `maxLinksAtOnce` users of a directory to accounts, in one commit, and returns the outcome of each link in their order. An
   * account that a user has before the commit is taken for all others, even if the same commit ends that link. Makes no event. The
   * audit entry is written only if something changes. `directory-changed`: the directory does not exist.
   */
  linkAccounts(
    directoryId: string,
    links: readonly AccountLink[],
    audit?: AuditWrite,
  ): Promise<readonly LinkOutcome[] | DirectoryChanged>
}

/** The longest id of an account, in characters. */
const maxLength = 255

/** The id of an account, as the product sends it. */
export const accountIdText = { minLength: 1, maxLength, pattern: '^[^\\p{Cc}\\p{Cs}]*$' } as const

/** `PUT /:id/users/:userId/account` */
export const AccountInput = Type.Object({
  account_id: Type.Union([Type.String(accountIdText), Type.Null()], {
    description: `account_id: the id of the account in your product, text of 1 to ${maxLength} characters without control characters; null: none.`,
    examples: ['acct_8231'],
  }),
})

export interface AccountLinkParts {
  readonly store: AccountLinkStore
  readonly directories: { get(id: string): Promise<Directory> }
  readonly audited: Audited
  readonly clock: () => number
}

/** A user and its account, as the API returns them. */
export interface AccountLinkView {
  readonly user_id: string
  readonly account_id: string | null
}

/** The links between users and accounts as the API offers them. */
export function createAccountLinks({ store, directories, audited, clock }: AccountLinkParts) {
  return {
    /**
     * Links a user to an account of the product, or ends its link.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`, `account-taken`
     */
    async link(directoryId: string, userId: string, body: unknown, caller: Caller): Promise<AccountLinkView> {
      const { account_id }: Static<typeof AccountInput> = parseInput(AccountInput, body)
      const directory = await directories.get(directoryId)
      const { id, tenant, product } = directory
      // The account is personal data, which the trail leaves out.
      const action = account_id === null ? 'user.unlinked' : 'user.linked'
      const target = { kind: 'user', id: userId, tenant, product } as const
      const audit = audited({ action, caller, target, at: clock() })
      const outcomes = await store.linkAccounts(id, [{ userId, accountId: account_id ?? undefined }], audit)
      if (outcomes === 'directory-changed')
        throw new DirectoryError('directory-not-found', 'There is no directory with this id.')
      const [outcome] = outcomes
      if (outcome === 'user-not-found')
        throw new DirectoryError('resource-not-found', 'There is no user with this id in the directory.')
      if (outcome === 'account-taken') {
        const message =
          'Another user of this directory is linked to this account: set the account_id of that user to null first.'
        throw new DirectoryError('account-taken', message)
      }
      return { user_id: userId, account_id }
    },
  }
}

/** The links between users and accounts as the API offers them. */
export type AccountLinks = ReturnType<typeof createAccountLinks>
