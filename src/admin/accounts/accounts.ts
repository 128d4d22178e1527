import { Type } from 'typebox'
import type { Audited, Caller } from '../../directory/audit.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { parseInput } from '../../directory/inputs.ts'
import { isoTime } from '../instant.ts'
import { isPlaceText, partBehind, placeText } from '../list-place.ts'
import type { AdminPage } from '../paging.ts'
import { parseAdminPaging, readAdminPage } from '../paging.ts'
import type { AdminSession } from './session.ts'
import type { AccountStore, AdminUser } from './store.ts'
import { timezoneName } from './timezone.ts'

/** An admin as the API answers them. */
export interface AdminUserAnswer {
  readonly email: string
  readonly id: string
  /** An IANA name. */
  readonly timezone: string
}

/** An admin token as the API lists it: neither the token nor its hash. Times are ISO 8601, in UTC. */
export interface AdminTokenAnswer {
  readonly id: string
  readonly user: { readonly id: string; readonly email: string }
  readonly disabled: boolean
  readonly created_at: string
  readonly last_used_at: string
}

const timezoneMessage = 'timezone: an IANA name like Europe/Berlin or UTC.'

/** `PUT user/me`. */
export const AdminUserInput = Type.Object({
  timezone: Type.String({ description: timezoneMessage, maxLength: 100 }),
})

export interface AccountsParts {
  readonly store: AccountStore
  readonly audited: Audited
  /** Looks at a token anew at its next use. */
  readonly forget: (tokenId: string) => void
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** What admins do with their own account, and with the tokens of all. Inputs are in the API's field names. */
export type Accounts = ReturnType<typeof createAccounts>

export function createAccounts({ store, audited, forget, clock }: AccountsParts) {
  /** The session's own is some seconds old. */
  async function userNow({ token }: AdminSession): Promise<AdminUser> {
    const found = await store.getAdminToken(token.id)
    if (found === undefined) throw goneAway()
    return found.user
  }

  return {
    /** @throws DirectoryError `unauthorized` when the token was removed meanwhile */
    async me(session: AdminSession): Promise<AdminUserAnswer> {
      return userAnswer(await userNow(session))
    },
    /** @throws DirectoryError `invalid-input`, or `unauthorized` when the user was removed meanwhile */
    async setTimezone(session: AdminSession, input: unknown, caller: Caller): Promise<AdminUserAnswer> {
      const timezone = parseTimezone(input)
      const user = await userNow(session)
      const changes = { timezone: { from: user.timezone, to: timezone } }
      const draft = { caller, target: { kind: 'admin-user', id: user.id }, changes, at: clock() } as const
      const changed = await store.setAdminTimezone(user.id, timezone, audited({ action: 'admin.updated', ...draft }))
      forget(session.token.id)
      if (changed === undefined) throw goneAway()
      return userAnswer(changed)
    },
    /** Disables the session's own token; doing it again is no error. */
    async logOut({ token }: AdminSession, caller: Caller): Promise<void> {
      const target = { kind: 'admin-token', id: token.id } as const
      await store.disableAdminToken(token.id, audited({ action: 'admin.logout', caller, target, at: clock() }))
      forget(token.id)
    },
    /**
     * The tokens of all admins in the order of creation.
     *
     * @throws DirectoryError `invalid-input`
     */
    async listTokens(query: unknown): Promise<AdminPage<AdminTokenAnswer>> {
      const { limit, place } = parseAdminPaging(query, isPlaceText)
      const read = (count: number) => store.listAdminTokens(partBehind(place, count))
      const { rows, pageToken } = await readAdminPage(limit, read, ({ token }) => placeText(token))
      return { rows: rows.map(tokenAnswer), pageToken }
    },
    /** @throws DirectoryError `resource-not-found` when there is no such token or it is disabled already */
    async disableToken(id: string, caller: Caller): Promise<void> {
      const target = { kind: 'admin-token', id } as const
      const audit = audited({ action: 'admin_token.disabled', caller, target, at: clock() })
      const isDisabled = await store.disableAdminToken(id, audit)
      forget(id)
      if (!isDisabled) throw new DirectoryError('resource-not-found', 'There is no such admin token in use.')
    },
  }
}

function parseTimezone(input: unknown): string {
  const { timezone: given } = parseInput(AdminUserInput, input)
  const name = timezoneName(given)
  if (name !== undefined) return name
  throw new DirectoryError('invalid-input', timezoneMessage, [{ field: 'timezone', message: timezoneMessage }])
}

function goneAway(): DirectoryError {
  return new DirectoryError('unauthorized', 'Your admin token was removed: log in again.')
}

function userAnswer({ email, id, timezone }: AdminUser): AdminUserAnswer {
  return { email, id, timezone }
}

function tokenAnswer({ user, token }: AdminSession): AdminTokenAnswer {
  return {
    id: token.id,
    user: { id: user.id, email: user.email },
    disabled: token.disabled,
    created_at: isoTime(token.createdAt),
    last_used_at: isoTime(token.lastUsedAt),
  }
}
