import { DirectoryError } from '../../directory/errors.ts'
import { GoogleFailure } from '../client/failure.ts'
import { missingScopes } from '../client/parse-token-set.ts'
import type { GoogleScope } from '../client/scopes.ts'
import type { TokenSet } from '../client/token-set.ts'

/** Why Google sent an administrator back without a code. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['access_denied', 'Access was not granted. Start again, and allow it on the page of Google.'],
  [
    'admin_policy_enforced',
    'A policy of your Google Workspace blocks this app: let it be trusted in the admin console under API controls, then start again.',
  ],
  ['org_internal', 'This app is limited to the organisation that runs it: its operator must open it to others.'],
])

/** Refuses an authorization for what Google, or whoever called, gave as the error. */
export function denied(error: string): DirectoryError {
  const name = /^[a-z_]{1,60}$/.test(error) ? `the error ${error}` : 'an error that it did not explain'
  return failed(reasons.get(error) ?? `Google came back with ${name}: start again.`)
}

const names: Readonly<Record<GoogleScope, string>> = {
  'https://www.googleapis.com/auth/admin.directory.user.readonly': 'users',
  'https://www.googleapis.com/auth/admin.directory.group.readonly': 'groups',
  'https://www.googleapis.com/auth/admin.directory.group.member.readonly': 'group members',
}

/** @throws DirectoryError `authorization-failed` when less was granted than was asked for */
export function refusePartialGrant({ scope }: Pick<TokenSet, 'scope'>): void {
  const missing = missingScopes(scope).map((name) => names[name])
  if (missing.length === 0) return
  throw failed(
    `Not all access was granted: ${missing.join(', ')} cannot be read. Start again and leave every box ticked.`,
  )
}

/** Makes an answer of Google that no caller can do anything about a refusal; any other error is thrown on. */
export function refuseGoogleFailure(error: unknown): never {
  throw error instanceof GoogleFailure ? failed(error.message) : error
}

/** Refuses an authorization. */
export function failed(message: string): DirectoryError {
  return new DirectoryError('authorization-failed', message)
}
