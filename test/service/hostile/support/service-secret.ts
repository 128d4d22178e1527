import type { ServiceSecretName } from '../../../../src/admin/store.ts'
import { openStore } from '../../../../src/store/open.ts'
import type { TestDatabase } from '../../../support/database.ts'

/** Gives the service on a new database a secret that the test knows, in the place of one that it would make itself. */
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
