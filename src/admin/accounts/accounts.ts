import type { Audited, Caller } from '../../directory/audit.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { DefaultPagingInput, defaultPageLimit, parseInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { Page } from '../../reads/page.ts'
import { creationTokens, pageOf } from '../../reads/page.ts'
import { parseQuery } from '../../reads/paging.ts'
import { isoTime } from '../time.ts'
import type { AccountStore, AdminUser } from './account-store.ts'
import type { AdminSession } from './session.ts'

/** An admin as the API returns them. */
export interface AdminUserView {
  readonly email: string
  readonly id: string
  /** An IANA name. */
  readonly timezone: string
}

/** An admin token as the API lists it, without the token and its hash. Times are ISO 8601 in UTC. */
export interface AdminTokenView {
  readonly id: string
  readonly user: { readonly id: string; readonly email: string }
  readonly disabled: boolean
  readonly created_at: string
  readonly last_used_at: string
  /** Whether it is the token of the caller. */
  readonly is_current: boolean
}

const timezoneMessage = 'timezone: an IANA name like Europe/Berlin or UTC.'

/** `PUT user/me` */
export const AdminUserInput = Type.Object(
  {
    timezone: Type.String({ description: timezoneMessage, maxLength: 100 }),
  },
  { title: 'AdminUserInput', examples: [{ timezone: 'Europe/Berlin' }] },
)

export interface AccountsParts {
  readonly store: AccountStore
  readonly audited: Audited
  /** Drops a token from the session cache. */
  readonly forget: (tokenId: string) => void
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** An admin's own account and the tokens of all admins. Inputs have the API's field names. */
export type Accounts = ReturnType<typeof createAccounts>

export function createAccounts({ store, audited, forget, clock }: AccountsParts) {
  /** Reads the stored user, because the one of the session is cached for some seconds. */
  async function currentUser({ token }: AdminSession): Promise<AdminUser> {
    const found = await store.getAdminToken(token.id)
    if (found === undefined) throw tokenRemoved()
    return found.user
  }

  return {
    /** @throws DirectoryError `unauthorized` when the token was removed in the meantime */
    async me(session: AdminSession): Promise<AdminUserView> {
      return userView(await currentUser(session))
    },
    /** @throws DirectoryError `invalid-input`, or `unauthorized` when the user was removed in the meantime */
    async setTimezone(session: AdminSession, input: unknown, caller: Caller): Promise<AdminUserView> {
      const timezone = parseTimezone(input)
      const user = await currentUser(session)
      const changes = { timezone: { from: user.timezone, to: timezone } }
      const draft = { caller, target: { kind: 'admin-user', id: user.id }, changes, at: clock() } as const
      const changed = await store.setAdminTimezone(user.id, timezone, audited({ action: 'admin.updated', ...draft }))
      forget(session.token.id)
      if (changed === undefined) throw tokenRemoved()
      return userView(changed)
    },
    /** Disables the session's token, unless it is already disabled. */
    async logOut({ token }: AdminSession, caller: Caller): Promise<void> {
      const target = { kind: 'admin-token', id: token.id } as const
      await store.disableAdminToken(token.id, audited({ action: 'admin.logout', caller, target, at: clock() }))
      forget(token.id)
    },
    /**
     * The tokens of all admins, in creation order.
     *
     * @throws DirectoryError `invalid-input`
     */
    async listTokens(query: unknown, session: AdminSession): Promise<Page<AdminTokenView>> {
      const { pageLimit: limit = defaultPageLimit, pageToken: token } = parseQuery(DefaultPagingInput, query)
      const found = await store.listAdminTokens({ after: creationTokens.read(token), limit: limit + 1 })
      const { rows, pageToken } = pageOf(found, limit, ({ token: last }) => creationTokens.write(last))
      return { rows: rows.map((row) => tokenView(row, session)), pageToken }
    },
    /** @throws DirectoryError `resource-not-found` also when the token is disabled already */
    async disableToken(id: string, caller: Caller): Promise<void> {
      const target = { kind: 'admin-token', id } as const
      const audit = audited({ action: 'admin_token.disabled', caller, target, at: clock() })
      const isDisabled = await store.disableAdminToken(id, audit)
      forget(id)
      if (!isDisabled)
        throw new DirectoryError('resource-not-found', 'There is no such admin token, or it is disabled.')
    },
  }
}

function parseTimezone(input: unknown): string {
  const { timezone } = parseInput(AdminUserInput, input)
  const name = timezoneName(timezone)
  if (name !== undefined) return name
  throw new DirectoryError('invalid-input', timezoneMessage, [{ field: 'timezone', message: timezoneMessage }])
}

function tokenRemoved(): DirectoryError {
  return new DirectoryError('unauthorized', 'Your admin token was removed; log in again.')
}

function userView({ email, id, timezone }: AdminUser): AdminUserView {
  return { email, id, timezone }
}

function tokenView({ user, token }: AdminSession, current: AdminSession): AdminTokenView {
  return {
    id: token.id,
    user: { id: user.id, email: user.email },
    disabled: token.disabled,
    created_at: isoTime(token.createdAt),
    last_used_at: isoTime(token.lastUsedAt),
    is_current: token.id === current.token.id,
  }
}

/** Names like "Europe/Berlin" and "Etc/GMT+1", but no offsets like "+01:00". */
const timezoneForm = /^[A-Za-z][A-Za-z0-9_+-]{0,31}(\/[A-Za-z0-9_+-]{1,31}){0,3}$/

/** The IANA name of a time zone in its usual letter case; undefined when there is no such zone. */
export function timezoneName(name: string): string | undefined {
  if (!timezoneForm.test(name)) return undefined
  const folded = name.toLowerCase()
  const listed = [...Intl.supportedValuesOf('timeZone'), 'UTC'].find((zone) => zone.toLowerCase() === folded)
  return listed ?? (isDeprecatedTimezone(name) ? name : undefined)
}

/** Deprecated names are not listed but still accepted. */
function isDeprecatedTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
