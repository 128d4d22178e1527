import type { Caller } from '../../directory/audit.ts'
import type { AuditedAction } from '../../directory/change-directory.ts'
import type { Directories } from '../../directory/directories.ts'
import type { Directory, GoogleConnection } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { googleConnectionOf } from '../../directory/google-connection.ts'
import { parseInput } from '../../directory/inputs.ts'
import { newSecret } from '../../directory/secret.ts'
import type { GoogleAccount } from '../client/account.ts'
import { GoogleFailure } from '../client/failure.ts'
import type { GoogleOAuth } from '../client/oauth.ts'
import type { TokenSet } from '../client/token-endpoint.ts'
import type { GoogleStore } from '../google-store.ts'
import type { Grant } from './connection.ts'
import {
  approved,
  connectedWith,
  consentsOf,
  countConsent,
  replacementReason,
  withoutServiceAccount,
  withPending,
} from './connection.ts'
import { authorizationFailed, consentDenied, requireAllScopes } from './consent-errors.ts'
import { BeginInput, CallbackInput, CodeInput, LinkInput, TokenInput } from './inputs.ts'
import { linkExpiry, openLink, signLink } from './link.ts'
import type { AuthorizationState } from './state.ts'
import {
  codeChallengeOf,
  invalidState,
  openState,
  readableState,
  requireBrowser,
  sealState,
  stateLifeMs,
} from './state.ts'

export interface AuthorizationParts {
  readonly store: Pick<GoogleStore, 'spendAuthorization' | 'keepAuthorization' | 'takeAuthorization'>
  readonly directories: Pick<Directories, 'get' | 'changeGoogleConnection'>
  /** Undefined if no OAuth client is configured. */
  readonly oauth: GoogleOAuth | undefined
  /** Reads the Workspace that an access token belongs to, and whether a domain is part of it. */
  readonly accountOf: (accessToken: string, domain: string | undefined) => Promise<GoogleAccount>
  /** The same for the current credentials of a directory. */
  readonly connectedAccount: (directoryId: string) => Promise<GoogleAccount>
  /** The key of states and authorization URLs: 32 bytes in base64url, the same in every process. */
  readonly key: string
  /** The public address of the service, without a trailing slash. */
  readonly externalUrl: () => string
  readonly clock: () => number
  readonly newId: () => string
  /** Called when a directory is connected by a consent, or by the approval of one. Never rejects. */
  readonly onConnected: (directory: Directory, caller: Caller) => Promise<void>
}

/** The path that Google redirects administrators to. */
export const callbackPath = '/api/scim/oauth/callback'
/** The path that administrators open. */
export const authorizePath = '/api/scim/oauth/authorize'

/** Connects directories to Google Workspace with the consent of an administrator. */
export type Authorization = ReturnType<typeof createAuthorization>

/**
 * Every function may throw DirectoryError `invalid-input`, `directory-not-found` and `not-configured`; those that
 * follow Google's redirect also `authorization-failed`.
 */
export function createAuthorization(parts: AuthorizationParts) {
  return {
    /** Whether there is an OAuth client, without which only service accounts connect. */
    isConfigured: parts.oauth !== undefined,
    /** Stores tokens that the product obtained on its own. */
    async setToken(input: unknown, caller: Caller): Promise<Directory> {
      const { directoryId, expiryDate: accessTokenExpiresAt, ...tokens } = parseInput(TokenInput, input)
      const changed = (before: GoogleConnection) =>
        connectedWith(before, { ...tokens, scope: tokens.scope, accessTokenExpiresAt }, undefined)
      return parts.directories.changeGoogleConnection(directoryId, changed, { action: 'directory.connected', caller })
    },
    /**
     * Starts an authorization and remembers it, so that `getAccessToken` works without a state.
     *
     * @param productPath the path that Google redirects to, where the product reads the directory from the state; by default
     *   that of this service
     */
    async generateAuthorizationUrl(
      input: unknown,
      productPath?: string,
    ): Promise<{ readonly authorizationUrl: string }> {
      const { directoryId } = parseInput(BeginInput, input)
      const { authorizationUrl, state, expiresAt } = await begin(parts, directoryId, { productPath })
      await parts.store.keepAuthorization(directoryId, state, expiresAt)
      return { authorizationUrl }
    },
    /** The URL that an administrator opens, until it expires or one consent is completed. */
    async authorizationLink(directoryId: string): Promise<{ readonly url: string; readonly expiresAt: number }> {
      configured(parts.oauth)
      return linkTo(parts, directoryId, await readConnection(parts, directoryId))
    },
    /** The same for displaying a directory; empty unless it is synced from Google Workspace. */
    shownLink: ({ id, google }: Directory): string => (google === undefined ? '' : linkTo(parts, id, google).url),
    /**
     * Starts the authorization of an opened URL and stores nothing: the URL is the only credential of the caller.
     *
     * @param browser the value that an earlier call returned for this browser
     */
    async authorizationUrlFor(input: unknown, browser = newSecret()): Promise<BrowserAuthorization> {
      const { token } = parseInput(LinkInput, input)
      configured(parts.oauth)
      const { directoryId, consents } = openLink(token, parts.key, parts.clock())
      const { authorizationUrl } = await begin(parts, directoryId, { consents, browser })
      return { authorizationUrl, browser }
    },
    /** Exchanges a code for tokens without storing them. */
    getAccessToken: (input: unknown) => getAccessToken(parts, input),
    /**
     * Completes an authorization with the query parameters of Google's redirect.
     *
     * @throws DirectoryError also `forbidden`: see `requireBrowser`
     */
    completeAuthorization: (input: unknown, caller: Caller, browser?: string) =>
      completeAuthorization(parts, input, caller, browser),
    /**
     * Connects a directory with the Workspace that waits for approval.
     *
     * @throws DirectoryError also `not-held`
     */
    async approveConnection(directoryId: string, caller: Caller): Promise<Directory> {
      const by = { action: 'directory.connection_approved', caller } as const
      const directory = await parts.directories.changeGoogleConnection(directoryId, approved, by)
      await parts.onConnected(directory, caller)
      return directory
    },
  }
}

