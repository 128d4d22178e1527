import type { AuditWrite } from '../../directory/audit.ts'

import type { ListPosition } from '../store.ts'

/** Who may manage the service. Times are Unix milliseconds. */
export interface AdminUser {
  readonly id: string
  /** As it was given at the first login; the same in any letter case is the same user. */
  readonly email: string
  /** An IANA name. */
  readonly timezone: string
  readonly createdAt: number
}

/** What an admin user got at a login. */
export interface AdminToken {
  readonly id: string
  readonly userId: string
  /** bcrypt. */
  readonly tokenHash: string
  readonly disabled: boolean
  readonly createdAt: number
  readonly lastUsedAt: number
}

/** What admin users and their tokens ask of a store. */
export interface AccountStore {
  /**
   * Keeps what a login makes in one commit: the user, unless there is one with that e-mail address, the token (whose
   * `userId` becomes that of the user), and the entry of the audit trail.
   */
  logIn(
    user: AdminUser,
    token: AdminToken,
    audit: (user: AdminUser) => AuditWrite,
  ): Promise<{ readonly user: AdminUser; readonly token: AdminToken }>
  /** A token with its user. */
  getAdminToken(id: string): Promise<{ readonly user: AdminUser; readonly token: AdminToken } | undefined>
  /** In the order of creation. */
  listAdminTokens(part: ListPosition): Promise<{ readonly user: AdminUser; readonly token: AdminToken }[]>
  /** False when there is no such token, or it is disabled already: then nothing is written. */
  disableAdminToken(id: string, audit: AuditWrite): Promise<boolean>
  /** Notes that a token was used. */
  touchAdminToken(id: string, at: number): Promise<void>
  /** Removes tokens that were not used since a time, at most `limit`; answers how many. */
  pruneAdminTokens(unusedSince: number, limit: number): Promise<number>
  /** The user as it is after the change; undefined when there is none. */
  setAdminTimezone(userId: string, timezone: string, audit: AuditWrite): Promise<AdminUser | undefined>
}
