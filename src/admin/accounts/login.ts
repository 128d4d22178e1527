import type { Audited, CallerOrigin } from '../../directory/audit.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { newSecret } from '../../directory/secret.ts'
import { isObject, own } from '../../scim/json.ts'
import { isoTime } from '../time.ts'
import { parseCredentials } from './credentials.ts'
import type { FailedLogins, FailureReason } from './failed-logins.ts'
import type { Jwts } from './jwt.ts'
import type { RootTokenGuard } from './root-token.ts'
import type { AdminSession } from './session.ts'
import { adminCaller } from './session.ts'
import type { AccountStore } from './store.ts'
import type { TokenHashing } from './token-hashing.ts'

/** A login as it was sent. */
export interface LoginRequest extends CallerOrigin {
  readonly authorization: string | undefined
  /** Parsed JSON. */
  readonly body: unknown
}

/** What a login gives (design §4.4). */
export interface LoginResponse {
  readonly user: { readonly email: string; readonly id: string; readonly timezone: string }
  /** A JWT. */
  readonly token: string
  readonly adminToken: {
    readonly id: string
    readonly userId: string
    readonly tokenBcrypt: string
    /** Shown here and never again. */
    readonly token: string
    readonly disabled: false
    /** ISO 8601, in UTC. */
    readonly createdAt: string
  }
}

export interface LoginParts {
  readonly store: Pick<AccountStore, 'logIn'>
  readonly door: RootTokenGuard
  readonly failedLogins: Pick<FailedLogins, 'note'>
  readonly hashing: TokenHashing
  readonly jwts: Jwts
  readonly audited: Audited
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
}

/**
 * Lets an admin in who knows the root token: it is in the header, `token=…`, and in the body, `claims.upstreamToken`,
 * beside `claims.email`. Somebody new becomes an admin user.
 *
 * @throws DirectoryError `too-many-attempts`; `unauthorized`, in the same words whatever of the two is wrong or missing;
 * `invalid-input` once the tokens are right, or for a body that is no object once the header is
 */
export async function logIn(
  parts: LoginParts,
  { authorization, body, ...origin }: LoginRequest,
): Promise<LoginResponse> {
  parts.door.admit(origin)
  const failure = failureOf(parts.door, authorization, body)
  if (failure !== undefined) {
    await parts.door.failed(origin, failure)
    throw new DirectoryError('unauthorized', wrongToken)
  }
  const email = emailOf(body)
  if (typeof email === 'string') return enter(parts, email, origin)
  await parts.failedLogins.note(origin, 'bad input')
  throw email
}

const wrongToken =
  'Send the root token in the header, "Authorization: token=<ADMIN_ROOT_TOKEN>", and in the body, as claims.upstreamToken.'

/** What is wrong with the tokens. Both are always compared. */
function failureOf(door: RootTokenGuard, authorization: string | undefined, body: unknown): FailureReason | undefined {
  const credentials = parseCredentials(authorization)
  const given = credentials?.kind === 'login' ? credentials.rootToken : undefined
  const isHeaderRight = door.isRootToken(given)
  const isBodyRight = door.isRootToken(upstreamTokenOf(body))
  if (given === undefined) return 'no token in the form that is asked for'
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

/** The e-mail address, or what is wrong with it. */
function emailOf(body: unknown): string | DirectoryError {
  if (!isObject(body)) return new DirectoryError('invalid-input', 'Send a JSON object.')
  const email = own(claimsOf(body), 'email')
  if (isEmail(email)) return email
  const message = 'claims.email: an e-mail address of at most 320 characters.'
  return new DirectoryError('invalid-input', message, [{ field: 'claims.email', message }])
}

async function enter(parts: LoginParts, email: string, origin: CallerOrigin): Promise<LoginResponse> {
  const { store, hashing, audited, newId, clock } = parts
  const secret = newSecret()
  const tokenHash = await hashing.hash(secret)
  const [at, userId, id] = [clock(), newId(), newId()]
  const session = await store.logIn(
    { id: userId, email, timezone: 'UTC', createdAt: at },
    { id, userId, tokenHash, disabled: false, createdAt: at, lastUsedAt: at },
    (user) =>
      audited({ action: 'admin.login', caller: adminCaller(user, origin), target: { kind: 'admin-token', id }, at }),
  )
  return loginAnswer(session, secret, await parts.jwts.sign({ userId: session.user.id, tokenId: session.token.id }))
}

function loginAnswer({ user, token }: AdminSession, secret: string, jwt: string): LoginResponse {
  const { id, userId, tokenHash: tokenBcrypt, createdAt } = token
  return {
    user: { email: user.email, id: user.id, timezone: user.timezone },
    token: jwt,
    adminToken: { id, userId, tokenBcrypt, token: secret, disabled: false, createdAt: isoTime(createdAt) },
  }
}

/** Neither blanks nor anything that does not show: an address ends up in logs and on pages. */
const address = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,255}$/u

/** Whether a value is an e-mail address by its form. */
export function isEmail(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 320 && address.test(value)
}
