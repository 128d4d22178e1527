import type { Caller } from '../../directory/audit.ts'
import type { Directories } from '../../directory/directories.ts'
import type { Directory, GoogleConnection } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { googleConnectionOf } from '../../directory/google-connection.ts'
import { parseInput } from '../../directory/inputs.ts'
import { newSecret } from '../../directory/secret.ts'
import { GoogleFailure } from '../client/failure.ts'
import type { GoogleOAuth, GoogleScope } from '../client/oauth.ts'
import { missingScopes } from '../client/oauth.ts'
import type { TokenSet } from '../client/token-endpoint.ts'
import type { GoogleStore } from '../store.ts'
import { BeginInput, CallbackInput, CodeInput, TokenInput } from './inputs.ts'
import type { AuthorizationState } from './state.ts'
import { codeChallengeOf, createStateKey, invalidState, openState, sealState, stateLifeMs } from './state.ts'

export interface AuthorizationParts {
  readonly store: Pick<
    GoogleStore,
    'spendAuthorization' | 'keepAuthorization' | 'takeAuthorization' | 'getOrCreateSecret'
  >
  readonly directories: Pick<Directories, 'get' | 'changeGoogleConnection'>
  /** Undefined if no OAuth client is configured. */
  readonly oauth: GoogleOAuth | undefined
  /** The public address of the service, without a trailing slash. */
  readonly externalUrl: () => string
  readonly clock: () => number
  readonly newId: () => string
}

interface Context extends AuthorizationParts {
  readonly stateKey: () => Promise<string>
}

/** Where Google redirects administrators to, below the address of the service. */
export const callbackPath = '/api/scim/oauth/callback'

/** Connects directories to Google Workspace with the consent of an administrator. */
export type Authorization = ReturnType<typeof createAuthorization>

/**
 * Every function may throw DirectoryError `invalid-input`, `directory-not-found` and `not-configured`; those that follow
 * Google's redirect also `authorization-failed`.
 */
export function createAuthorization(parts: AuthorizationParts) {
  const context: Context = { ...parts, stateKey: createStateKey(parts.store) }
  return {
    /** Stores tokens that the product obtained on its own. */
    async setToken(input: unknown, caller: Caller): Promise<Directory> {
      return storeTokens(context, parseInput(TokenInput, input), caller)
    },
    /** Starts an authorization and remembers it, so that `getAccessToken` works without a state. */
    async generateAuthorizationUrl(input: unknown): Promise<{ readonly authorizationUrl: string }> {
      const { directoryId, authorizationUrl, state, expiresAt } = await begin(context, input)
      await parts.store.keepAuthorization(directoryId, state, expiresAt)
      return { authorizationUrl }
    },
    /** Starts an authorization and stores nothing, because the caller is not authenticated. */
    async authorizationUrlFor(input: unknown): Promise<string> {
      return (await begin(context, input)).authorizationUrl
    },
    /** Exchanges a code for tokens without storing them. */
    getAccessToken: (input: unknown) => getAccessToken(context, input),
    /** Completes an authorization with the query parameters of Google's redirect, and stores the tokens. */
    completeAuthorization: (input: unknown, caller: Caller) => completeAuthorization(context, input, caller),
  }
}

async function begin(context: Context, input: unknown) {
  const { directoryId } = parseInput(BeginInput, input)
  const oauth = configured(context.oauth)
  const { domain } = await readConnection(context, directoryId)
  const expiresAt = context.clock() + stateLifeMs
  const codeVerifier = newSecret()
  const state = await sealState({ id: context.newId(), directoryId, codeVerifier, expiresAt }, await context.stateKey())
  const codeChallenge = codeChallengeOf(codeVerifier)
  const authorizationUrl = oauth.authorizationUrl({ redirectUri: redirectUri(context), state, codeChallenge, domain })
  return { directoryId, authorizationUrl, state, expiresAt }
}

async function getAccessToken(context: Context, input: unknown): Promise<TokenSet> {
  const { directoryId, code, state } = parseInput(CodeInput, input)
  const oauth = configured(context.oauth)
  await readConnection(context, directoryId)
  const sealed = state ?? (await takeLastState(context, directoryId))
  return exchange(context, oauth, code, await spendState(context, sealed, directoryId))
}

async function completeAuthorization(context: Context, input: unknown, caller: Caller): Promise<Directory> {
  const { state: sealed, code, error } = parseInput(CallbackInput, input)
  const oauth = configured(context.oauth)
  const state = await spendState(context, sealed)
  const { directoryId } = state
  await readConnection(context, directoryId)
  if (error !== undefined || code === undefined) throw consentDenied(error ?? '')
  const tokens = await exchange(context, oauth, code, state)
  if (tokens.refresh_token === undefined) {
    throw authorizationFailed(
      'Google gave access for one hour only (no refresh token): nothing was stored. Start again.',
    )
  }
  const { access_token: accessToken, refresh_token: refreshToken, expiry_date: expiryDate, scope } = tokens
  return storeTokens(context, { directoryId, accessToken, refreshToken, expiryDate, scope }, caller)
}

