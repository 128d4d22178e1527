import type { ServiceSecretName } from '../../../../src/admin/admin-store.ts'
import { openStore } from '../../../../src/store/open.ts'
import type { TestDatabase } from '../../../support/database.ts'

/** Stores a secret known to the test in a new database, in place of one that the service would generate. */
export async function plantSecret({ env }: TestDatabase, name: ServiceSecretName, secret: string): Promise<void> {
  const store = await openStore({
    databaseUrl: env['DATABASE_URL'] ?? '',
    encryptionKey: env['ENCRYPTION_KEY'],
    poolSize: 2,
    onBackgroundError: () => {},
  })
  await store.getOrCreateSecret(name, secret)
  await store.close()
}
