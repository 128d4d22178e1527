import { Type } from 'typebox'
import type { Audited, Caller } from '../../directory/audit.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { parseInput } from '../../directory/inputs.ts'
import type { AdminPage } from '../paging.ts'
import { isPlaceText, parseAdminPaging, partBehind, placeText, readAdminPage } from '../paging.ts'
import { isoTime } from '../time.ts'
import type { AdminSession } from './session.ts'
import type { AccountStore, AdminUser } from './store.ts'

/** An admin as the API answers them. */
export interface AdminUserView {
  readonly email: string
  readonly id: string
  /** An IANA name. */
  readonly timezone: string
}

/** An admin token as the API lists it: neither the token nor its hash. Times are ISO 8601, in UTC. */
export interface AdminTokenView {
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
    async me(session: AdminSession): Promise<AdminUserView> {
      return userAnswer(await userNow(session))
    },
    /** @throws DirectoryError `invalid-input`, or `unauthorized` when the user was removed meanwhile */
    async setTimezone(session: AdminSession, input: unknown, caller: Caller): Promise<AdminUserView> {
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
    async listTokens(query: unknown): Promise<AdminPage<AdminTokenView>> {
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

function userAnswer({ email, id, timezone }: AdminUser): AdminUserView {
  return { email, id, timezone }
}

function tokenAnswer({ user, token }: AdminSession): AdminTokenView {
  return {
    id: token.id,
    user: { id: user.id, email: user.email },
    disabled: token.disabled,
    created_at: isoTime(token.createdAt),
    last_used_at: isoTime(token.lastUsedAt),
  }
}

/** Names as "Europe/Berlin" and "Etc/GMT+1"; not offsets as "+01:00", which are no names. */
const form = /^[A-Za-z][A-Za-z0-9_+-]{0,31}(\/[A-Za-z0-9_+-]{1,31}){0,3}$/

/** The IANA name of a time zone as it is usually written, whatever the case it was given in; undefined when it is none. */
export function timezoneName(given: string): string | undefined {
  if (!form.test(given)) return undefined
  const folded = given.toLowerCase()
  const usual = [...Intl.supportedValuesOf('timeZone'), 'UTC'].find((name) => name.toLowerCase() === folded)
  return usual ?? (isKnown(given) ? given : undefined)
}

/** Old names are known as well, and are not listed. */
function isKnown(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
