import { hash } from 'node:crypto'
import type { CallerOrigin } from '../../directory/audit.ts'
import { DirectoryError, tooMany } from '../../directory/errors.ts'
import { parseInput } from '../../directory/inputs.ts'
import { newSecret } from '../../directory/secret.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { Admins } from '../accounts/admins.ts'
import type { FailureRates } from '../accounts/failure-limit.ts'
import { createFailureLimit } from '../accounts/failure-limit.ts'
import type { AdminStore } from '../admin-store.ts'
import type { Audit } from '../audit/audit.ts'
import type { ConfiguredKeys, KeyFinder } from '../keys/find-key.ts'
import type { AdminLog } from '../last-use.ts'
import type { IdentityProvider, ProviderSettings } from '../oidc/identity-provider.ts'
import { createIdentityProvider } from '../oidc/identity-provider.ts'
import type { KeySessions } from './key-sessions.ts'
import { createKeySessions } from './key-sessions.ts'
import type { ConsoleSessionStore, SessionHolder } from './session-store.ts'
import type { SignedIn } from './sessions.ts'
import { createConsoleSessions } from './sessions.ts'
import { createSignInCodes } from './sign-in-codes.ts'

export interface ConsoleAccessParts {
  readonly store: ConsoleSessionStore & AdminStore
  readonly configured: Pick<ConfiguredKeys, 'named'>
  readonly findKey: KeyFinder['findKey']
  readonly findKeyById: KeyFinder['findKeyById']
  readonly admins: Admins | undefined
  readonly identityProvider?: ProviderSettings | undefined
  readonly audit: Audit
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly log: AdminLog
  readonly failureLimit?: FailureRates | undefined
}

/** `POST /console/session`: an API key, the login of an admin, or the code of a sign-in link. */
export const SignInInput = Type.Object({
  api_key: Type.Optional(Type.String({ description: 'api_key: text.', minLength: 1, maxLength: 1000 })),
  email: Type.Optional(Type.String({ description: 'email: an email address.', minLength: 1, maxLength: 320 })),
  root_token: Type.Optional(Type.String({ description: 'root_token: text.', minLength: 1, maxLength: 4000 })),
  code: Type.Optional(Type.String({ description: 'code: the code of a sign-in link.', minLength: 1, maxLength: 200 })),
})

/** Signing in to the console, and signing out. */
export interface ConsoleAccess {
  /**
   * Begins a session; returns the value of its cookie.
   *
   * @throws DirectoryError `invalid-input`, `unauthorized`, `too-many-attempts`
   */
  signIn(input: unknown, origin: CallerOrigin): Promise<string>
  /** The holder of the session with this cookie; undefined if there is none. */
  find(token: string, origin: CallerOrigin): Promise<SignedIn | undefined>
  readonly identityProvider: IdentityProvider | undefined
  /** Ends a session, and the admin token that was made for it. */
  signOut(token: string, origin: CallerOrigin): Promise<void>
  /** The sessions of API keys: see `KeySessions`. */
  readonly keySessions: KeySessions
  /** A code that signs in as the first configured API key: once, within ten minutes, in this process. */
  createCode(): string
  /** Whether the admin API is on. */
  readonly hasAdmins: boolean
  close(): Promise<void>
}