const redirectUri = ({ externalUrl }: Context) => externalUrl() + callbackPath

async function readConnection({ directories }: Context, directoryId: string): Promise<GoogleConnection> {
  return withoutServiceAccount(googleConnectionOf(await directories.get(directoryId)))
}

/** Opens a state and marks it as used. */
async function spendState(context: Context, sealed: string, directoryId?: string): Promise<AuthorizationState> {
  const { store, clock } = context
  const state = await openState(sealed, await context.stateKey(), clock())
  if (directoryId !== undefined && state.directoryId !== directoryId) {
    throw invalidState('This state belongs to another directory.')
  }
  // Remembered for longer than the state is valid, because the clocks of processes differ.
  const isFirst = await store.spendAuthorization(state.id, state.expiresAt + stateLifeMs, clock())
  if (!isFirst) throw invalidState('This link was already used: start the authorization again.')
  return state
}

async function takeLastState({ store, clock }: Context, directoryId: string): Promise<string> {
  const state = await store.takeAuthorization(directoryId, clock())
  if (state !== undefined) return state
  throw invalidState('No authorization was started for this directory, or it has expired: generate a new URL.')
}

/** @throws DirectoryError `authorization-failed` also if not all scopes were granted */
async function exchange(
  context: Context,
  oauth: GoogleOAuth,
  code: string,
  { codeVerifier }: AuthorizationState,
): Promise<TokenSet> {
  try {
    const tokens = await oauth.exchange({ code, redirectUri: redirectUri(context), codeVerifier })
    requireAllScopes(tokens)
    return tokens
  } catch (error) {
    throw error instanceof GoogleFailure ? authorizationFailed(error.message) : error
  }
}

/** Stores tokens, which also ends the need for an authorization. */
function storeTokens({ directories }: Context, tokens: TokenInput, caller: Caller): Promise<Directory> {
  const { directoryId, accessToken, refreshToken, expiryDate, scope } = tokens
  const changed = (before: GoogleConnection): GoogleConnection => ({
    ...withoutServiceAccount(before),
    accessToken,
    refreshToken,
    accessTokenExpiresAt: expiryDate,
    scope,
    authorizationNeeded: undefined,
  })
  return directories.changeGoogleConnection(directoryId, changed, caller)
}

/** Rejects a directory with a service account: it takes precedence, so tokens would never be used. */
function withoutServiceAccount(google: GoogleConnection): GoogleConnection {
  if (google.serviceAccount === undefined) return google
  throw new DirectoryError(
    'invalid-input',
    'This directory uses a service account: remove it (extdir_service_account: null) to use consent.',
  )
}

function configured(oauth: GoogleOAuth | undefined): GoogleOAuth {
  if (oauth !== undefined) return oauth
  const names = 'DSYNC_EXTDIR_CLIENT_ID and DSYNC_EXTDIR_CLIENT_SECRET'
  throw new DirectoryError('not-configured', `Google Workspace is not set up here: the operator must set ${names}.`)
}

/** Messages for the `error` parameter of Google's redirect. */
const consentErrors: ReadonlyMap<string, string> = new Map([
  ['access_denied', "Access was denied. Start again and allow it on Google's page."],
  [
    'admin_policy_enforced',
    'A policy of your Google Workspace blocks this app: trust it in the admin console under API controls, then start again.',
  ],
  ['org_internal', 'This app is limited to the organization that owns it: its operator must open it to others.'],
])

/** The error code may come from anyone, so only a plain one is quoted. */
function consentDenied(error: string): DirectoryError {
  const name = /^[a-z_]{1,60}$/.test(error) ? `the error ${error}` : 'an unknown error'
  return authorizationFailed(consentErrors.get(error) ?? `Google returned ${name}: start again.`)
}

const scopeNames: Readonly<Record<GoogleScope, string>> = {
  'https://www.googleapis.com/auth/admin.directory.user.readonly': 'users',
  'https://www.googleapis.com/auth/admin.directory.group.readonly': 'groups',
  'https://www.googleapis.com/auth/admin.directory.group.member.readonly': 'group members',
}

function requireAllScopes({ scope }: Pick<TokenSet, 'scope'>): void {
  const missing = missingScopes(scope).map((name) => scopeNames[name])
  if (missing.length === 0) return
  throw authorizationFailed(
    `Not all access was granted: ${missing.join(', ')} cannot be read. Start again and leave every box checked.`,
  )
}

function authorizationFailed(message: string): DirectoryError {
  return new DirectoryError('authorization-failed', message)
}
