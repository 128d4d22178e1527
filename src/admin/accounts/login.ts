import type { Audited, CallerOrigin } from '../../directory/audit.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { newSecret } from '../../directory/secret.ts'
import { unknownFields } from '../../inputs/unknown-fields.ts'
import { isObject, own } from '../../scim/json.ts'
import { isoTime } from '../time.ts'
import type { AccountStore } from './account-store.ts'
import { parseCredentials } from './credentials.ts'
import type { FailedLogins, FailureReason } from './failed-logins.ts'
import type { Jwts } from './jwt.ts'
import type { RootTokenGuard } from './root-token.ts'
import type { AdminSession } from './session.ts'
import { adminCaller } from './session.ts'
import type { TokenHashing } from './token-hashing.ts'

/** The request of a login. */
export interface LoginRequest extends CallerOrigin {
  readonly authorization: string | undefined
  /** Parsed JSON. */
  readonly body: unknown
}

/** The response to a login. */
export interface LoginResponse {
  readonly user: { readonly email: string; readonly id: string; readonly timezone: string }
  /** A JWT. */
  readonly token: string
  readonly adminToken: {
    readonly id: string
    readonly userId: string
    readonly tokenBcrypt: string
    /** Only returned here. */
    readonly token: string
    readonly disabled: false
    /** ISO 8601, in UTC. */
    readonly createdAt: string
  }
}

export interface LoginParts {
  readonly store: Pick<AccountStore, 'logIn'>
  readonly rootTokenGuard: RootTokenGuard
  readonly failedLogins: Pick<FailedLogins, 'record'>
  readonly hashing: TokenHashing
  readonly jwts: Jwts
  readonly audited: Audited
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
}

/**
 * Logs in an admin who sends the root token in the header, `token=…`, and in the body, as `claims.upstreamToken`, next
 * to `claims.email`. A new email address creates an admin user.
 *
 * @throws DirectoryError `too-many-attempts`; `unauthorized`, with the same message whichever token is wrong or
 * missing; `invalid-input` when the tokens are right, or when the header is right and the body is not an object
 */
export async function logIn(
  parts: LoginParts,
  { authorization, body, ...origin }: LoginRequest,
): Promise<LoginResponse> {
  const failure = failureOf(parts.rootTokenGuard, authorization, body)
  if (failure !== undefined) {
    await parts.rootTokenGuard.recordFailure(origin, failure)
    throw new DirectoryError('unauthorized', wrongToken)
  }
  const email = parseLogin(body)
  if (typeof email === 'string') return createSession(parts, email, origin)
  await parts.failedLogins.record(origin, 'bad input')
  throw email
}

const wrongToken =
  'Send the root token in the header, "Authorization: token=<ADMIN_ROOT_TOKEN>", and in the body, as claims.upstreamToken.'

/** The reason why the tokens are wrong; undefined when they are right. Both are always compared. */
function failureOf(guard: RootTokenGuard, authorization: string | undefined, body: unknown): FailureReason | undefined {
  const credentials = parseCredentials(authorization)
  const rootToken = credentials?.kind === 'login' ? credentials.rootToken : undefined
  const isHeaderRight = guard.isRootToken(rootToken)
  const isBodyRight = guard.isRootToken(upstreamTokenOf(body))
  if (rootToken === undefined) return 'no token in the required form'
  if (!isHeaderRight) return 'wrong token'
  return isBodyRight || !isObject(body) ? undefined : 'wrong upstreamToken'
}

function claimsOf(body: unknown) {
  const claims = isObject(body) ? own(body, 'claims') : undefined
  return isObject(claims) ? claims : {}
}

function upstreamTokenOf(body: unknown): string | undefined {
  const token = own(claimsOf(body), 'upstreamToken')
  return typeof token === 'string' ? token : undefined
}

/** The email address, or the error about the body. */
function parseLogin(body: unknown): string | DirectoryError {
  if (!isObject(body)) return new DirectoryError('invalid-input', 'Send a JSON object.')
  const claims = claimsOf(body)
  const email = own(claims, 'email')
  const unknown = [...unknownFields(['claims'], body), ...unknownFields(['upstreamToken', 'email'], claims)]
  if (isEmail(email) && unknown.length === 0) return email
  const message = 'claims.email: an email address of at most 320 characters.'
  const problems = [...(isEmail(email) ? [] : [{ field: 'claims.email', message }]), ...unknown]
  return new DirectoryError('invalid-input', problems.map((problem) => problem.message).join(' '), problems)
}

/** @param issuer the identity provider that has signed in the admin; undefined: the root token did */
export async function createSession(parts: LoginParts, email: string, origin: CallerOrigin, issuer?: string) {
  const { store, hashing, audited, newId, clock } = parts
  const secret = newSecret()
  const tokenHash = await hashing.hash(secret)
  const [at, userId, id] = [clock(), newId(), newId()]
  const changes = issuer === undefined ? undefined : { identity_provider: { from: null, to: issuer } }
  const draft = { action: 'admin.login', target: { kind: 'admin-token', id }, changes, at } as const
  const session = await store.logIn(
    { id: userId, email, timezone: 'UTC', createdAt: at },
    { id, userId, tokenHash, disabled: false, createdAt: at, lastUsedAt: at },
    (user) => audited({ ...draft, caller: adminCaller(user, origin) }),
  )
  return loginResponse(session, secret, await parts.jwts.sign({ userId: session.user.id, tokenId: session.token.id }))
}

function loginResponse({ user, token }: AdminSession, secret: string, jwt: string): LoginResponse {
  const { id, userId, tokenHash: tokenBcrypt, createdAt } = token
  return {
    user: { email: user.email, id: user.id, timezone: user.timezone },
    token: jwt,
    adminToken: { id, userId, tokenBcrypt, token: secret, disabled: false, createdAt: isoTime(createdAt) },
  }
}

/** No white space and no invisible characters: the address is shown in logs and on pages. */
const address = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,255}$/u

export function isEmail(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 320 && address.test(value)
}
