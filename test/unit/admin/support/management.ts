import assert from 'node:assert/strict'
import type { LoginResponse } from '../../../../src/admin/accounts/login.ts'
import type { Management, ManagementOptions } from '../../../../src/admin/management.ts'
import { openManagement } from '../../../../src/admin/management.ts'
import type { AuditEntry } from '../../../../src/directory/audit.ts'
import { newId } from '../../../../src/ids/new-id.ts'
import { openStore } from '../../../../src/store/open.ts'
import type { Store } from '../../../../src/store/store.ts'
import type { TestDatabase } from '../../../support/database.ts'
import { createManualTime } from '../../../support/manual-time.ts'

export const rootToken = 'root-token-of-a-test-0123456789abcdef'
export const startAt = Date.UTC(2026, 0, 15)

/** The management of a service, with a fake clock. */
export interface TestManagement extends AsyncDisposable {
  readonly store: Store
  readonly time: ReturnType<typeof createManualTime>
  readonly management: Management
  readonly admins: NonNullable<Management['admins']>
  /** The management in another process on the same database. */
  another(): Promise<TestManagement['admins'] & Pick<Management, 'findKey'>>
  /** Logs an admin in. */
  login(email?: string): Promise<LoginResponse>
  /** Resolves when pending writes have ended. */
  written(): Promise<void>
  /** The whole audit trail, oldest first. */
  audited(): Promise<AuditEntry[]>
}

export async function openTestManagement(
  options: Partial<ManagementOptions> = {},
  { DATABASE_URL: databaseUrl = 'sqlite::memory:', ENCRYPTION_KEY: encryptionKey }: TestDatabase['env'] = {},
): Promise<TestManagement> {
  const store = await openStore({ databaseUrl, encryptionKey, poolSize: 4, onBackgroundError: assert.ifError })
  const time = createManualTime(startAt)
  const opened: Management[] = []
  const open = async () => {
    const management = await openManagement({
      ...{ store, rootToken, apiKeys: ['a-configured-key'], auditRetentionDays: 0, newId },
      ...{ clock: time.clock, schedule: time.schedule, log: silent, random: () => 0, hashing: { cost: 4 } },
      ...options,
    })
    opened.push(management)
    return management
  }
  const management = await open()
  return {
    store,
    time,
    management,
    admins: adminsOf(management),
    async another() {
      const other = await open()
      return { ...adminsOf(other), findKey: other.findKey }
    },
    login: (email = 'Ada@example.com') => adminsOf(management).logIn(loginRequest({ email })),
    written: () => store.touchAdminToken('nobody', 0),
    audited: () => store.auditAfter(0, 1000),
    async [Symbol.asyncDispose]() {
      for (const one of opened) await one.close()
      await store.close()
    },
  }
}

export const silent = { warn: () => {}, error: () => {} }

function adminsOf({ admins }: Management): TestManagement['admins'] {
  assert(admins !== undefined, 'the admin API is on')
  return admins
}

interface LoginParts {
  readonly authorization?: string | undefined
  readonly upstreamToken?: unknown
  readonly email?: unknown
  readonly address?: string
}

/** A valid login with the given changes. */
export function loginRequest({ address = '192.0.2.1', ...given }: LoginParts = {}) {
  const authorization = 'authorization' in given ? given.authorization : `token=${rootToken}`
  const { upstreamToken = rootToken, email = 'ada@example.com' } = given
  return { authorization, body: { claims: { upstreamToken, email } }, address, requestId: 'request-1' }
}

/** The three-part header of a logged-in admin. */
export function headerOf({ adminToken: { id, token } }: LoginResponse): string {
  return `id=${id} token=${token} admin_token=${rootToken}`
}
