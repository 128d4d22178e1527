import { DirectoryError } from '../../directory/errors.ts'
import type { GoogleScope } from '../client/oauth.ts'
import { missingScopes } from '../client/oauth.ts'
import type { TokenSet } from '../client/token-endpoint.ts'

/** Messages for the `error` parameter of Google's redirect. */
const consentErrors: ReadonlyMap<string, string> = new Map([
  ['access_denied', "Access was denied. Start again and allow it on Google's page."],
  [
    'admin_policy_enforced',
    'A policy of your Google Workspace blocks this app: trust it in the admin console under API controls, then start again.',
  ],
  ['org_internal', 'This app is limited to the organization that owns it: its operator must open it to others.'],
])

/** Quotes the error code only if it has a plain form, because it may come from anyone. */
export function consentDenied(error: string): DirectoryError {
  const name = /^[a-z_]{1,60}$/.test(error) ? `the error ${error}` : 'an unknown error'
  return authorizationFailed(consentErrors.get(error) ?? `Google returned ${name}: start again.`)
}

const scopeNames: Readonly<Record<GoogleScope, string>> = {
  'https://www.googleapis.com/auth/admin.directory.user.readonly': 'users',
  'https://www.googleapis.com/auth/admin.directory.group.readonly': 'groups',
  'https://www.googleapis.com/auth/admin.directory.group.member.readonly': 'group members',
}

/** @throws DirectoryError `authorization-failed` */
export function requireAllScopes({ scope }: Pick<TokenSet, 'scope'>): void {
  const missing = missingScopes(scope).map((name) => scopeNames[name])
  if (missing.length === 0) return
  throw authorizationFailed(
    `Not all access was granted: ${missing.join(', ')} cannot be read. Start again and leave every box checked.`,
  )
}

export function authorizationFailed(message: string): DirectoryError {
  return new DirectoryError('authorization-failed', message)
}
