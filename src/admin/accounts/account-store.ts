import type { AuditWrite } from '../../directory/audit.ts'
import type { ListRange } from '../admin-store.ts'

/** A user who may manage the service. Times are Unix milliseconds. */
export interface AdminUser {
  readonly id: string
  /** The address of the first login; identifies the user in any letter case. */
  readonly email: string
  /** An IANA name. */
  readonly timezone: string
  readonly createdAt: number
}

/** The token that a login creates. */
export interface AdminToken {
  readonly id: string
  readonly userId: string
  /** bcrypt */
  readonly tokenHash: string
  readonly disabled: boolean
  readonly createdAt: number
  readonly lastUsedAt: number
}

export interface AccountStore {
  /**
   * Stores a login in one commit: the user, unless that email address has one; the token, with the id of the stored
   * user; and the audit entry.
   */
  logIn(
    user: AdminUser,
    token: AdminToken,
    audit: (user: AdminUser) => AuditWrite,
  ): Promise<{ readonly user: AdminUser; readonly token: AdminToken }>
  /** A token with its user. */
  getAdminToken(id: string): Promise<{ readonly user: AdminUser; readonly token: AdminToken } | undefined>
  /** The tokens in creation order. */
  listAdminTokens(part: ListRange): Promise<{ readonly user: AdminUser; readonly token: AdminToken }[]>
  /** Disables a token; false, without a write, if it does not exist or is already disabled. */
  disableAdminToken(id: string, audit: AuditWrite): Promise<boolean>
  touchAdminToken(id: string, at: number): Promise<void>
  /** Removes at most `limit` tokens that were not used since a time; resolves with their number. */
  pruneAdminTokens(unusedSince: number, limit: number): Promise<number>
  /** The changed user; undefined when there is none. */
  setAdminTimezone(userId: string, timezone: string, audit: AuditWrite): Promise<AdminUser | undefined>
}
