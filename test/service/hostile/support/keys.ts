import { openManagement } from '../../../../src/admin/management.ts'
import { systemCaller } from '../../../../src/directory/audit.ts'
import { newId } from '../../../../src/ids/new-id.ts'
import { openStore } from '../../../../src/store/open.ts'
import type { TestDatabase } from '../../../support/database.ts'

/** A key that a test needs. */
export interface WantedKey {
  readonly scope: { readonly tenant?: string; readonly product?: string; readonly readOnly?: boolean }
  /** The change of the key before the service starts. */
  readonly fate?: 'expired' | 'deleted'
}

const hourMs = 3_600_000
const nobody = () => () => {}

/** Creates keys in a database that no service has open; returns them by name. */
export async function makeKeys<Name extends string>(
  { env }: TestDatabase,
  wanted: Readonly<Record<Name, WantedKey>>,
): Promise<Readonly<Record<Name, string>>> {
  const store = await openStore({
    databaseUrl: env['DATABASE_URL'] ?? '',
    encryptionKey: env['ENCRYPTION_KEY'],
    poolSize: 2,
    onBackgroundError: () => {},
  })
  // a day ago, so that the key can have expired
  const madeAt = Date.now() - 24 * hourMs
  const management = await openManagement({
    ...{ store, newId, rootToken: undefined, apiKeys: ['a-key-of-the-configuration'], auditRetentionDays: 0 },
    ...{ clock: () => madeAt, schedule: nobody, log: { warn: () => {}, error: () => {} } },
  })
  const caller = systemCaller('test')
  const made: [string, string][] = []
  for (const [name, { scope, fate }] of Object.entries<WantedKey>(wanted)) {
    const expiry = fate === 'expired' ? { expires_at: madeAt + hourMs } : {}
    const { id, key } = await management.keys.create({ name, scope, ...expiry }, caller)
    if (fate === 'deleted') await management.keys.delete(id, caller)
    made.push([name, key])
  }
  await management.close()
  await store.close()
  return Object.fromEntries(made) as Record<Name, string>
}
