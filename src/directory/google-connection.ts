import type { Directory, GoogleConnection, ServiceAccount } from './directory.ts'
import { DirectoryError, refuseProblems } from './errors.ts'
import type { CreateDirectoryInput, UpdateDirectoryInput } from './inputs.ts'
import { readServiceAccount } from './service-account.ts'

type ExtdirFields = Pick<
  CreateDirectoryInput & UpdateDirectoryInput,
  'extdir_domain' | 'extdir_access_token' | 'extdir_refresh_token' | 'extdir_service_account' | 'extdir_subject'
>

/**
 * How a directory is reached after these fields were set: one that is left out stays, null and "" take it away.
 *
 * @throws DirectoryError `invalid-input`
 */
export function changedGoogleConnection(fields: ExtdirFields, before: GoogleConnection | undefined): GoogleConnection {
  const { extdir_access_token: accessToken, extdir_refresh_token: refreshToken } = fields
  const hasTokens = accessToken !== undefined || refreshToken !== undefined
  const hasAccount = fields.extdir_service_account !== undefined || fields.extdir_subject !== undefined
  return {
    ...before,
    domain: picked(fields.extdir_domain, before?.domain)?.toLowerCase(),
    accessToken: picked(accessToken, before?.accessToken),
    refreshToken: picked(refreshToken, before?.refreshToken),
    accessTokenExpiresAt: hasTokens ? expiryAfter(fields, before) : before?.accessTokenExpiresAt,
    scope: hasTokens ? undefined : before?.scope,
    serviceAccount: changedServiceAccount(fields, before?.serviceAccount),
    authorizationNeeded: hasTokens || hasAccount ? undefined : before?.authorizationNeeded,
  }
}

function picked(given: string | null | undefined, kept: string | undefined): string | undefined {
  return given === undefined ? kept : given || undefined
}

/** An access token that stays beside a new refresh token may be of another account: it counts as expired. */
function expiryAfter(
  { extdir_access_token: accessToken, extdir_refresh_token: refreshToken }: ExtdirFields,
  before: GoogleConnection | undefined,
) {
  const isKept = accessToken === undefined && before?.accessToken !== undefined
  return isKept && refreshToken && refreshToken !== before.refreshToken ? 0 : undefined
}

function changedServiceAccount(fields: ExtdirFields, before: ServiceAccount | undefined): ServiceAccount | undefined {
  const { extdir_service_account: given, extdir_subject: givenSubject } = fields
  const file =
    given === undefined ? { account: before, subject: undefined } : given ? readServiceAccount(given) : undefined
  const subject = picked(givenSubject, file?.subject ?? before?.subject)
  if (file?.account === undefined) {
    if (givenSubject) refuseSubject('a subject needs an extdir_service_account beside it.')
    return undefined
  }
  return subject === undefined
    ? refuseSubject('a service account needs the e-mail address of the administrator that it acts as.')
    : { ...file.account, subject }
}

function refuseSubject(message: string): undefined {
  refuseProblems([{ field: 'extdir_subject', message: `extdir_subject: ${message}` }])
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
