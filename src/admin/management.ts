import type { Schedule } from '../concurrency/schedule.ts'
import { newSecret } from '../directory/secret.ts'
import type { AccountStore } from './accounts/account-store.ts'
import type { Admins } from './accounts/admins.ts'
import type { FailureRates } from './accounts/failure-limit.ts'
import type { TokenHashingOptions } from './accounts/token-hashing.ts'
import type { AdminStore } from './admin-store.ts'
import type { Audit, AuditParts } from './audit/audit.ts'
import { createAudit, createAuditRetention } from './audit/audit.ts'
import type { ApiKeyStore } from './keys/api-key-store.ts'
import type { KeyFinder } from './keys/find-key.ts'
import { createKeyFinder, loadConfiguredKeys } from './keys/find-key.ts'
import type { ManagedKeys } from './keys/managed-keys.ts'
import { createManagedKeys } from './keys/managed-keys.ts'
import type { AdminLog } from './last-use.ts'
import { createLastUse } from './last-use.ts'
import type { ProviderSettings } from './oidc/identity-provider.ts'
import type { ConsoleAccess } from './sessions/console-access.ts'
import { openConsoleAccess } from './sessions/console-access.ts'
import type { ConsoleSessionStore } from './sessions/session-store.ts'

/** The store operations that the management of the service uses. */
export type ManagementStore = AdminStore & AccountStore & ApiKeyStore & ConsoleSessionStore & AuditParts['store']

export interface ManagementOptions {
  readonly store: ManagementStore
  /** The root token of admins; undefined turns the admin API off. */
  readonly rootToken: string | undefined
  readonly identityProvider?: ProviderSettings | undefined
  /** The configured API keys; if there are none, one is generated at the first start. */
  readonly apiKeys: readonly string[]
  /** Days for which the audit trail is kept; 0 means forever. */
  readonly auditRetentionDays: number
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: AdminLog
  /** From 0 to 1. */
  readonly random?: () => number
  readonly hashing?: TokenHashingOptions | undefined
  readonly failureLimit?: FailureRates | undefined
}

/** The management of the service: admins, API keys and the audit trail. */
export interface Management extends Pick<KeyFinder, 'findKey'> {
  readonly audit: Audit
  readonly keys: ManagedKeys
  /** Undefined when the admin API is off. */
  readonly admins: Admins | undefined
  /** The key that was generated at the first start; undefined when keys are configured. */
  readonly firstKey: string | undefined
  /** Signing in to the console. */
  readonly console: ConsoleAccess
  /** Starts the background work. */
  start(): void
  /** Stops the background work; the store must still be open. */
  close(): Promise<void>
}

export async function openManagement(options: ManagementOptions): Promise<Management> {
  const { store, newId, clock, schedule, log, auditRetentionDays: days, random = Math.random } = options
  const key = await store.getOrCreateSecret('audit-chain', newSecret())
  const configured = await loadConfiguredKeys(options.apiKeys, store, key)
  const audit = createAudit({ store, key, newId, clock })
  const lastUse = createLastUse({ touch: (id, at) => store.touchApiKey(id, at), clock, log })
  const { findKey, findKeyById, forget } = createKeyFinder({ configured, store, lastUse, clock })
  const admins = await openAdmins(options, audit)
  const console = await openConsoleAccess({ ...options, configured, findKey, findKeyById, admins, audit })
  const background = [
    createAuditRetention({ store, key, days, clock, schedule, log, random }),
    ...(admins ? [admins] : []),
  ]
  return {
    audit,
    findKey,
    keys: createManagedKeys({ store, audited: audit.audited, forget, newId, clock }),
    admins,
    firstKey: configured.firstKey,
    console,
    start() {
      for (const work of background) work.start()
    },
    async close() {
      await Promise.all([lastUse.close(), console.close(), ...background.map((work) => work.close())])
    },
  }
}

/** Loads the code of the admin API only when it is on. */
async function openAdmins(options: ManagementOptions, audit: Audit): Promise<Admins | undefined> {
  const { store, rootToken, random = Math.random } = options
  if (rootToken === undefined) return undefined
  const { createAdmins } = await import('./accounts/admins.ts')
  const jwtSecret = await store.getOrCreateSecret('admin-jwt', newSecret())
  return createAdmins({ ...options, rootToken, audit, jwtSecret, random })
}