function linkTo({ key, clock, externalUrl }: AuthorizationParts, directoryId: string, connection: GoogleConnection) {
  const expiresAt = linkExpiry(clock())
  const token = signLink({ directoryId, consents: consentsOf(connection), expiresAt }, key)
  return { url: `${externalUrl()}${authorizePath}?token=${token}`, expiresAt }
}

/** An authorization that an administrator began. */
export interface BrowserAuthorization {
  /** The page on which Google asks for consent. */
  readonly authorizationUrl: string
  /** The value that the browser must keep, and send when it comes back. */
  readonly browser: string
}

/** An opened URL and the browser that opened it, or a product, which needs neither. */
type Beginning =
  | { readonly consents: number; readonly browser: string; readonly productPath?: undefined }
  | { readonly productPath: string | undefined; readonly consents?: undefined; readonly browser?: undefined }

async function begin(
  parts: AuthorizationParts,
  directoryId: string,
  { consents: opened, browser, productPath }: Beginning,
) {
  const oauth = configured(parts.oauth)
  const connection = await readConnection(parts, directoryId)
  if (opened !== undefined) rejectUsed(connection, opened, 'token')
  const expiresAt = parts.clock() + stateLifeMs
  const codeVerifier = newSecret()
  const content = { id: parts.newId(), directoryId, codeVerifier, consents: consentsOf(connection), expiresAt }
  const sealed = await sealState({ ...content, browser, callbackPath: productPath }, parts.key)
  const state = productPath === undefined ? sealed : readableState(directoryId, sealed)
  const { domain } = connection
  const codeChallenge = codeChallengeOf(codeVerifier)
  const authorizationUrl = oauth.authorizationUrl({
    ...{ redirectUri: redirectUri(parts, productPath), state, codeChallenge, domain },
  })
  return { authorizationUrl, state, expiresAt }
}

async function getAccessToken(parts: AuthorizationParts, input: unknown): Promise<TokenSet> {
  const { directoryId, code, state } = parseInput(CodeInput, input)
  const oauth = configured(parts.oauth)
  await readConnection(parts, directoryId)
  const sealed = state ?? (await takeLastState(parts, directoryId))
  const opened = await openState(sealed, parts.key, parts.clock())
  if (opened.directoryId !== directoryId) throw invalidState('This state belongs to another directory.')
  await spendState(parts, opened)
  return exchange(parts, oauth, code, opened)
}

/** The directory after a consent; `pending` if the consent waits for approval. */
export interface Completed {
  readonly directory: Directory
  readonly outcome: 'connected' | 'pending'
}

async function completeAuthorization(
  parts: AuthorizationParts,
  input: unknown,
  caller: Caller,
  browser: string | undefined,
): Promise<Completed> {
  const { state: sealed, code, error } = parseInput(CallbackInput, input)
  const oauth = configured(parts.oauth)
  const state = await openState(sealed, parts.key, parts.clock())
  requireBrowser(state, browser)
  await spendState(parts, state)
  const before = await readConnection(parts, state.directoryId)
  rejectUsed(before, state.consents, 'state')
  if (error !== undefined || code === undefined) throw consentDenied(error ?? '')
  const tokens = await exchange(parts, oauth, code, state)
  if (tokens.refresh_token === undefined) {
    throw authorizationFailed(
      'Google gave access for one hour only (no refresh token): nothing was stored. Start again.',
    )
  }
  const { access_token: accessToken, refresh_token: refreshToken, expiry_date: accessTokenExpiresAt, scope } = tokens
  const account = await accountOfConsent(parts, accessToken, state.directoryId, before)
  return storeConsent(parts, state, { accessToken, refreshToken, accessTokenExpiresAt, scope }, account, {
    before,
    caller,
  })
}

