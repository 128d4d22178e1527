import type { Schedule } from '../../concurrency/schedule.ts'
import type { CallerOrigin } from '../../directory/audit.ts'
import type { Audit } from '../audit/audit.ts'
import type { AdminLog } from '../last-use.ts'
import { createLastUse } from '../last-use.ts'
import type { AccountStore } from './account-store.ts'
import type { Accounts } from './accounts.ts'
import { createAccounts } from './accounts.ts'
import type { Authentication } from './authenticate.ts'
import { createAuthentication } from './authenticate.ts'
import { createFailedLogins } from './failed-logins.ts'
import type { FailureRates } from './failure-limit.ts'
import { createFailureLimit } from './failure-limit.ts'
import { createJwts } from './jwt.ts'
import type { LoginRequest, LoginResponse } from './login.ts'
import { createSession, logIn } from './login.ts'
import { createRootTokenGuard } from './root-token.ts'
import { createTokenPruning } from './session.ts'
import type { TokenHashingOptions } from './token-hashing.ts'
import { createTokenHashing } from './token-hashing.ts'

export interface AdminsParts {
  readonly store: AccountStore
  readonly audit: Audit
  readonly rootToken: string
  /** Signs JWTs. */
  readonly jwtSecret: string
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: AdminLog
  readonly random: () => number
  readonly hashing?: TokenHashingOptions | undefined
  readonly failureLimit?: FailureRates | undefined
}

/** The login, authentication and accounts of admins. */
export interface Admins extends Pick<Authentication, 'authenticate' | 'sessionOf'>, Accounts {
  /** See `logIn` in login.ts. */
  logIn(request: LoginRequest): Promise<LoginResponse>
  /** Logs in an admin whom the identity provider with this issuer has signed in. */
  logInAs(email: string, issuer: string, origin: CallerOrigin): Promise<LoginResponse>
  /** Starts the background work. */
  start(): void
  close(): Promise<void>
}

export function createAdmins(parts: AdminsParts): Admins {
  const { store, audit, rootToken, newId, clock, schedule, log, random } = parts
  const { audited, append } = audit
  const failedLogins = createFailedLogins({ append, clock, schedule, log })
  const rootTokenGuard = createRootTokenGuard({
    rootToken,
    limit: createFailureLimit(clock, parts.failureLimit),
    failedLogins,
  })
  const hashing = createTokenHashing(parts.hashing)
  const jwts = createJwts(parts.jwtSecret, clock)
  const lastUse = createLastUse({ touch: (id, at) => store.touchAdminToken(id, at), clock, log })
  const { authenticate, sessionOf, forget } = createAuthentication({
    store,
    rootTokenGuard,
    hashing,
    jwts,
    lastUse,
    clock,
  })
  const login = { store, rootTokenGuard, failedLogins, hashing, jwts, audited, newId, clock }
  const pruning = createTokenPruning({ store, clock, schedule, log, random })
  return {
    logIn: (request) => logIn(login, request),
    logInAs: (email, issuer, origin) => createSession(login, email, origin, issuer),
    authenticate,
    sessionOf,
    ...createAccounts({ store, audited, forget, clock }),
    start: () => pruning.start(),
    async close() {
      await Promise.all([pruning.close(), failedLogins.close(), lastUse.close()])
    },
  }
}
