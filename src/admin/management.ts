import type { Schedule } from '../concurrency/schedule.ts'
import { newSecret } from '../directory/secret.ts'
import type { Admins } from './accounts/admins.ts'
import type { RateLimitOptions } from './accounts/rate-limit.ts'
import type { AccountStore } from './accounts/store.ts'
import type { TokenHashingOptions } from './accounts/token-hashing.ts'
import type { Audit } from './audit/audit.ts'
import { createAudit, createAuditRetention } from './audit/audit.ts'
import type { AuditStore } from './audit/store.ts'
import type { KeyFinder } from './keys/find-key.ts'
import { createKeyFinder, loadConfiguredKeys } from './keys/find-key.ts'
import type { ManagedKeys } from './keys/managed-keys.ts'
import { createManagedKeys } from './keys/managed-keys.ts'
import type { ApiKeyStore } from './keys/store.ts'
import type { AdminLog } from './last-use.ts'
import { createLastUse } from './last-use.ts'
import type { AdminStore } from './store.ts'

/** What the management of the service asks of a store. */
export type ManagementStore = AdminStore & AccountStore & ApiKeyStore & AuditStore

export interface ManagementOptions {
  readonly store: ManagementStore
  /** Opens the admin API; undefined: it is off. */
  readonly rootToken: string | undefined
  /** The keys of the configuration; without any, one is made at first start. */
  readonly apiKeys: readonly string[]
  /** How many days the audit trail is kept; 0: for ever. */
  readonly auditRetentionDays: number
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: AdminLog
  /** From 0 to 1. */
  readonly random?: () => number
  /** Where they are not the usual ones. */
  readonly hashing?: TokenHashingOptions | undefined
  readonly rateLimit?: Omit<RateLimitOptions, 'now'> | undefined
}

/** The management of the service: who may do it, with what, and the record of what was done. */
export interface Management extends Pick<KeyFinder, 'findKey'> {
  readonly audit: Audit
  readonly keys: ManagedKeys
  /** Undefined while the admin API is off. */
  readonly admins: Admins | undefined
  /** The key that was made at first start; undefined when keys are configured. */
  readonly firstKey: string | undefined
  /** Starts the work in the background. */
  start(): void
  /** Ends it. The store is still open then. */
  close(): Promise<void>
}

/** Puts the management together over an open store. */
export async function openManagement(options: ManagementOptions): Promise<Management> {
  const { store, newId, clock, schedule, log, auditRetentionDays: days, random = Math.random } = options
  const configured = await loadConfiguredKeys(options.apiKeys, store)
  const key = await store.getOrCreateSecret('audit-chain', newSecret())
  const audit = createAudit({ store, key, newId, clock })
  const lastUse = createLastUse({ touch: (id, at) => store.touchApiKey(id, at), clock, log })
  const { findKey, forget } = createKeyFinder({ configured, store, lastUse, clock })
  const admins = await openAdmins(options, audit)
  const background = [createAuditRetention({ store, days, clock, schedule, log, random }), ...(admins ? [admins] : [])]
  return {
    audit,
    findKey,
    keys: createManagedKeys({ store, audited: audit.audited, forget, newId, clock }),
    admins,
    firstKey: configured.firstKey,
    start() {
      for (const work of background) work.start()
    },
    async close() {
      await Promise.all([lastUse.close(), ...background.map((work) => work.close())])
    },
  }
}

/** Nothing of it is loaded while the admin API is off. */
async function openAdmins(options: ManagementOptions, audit: Audit): Promise<Admins | undefined> {
  const { store, rootToken, random = Math.random } = options
  if (rootToken === undefined) return undefined
  const { createAdmins } = await import('./accounts/admins.ts')
  const jwtSecret = await store.getOrCreateSecret('admin-jwt', newSecret())
  return createAdmins({ ...options, rootToken, audit, jwtSecret, random })
}