export async function openConsoleAccess(parts: ConsoleAccessParts): Promise<ConsoleAccess> {
  const { store, admins, audit, clock } = parts
  const hashingKey = await store.getOrCreateSecret('console-sessions', newSecret())
  const { issuer = '', clientId = '', administrators = [] } = parts.identityProvider ?? {}
  /** Stands for an entry in a session, which ends when the entry or the identity provider leaves the settings. */
  const grantFor = (entry: string) => hash('sha256', JSON.stringify([hashingKey, entry, issuer, clientId]), 'base64url')
  const grants = new Set(administrators.map(grantFor))
  const sessions = createConsoleSessions({ ...parts, hashingKey, isGranted: (grant) => grants.has(grant) })
  const codes = createSignInCodes(clock)
  const limit = createFailureLimit(clock, parts.failureLimit)

  /** @throws DirectoryError `unauthorized`, `too-many-attempts` */
  function reject(message: string, { address }: CallerOrigin): never {
    const waitSeconds = limit.countFailure(address)
    if (waitSeconds !== undefined) throw tooMany('failed attempts', waitSeconds)
    throw new DirectoryError('unauthorized', message)
  }

  async function keyHolder(apiKey: string | undefined, code: string | undefined, origin: CallerOrigin) {
    const first = parts.configured.named[0]
    if (apiKey !== undefined) return (await parts.findKey(apiKey, origin)) ?? reject(wrongKey, origin)
    const isValid = code !== undefined && codes.spend(code)
    const holder = isValid && first !== undefined ? await parts.findKeyById(first.id, origin) : undefined
    return holder ?? reject(wrongCode, origin)
  }

  async function signIn(input: unknown, origin: CallerOrigin): Promise<SessionHolder> {
    const { api_key: apiKey, email, root_token: rootToken, code } = parseSignIn(input)
    if (email !== undefined && rootToken !== undefined) return adminHolder(admins, { email, rootToken }, origin)
    const { caller } = await keyHolder(apiKey, code, origin)
    const target = { kind: 'api-key', id: caller.id } as const
    await audit.append({ action: 'console.signed_in', caller, target, at: clock() })
    return { kind: 'api-key', id: caller.id ?? '', grant: undefined }
  }

  function openProvider(settings: ProviderSettings, { logInAs }: Admins): IdentityProvider {
    return createIdentityProvider({
      ...{ ...parts, ...settings, key: hashingKey, limit },
      async beginSession(email, entry, origin) {
        const { adminToken } = await logInAs(email, issuer, origin)
        return sessions.begin({ kind: 'admin-token', id: adminToken.id, grant: grantFor(entry) })
      },
    })
  }

  return {
    identityProvider: parts.identityProvider && admins && openProvider(parts.identityProvider, admins),
    signIn: async (input, origin) => sessions.begin(await signIn(input, origin)),
    find: sessions.find,
    async signOut(token, origin) {
      const signedIn = await sessions.find(token, origin)
      await sessions.end(token)
      if (signedIn === undefined) return
      const { caller, admin } = signedIn
      if (admin !== undefined) return admins?.logOut(admin, caller)
      await audit.append({
        action: 'console.signed_out',
        caller,
        target: { kind: 'api-key', id: caller.id },
        at: clock(),
      })
    },
    keySessions: createKeySessions({ ...parts, sessions }),
    createCode: codes.create,
    hasAdmins: admins !== undefined,
    close: sessions.close,
  }
}

const wrongKey =
  'This is not a valid API key. Check that it is complete, and that it was not deleted and has not expired.'
const wrongCode =
  'This sign-in link is not valid: it has already been used, or is older than ten minutes. Run "rollcall console-link" for a new one, or sign in with an API key.'
const adminsAreOff = 'Admins cannot sign in: the service runs without ADMIN_ROOT_TOKEN. Sign in with an API key.'

/** Logs an admin in; wrong tokens are limited and audited there. */
async function adminHolder(
  admins: Admins | undefined,
  { email, rootToken }: { readonly email: string; readonly rootToken: string },
  origin: CallerOrigin,
): Promise<SessionHolder> {
  if (admins === undefined) throw new DirectoryError('unauthorized', adminsAreOff)
  const body = { claims: { upstreamToken: rootToken, email } }
  try {
    const { adminToken } = await admins.logIn({ authorization: `token=${rootToken}`, body, ...origin })
    return { kind: 'admin-token', id: adminToken.id, grant: undefined }
  } catch (error) {
    if (error instanceof DirectoryError && error.code === 'unauthorized')
      throw new DirectoryError('unauthorized', 'The root token is wrong: enter the value of ADMIN_ROOT_TOKEN.')
    throw error
  }
}

/** @throws DirectoryError `invalid-input` unless it contains exactly one way to sign in */
function parseSignIn(input: unknown) {
  const fields = parseInput(SignInInput, input)
  const { api_key, email, root_token, code } = fields
  const isLogin = email !== undefined && root_token !== undefined
  const isComplete = (email === undefined) === (root_token === undefined)
  const ways = [api_key !== undefined, isLogin, code !== undefined].filter(Boolean).length
  if (ways === 1 && isComplete) return fields
  throw new DirectoryError('invalid-input', 'Send api_key, or email and root_token, or code.')
}