interface ConsentAccount {
  readonly workspace: string | undefined
  /** The reason why the consent must be approved. */
  readonly reason: string | undefined
}

/** Compares the account that consented with the domain and the Workspace of the directory. */
async function accountOfConsent(
  { accountOf, connectedAccount }: AuthorizationParts,
  accessToken: string,
  directoryId: string,
  before: GoogleConnection,
): Promise<ConsentAccount> {
  const { domain, workspace, refreshToken = before.accessToken } = before
  const unknown = () => 'unknown' as const
  const readConnected = () => connectedAccount(directoryId).then((now) => now.workspace ?? unknown(), unknown)
  const connected = workspace ?? (refreshToken === undefined ? 'none' : await readConnected())
  const mustCompare = domain !== undefined || connected !== 'none'
  try {
    const account = await accountOf(accessToken, domain)
    return { workspace: account.workspace, reason: replacementReason(account, connected, domain) }
  } catch (error) {
    if (!(error instanceof GoogleFailure)) throw error
    if (mustCompare) throw authorizationFailed(`${error.message} Nothing was stored: start again.`)
    return { workspace: undefined, reason: undefined }
  }
}

/** Stores a consent, unless another one was completed or the domain was changed in the meantime. */
async function storeConsent(
  { directories, onConnected }: AuthorizationParts,
  { directoryId, consents }: AuthorizationState,
  grant: Grant,
  { workspace, reason }: ConsentAccount,
  { before, caller }: { readonly before: GoogleConnection; readonly caller: Caller },
): Promise<Completed> {
  const by: AuditedAction = {
    action: reason === undefined ? 'directory.connected' : 'directory.connection_requested',
    caller,
  }
  const changed = (now: GoogleConnection) => {
    rejectUsed(now, consents, 'state')
    if (now.domain !== before.domain || now.workspace !== before.workspace) throw usedLink('state')
    return countConsent(
      reason === undefined ? connectedWith(now, grant, workspace) : withPending(now, { ...grant, workspace, reason }),
    )
  }
  const directory = await directories.changeGoogleConnection(directoryId, changed, by)
  if (reason !== undefined) return { directory, outcome: 'pending' }
  await onConnected(directory, caller)
  return { directory, outcome: 'connected' }
}

const redirectUri = ({ externalUrl }: AuthorizationParts, path: string | undefined) =>
  externalUrl() + (path ?? callbackPath)

async function readConnection({ directories }: AuthorizationParts, directoryId: string): Promise<GoogleConnection> {
  return withoutServiceAccount(googleConnectionOf(await directories.get(directoryId)))
}

/** Rejects a link or state from before the last completed consent. */
function rejectUsed(connection: GoogleConnection, consents: number, field: 'token' | 'state'): void {
  if (consentsOf(connection) !== consents) throw usedLink(field)
}

function usedLink(field: 'token' | 'state'): DirectoryError {
  return invalidState('This link has already been used: ask for a new one.', field)
}

/** Marks a state as used. */
async function spendState({ store, clock }: AuthorizationParts, state: AuthorizationState): Promise<void> {
  // Kept longer than the state is valid, because the clocks of processes differ.
  const isFirst = await store.spendAuthorization(state.id, state.expiresAt + stateLifeMs, clock())
  if (!isFirst) throw invalidState('This link has already been used: start the authorization again.')
}

async function takeLastState({ store, clock }: AuthorizationParts, directoryId: string): Promise<string> {
  const state = await store.takeAuthorization(directoryId, clock())
  if (state !== undefined) return state
  throw invalidState('No authorization was started for this directory, or it has expired: generate a new URL.')
}

/** @throws DirectoryError `authorization-failed` also if not all scopes were granted */
async function exchange(
  parts: AuthorizationParts,
  oauth: GoogleOAuth,
  code: string,
  { codeVerifier, callbackPath: path }: AuthorizationState,
): Promise<TokenSet> {
  try {
    const tokens = await oauth.exchange({ code, redirectUri: redirectUri(parts, path), codeVerifier })
    requireAllScopes(tokens)
    return tokens
  } catch (error) {
    throw error instanceof GoogleFailure ? authorizationFailed(error.message) : error
  }
}

function configured(oauth: GoogleOAuth | undefined): GoogleOAuth {
  if (oauth !== undefined) return oauth
  const names = 'DSYNC_EXTDIR_CLIENT_ID and DSYNC_EXTDIR_CLIENT_SECRET'
  throw new DirectoryError('not-configured', `Google Workspace is not set up here: the operator must set ${names}.`)
}
