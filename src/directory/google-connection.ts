import type { AuditedAction, ChangeDirectory } from './change-directory.ts'
import type { ChosenGroup, Directory, GoogleConnection, ServiceAccount } from './directory.ts'
import { DirectoryError, throwProblems } from './errors.ts'
import type { CreateDirectoryInput, UpdateDirectoryInput } from './inputs.ts'
import { readServiceAccount } from './service-account.ts'

/** Whether a directory has Google credentials, and whether an administrator must consent again. */
export type AuthorizationStatus = 'none' | 'authorized' | 'needs_authorization'

export function authorizationStatus(connection: GoogleConnection): AuthorizationStatus {
  const { authorizationNeeded, serviceAccount, accessToken, refreshToken } = connection
  if (authorizationNeeded !== undefined) return 'needs_authorization'
  return (serviceAccount ?? accessToken ?? refreshToken) === undefined ? 'none' : 'authorized'
}

type ExtdirFields = Pick<
  CreateDirectoryInput & UpdateDirectoryInput,
  | 'extdir_domain'
  | 'extdir_groups'
  | 'extdir_org_units'
  | 'extdir_access_token'
  | 'extdir_refresh_token'
  | 'extdir_service_account'
  | 'extdir_subject'
>

/**
 * The connection after an update: an omitted field keeps its value, null and "" remove it.
 *
 * @throws DirectoryError `invalid-input`
 */
export function changedGoogleConnection(fields: ExtdirFields, before: GoogleConnection | undefined): GoogleConnection {
  const { extdir_access_token: accessToken, extdir_refresh_token: refreshToken } = fields
  const hasTokens = accessToken !== undefined || refreshToken !== undefined
  const hasAccount = fields.extdir_service_account !== undefined || fields.extdir_subject !== undefined
  const hasCredentials = hasTokens || hasAccount
  return {
    ...before,
    ...(hasCredentials && { workspace: undefined, pending: undefined }),
    domain: changedText(fields.extdir_domain, before?.domain)?.toLowerCase(),
    groups: changedGroups(fields.extdir_groups, before?.groups),
    orgUnits: changedUnits(fields.extdir_org_units, before?.orgUnits),
    accessToken: changedText(accessToken, before?.accessToken),
    refreshToken: changedText(refreshToken, before?.refreshToken),
    accessTokenExpiresAt: hasTokens ? expiryAfter(fields, before) : before?.accessTokenExpiresAt,
    scope: hasTokens ? undefined : before?.scope,
    serviceAccount: changedServiceAccount(fields, before?.serviceAccount),
    authorizationNeeded: hasCredentials ? undefined : before?.authorizationNeeded,
  }
}

function changedText(value: string | null | undefined, before: string | undefined): string | undefined {
  return value === undefined ? before : value || undefined
}

/** Groups that stay chosen keep what syncs have found out about them. */
function changedGroups(
  keys: readonly string[] | null | undefined,
  before: readonly ChosenGroup[] | undefined,
): readonly ChosenGroup[] | undefined {
  if (keys === undefined) return before
  const chosen = new Set(keys?.map((key) => (key.includes('@') ? key.toLowerCase() : key)))
  if (chosen.size === 0) return undefined
  return Array.from(chosen, (key) => before?.find((known) => known.key === key) ?? { key })
}

function changedUnits(
  paths: readonly string[] | null | undefined,
  before: readonly string[] | undefined,
): readonly string[] | undefined {
  if (paths === undefined) return before
  const chosen = new Set(paths?.map((path) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)))
  return chosen.size === 0 ? undefined : [...chosen]
}

/** The restriction of a sync, without what syncs have found out about the groups. */
export function scopeOf({ domain, groups, orgUnits }: Pick<GoogleConnection, 'domain' | 'groups' | 'orgUnits'>) {
  return { domain, groups: groups?.map(({ key }) => key) ?? [], orgUnits: orgUnits ?? [] }
}

/** A sentence about chosen groups that were deleted in Google. */
export function goneGroupsText(keys: readonly string[]): string {
  return `Google Workspace no longer has the group ${keys.join(', ')}: remove it from the chosen groups, or choose another.`
}

/** An old access token may belong to another account than a new refresh token, so it counts as expired. */
function expiryAfter(
  { extdir_access_token: accessToken, extdir_refresh_token: refreshToken }: ExtdirFields,
  before: GoogleConnection | undefined,
) {
  const isKept = accessToken === undefined && before?.accessToken !== undefined
  return isKept && refreshToken && refreshToken !== before.refreshToken ? 0 : undefined
}

function changedServiceAccount(fields: ExtdirFields, before: ServiceAccount | undefined): ServiceAccount | undefined {
  const { extdir_service_account: keyFile, extdir_subject: givenSubject } = fields
  const file =
    keyFile === undefined ? { account: before, subject: undefined } : keyFile ? readServiceAccount(keyFile) : undefined
  const subject = changedText(givenSubject, file?.subject ?? before?.subject)
  if (file?.account === undefined) {
    if (givenSubject) rejectSubject('requires extdir_service_account.')
    return undefined
  }
  return subject === undefined
    ? rejectSubject('a service account requires the email address of the administrator that it acts as.')
    : { ...file.account, subject }
}

function rejectSubject(message: string): undefined {
  throwProblems([{ field: 'extdir_subject', message: `extdir_subject: ${message}` }])
}

/**
 * The Google Workspace connection of a directory.
 *
 * @throws DirectoryError `invalid-input` for a directory of another type
 */
export function googleConnectionOf({ google }: Directory): GoogleConnection {
  if (google !== undefined) return google
  throw new DirectoryError(
    'invalid-input',
    'This directory is not synced from Google Workspace: its type is not extdir.',
  )
}

/** Changes the connections of Google Workspace directories. */
export function createGoogleConnectionChange(change: ChangeDirectory) {
  return {
    /**
     * Applies a change to the current connection; nothing is written if it stays the same.
     *
     * @param by undefined for a token refresh, which leaves no audit entry
     * @throws DirectoryError `directory-not-found`, or `invalid-input` for a directory of another type
     */
    changeGoogleConnection(
      id: string,
      changed: (connection: GoogleConnection) => GoogleConnection,
      by?: AuditedAction,
    ): Promise<Directory> {
      const changedDirectory = (before: Directory) => {
        const google = changed(googleConnectionOf(before))
        return isSameConnection(google, before.google) ? before : { ...before, google }
      }
      return change(id, changedDirectory, by)
    },
  }
}

/** Returns whether both are stored as the same text. */
function isSameConnection(a: GoogleConnection, b: GoogleConnection | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
