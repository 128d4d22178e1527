import type { Caller } from '../../directory/audit.ts'
import type { Directories } from '../../directory/directories.ts'
import type { Directory, GoogleConnection } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { googleConnectionOf } from '../../directory/google-connection.ts'
import { parseInput } from '../../directory/inputs.ts'
import { newSecret } from '../../directory/secret.ts'
import type { GoogleOAuth, TokenSet } from '../client/token-set.ts'
import type { ExtdirStore } from '../store.ts'
import { BeginInput, CallbackInput, CodeInput, TokenInput } from './inputs.ts'
import { codeChallengeOf } from './pkce.ts'
import { denied, failed, refuseGoogleFailure, refusePartialGrant } from './refusals.ts'
import type { AuthorizationState } from './state.ts'
import { badState, openState, sealState, stateLifeMs } from './state.ts'

/** What authorizations ask of a store. */
export interface AuthorizationStore
  extends Pick<ExtdirStore, 'spendAuthorization' | 'keepAuthorization' | 'takeAuthorization'> {
  /** The secret of a name: `candidate` when there was none, which is then kept (encrypted). */
  getOrCreateSecret(name: 'authorization-state', candidate: string): Promise<string>
}

export interface AuthorizationParts {
  readonly store: AuthorizationStore
  readonly directories: Pick<Directories, 'get' | 'changeGoogleConnection'>
  /** Undefined when no OAuth client is configured. */
  readonly oauth: GoogleOAuth | undefined
  /** Where others reach the service, without a slash at the end. */
  readonly externalUrl: () => string
  readonly clock: () => number
  readonly newId: () => string
}

/** Where Google sends administrators back to, below the service's address. */
export const callbackPath = '/api/scim/oauth/callback'

/** Connects directories with Google Workspace by the consent of an administrator. */
export type Authorization = ReturnType<typeof createAuthorization>

/**
 * Makes the authorization of directories. All of it may throw DirectoryError `invalid-input`, `directory-not-found`,
 * `not-configured` and, once Google is back, `authorization-failed`.
 */
export function createAuthorization(parts: AuthorizationParts) {
  const { store, directories, externalUrl, clock, newId } = parts
  const redirectUri = () => externalUrl() + callbackPath
  let key: Promise<string> | undefined

  /** What states are sealed with; it is the same in every process. */
  function stateKey(): Promise<string> {
    key ??= store.getOrCreateSecret('authorization-state', newSecret()).catch((error: unknown) => {
      key = undefined
      throw error
    })
    return key
  }

  async function read(directoryId: string): Promise<GoogleConnection> {
    return consentable(googleConnectionOf(await directories.get(directoryId)))
  }

  async function begin(input: unknown) {
    const { directoryId } = parseInput(BeginInput, input)
    const oauth = configured(parts.oauth)
    const { domain } = await read(directoryId)
    const expiresAt = clock() + stateLifeMs
    const codeVerifier = newSecret()
    const state = await sealState({ id: newId(), directoryId, codeVerifier, expiresAt }, await stateKey())
    const codeChallenge = codeChallengeOf(codeVerifier)
    const authorizationUrl = oauth.authorizationUrl({ redirectUri: redirectUri(), state, codeChallenge, domain })
    return { directoryId, authorizationUrl, state, expiresAt }
  }

  /** Opens a state and marks it as used. */
  async function spend(text: string, directoryId?: string): Promise<AuthorizationState> {
    const state = await openState(text, await stateKey(), clock())
    if (directoryId !== undefined && state.directoryId !== directoryId) {
      throw badState('This state is of another directory.')
    }
    // The clocks of processes differ: what was used is remembered for longer than any of them takes it.
    const isFirst = await store.spendAuthorization(state.id, state.expiresAt + stateLifeMs, clock())
    if (!isFirst) throw badState('This link has been used: start the authorization again.')
    return state
  }

  async function exchange(oauth: GoogleOAuth, code: string, { codeVerifier }: AuthorizationState): Promise<TokenSet> {
    const grant = { code, redirectUri: redirectUri(), codeVerifier }
    const tokens = await oauth.exchange(grant).catch(refuseGoogleFailure)
    refusePartialGrant(tokens)
    return tokens
  }

  /** The state that the caller gives, or that of the authorization which was begun last. */
  async function stateOf(directoryId: string, given: string | undefined): Promise<string> {
    const state = given ?? (await store.takeAuthorization(directoryId, clock()))
    if (state !== undefined) return state
    throw badState('No authorization is under way for this directory, or it has expired: generate a new address.')
  }

  /** Stores tokens; a directory that needed authorization has it now. */
  function keep(tokens: TokenInput, caller: Caller): Promise<Directory> {
    const { directoryId, accessToken, refreshToken, expiryDate, scope } = tokens
    const changed = (before: GoogleConnection): GoogleConnection => ({
      ...consentable(before),
      accessToken,
      refreshToken,
      accessTokenExpiresAt: expiryDate,
      scope,
      authorizationNeeded: undefined,
    })
    return directories.changeGoogleConnection(directoryId, changed, caller)
  }

  return {
    /** Stores tokens that the product has got by itself. */
    async setToken(input: unknown, caller: Caller): Promise<Directory> {
      return keep(parseInput(TokenInput, input), caller)
    },
    /** Begins an authorization, and keeps it for a `getAccessToken` that comes without a state. */
    async generateAuthorizationUrl(input: unknown): Promise<{ readonly authorizationUrl: string }> {
      const { directoryId, authorizationUrl, state, expiresAt } = await begin(input)
      await store.keepAuthorization(directoryId, state, expiresAt)
      return { authorizationUrl }
    },
    /** Begins an authorization and stores nothing, as anybody may ask for that. */
    async authorizationUrlFor(input: unknown): Promise<string> {
      return (await begin(input)).authorizationUrl
    },
    /** Changes a code into tokens, which are not stored. */
    async getAccessToken(input: unknown): Promise<TokenSet> {
      const { directoryId, code, state } = parseInput(CodeInput, input)
      const oauth = configured(parts.oauth)
      await read(directoryId)
      return exchange(oauth, code, await spend(await stateOf(directoryId, state), directoryId))
    },
    /** Ends an authorization with what Google's redirect brings; the tokens are stored. */
    async completeAuthorization(input: unknown, caller: Caller): Promise<Directory> {
      const { state: text, code, error } = parseInput(CallbackInput, input)
      const oauth = configured(parts.oauth)
      const state = await spend(text)
      const { directoryId } = state
      await read(directoryId)
      if (error !== undefined || code === undefined) throw denied(error ?? '')
      const tokens = await exchange(oauth, code, state)
      if (tokens.refresh_token === undefined) {
        throw failed('Google gave access for an hour only (no refresh token): nothing was stored. Start again.')
      }
      const { access_token: accessToken, refresh_token: refreshToken, expiry_date: expiryDate, scope } = tokens
      return keep({ directoryId, accessToken, refreshToken, expiryDate, scope }, caller)
    },
  }
}

/** Refuses a directory that has a service account: that goes before tokens, which would be of no use. */
function consentable(extdir: GoogleConnection): GoogleConnection {
  if (extdir.serviceAccount === undefined) return extdir
  throw new DirectoryError(
    'invalid-input',
    'This directory is reached by a service account: take that away (extdir_service_account: null) to use consent.',
  )
}

function configured(oauth: GoogleOAuth | undefined): GoogleOAuth {
  if (oauth !== undefined) return oauth
  const names = 'DSYNC_EXTDIR_CLIENT_ID and DSYNC_EXTDIR_CLIENT_SECRET'
  throw new DirectoryError('not-configured', `Google Workspace is not set up here: the operator must set ${names}.`)
}
