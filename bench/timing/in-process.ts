import { createRootTokenGuard } from '../../src/admin/accounts/root-token.ts'
import { createTokenHashing } from '../../src/admin/accounts/token-hashing.ts'
import type { AdminStore } from '../../src/admin/admin-store.ts'
import { loadConfiguredKeys } from '../../src/admin/keys/find-key.ts'
import { digestSecret, newSecret, sameSecret } from '../../src/directory/secret.ts'
import type { Door } from './measure.ts'
import { wrongSecrets } from './wrong-secrets.ts'

const batch = 200

/**
 * The comparisons alone, without HTTP and database. The last one leaks on purpose, to prove that a leak would be
 * detected.
 */
export async function inProcessDoors(rounds: number): Promise<Door[]> {
  const secret = newSecret()
  const batches = (what: string, isRight: (wrong: string) => boolean) => inBatches({ what, rounds, secret, isRight })
  const scim = digestSecret(secret)
  const store: AdminStore = { getOrCreateSecret: async (_, candidate) => candidate }
  const keys = await loadConfiguredKeys([newSecret(), secret], store, newSecret())
  const door = createRootTokenGuard({
    rootToken: secret,
    limit: { countFailure: () => undefined },
    failedLogins: { record: async () => {}, count: () => {}, close: async () => {} },
  })
  const hashing = createTokenHashing({ cost: 4 })
  const hash = await hashing.hash(secret)
  return [
    batches('SCIM secret, compared', (wrong) => sameSecret(digestSecret(wrong), scim)),
    batches('API key, compared', (wrong) => keys.find(wrong) !== undefined),
    batches('root token, compared', (wrong) => door.isRootToken(wrong)),
    {
      what: 'admin token, compared (bcrypt of cost 4)',
      rounds: Math.ceil(rounds / 4),
      async refuse(which) {
        const wrong = wrongSecrets(secret)[which]
        const begun = process.hrtime.bigint()
        await hashing.matches(wrong, hash)
        return Number(process.hrtime.bigint() - begun)
      },
    },
    batches('CONTROL: byte by byte until one differs', (wrong) => isSameByBytes(wrong, secret)),
  ]
}

interface Batches {
  readonly what: string
  readonly rounds: number
  readonly secret: string
  readonly isRight: (wrong: string) => boolean
}

/** A new wrong secret for each batch, because the memory location makes a difference of a few nanoseconds. */
function inBatches({ what, rounds, secret, isRight }: Batches): Door {
  return {
    ...{ what, rounds },
    async refuse(which) {
      const wrong = wrongSecrets(secret)[which]
      let found = 0
      const begun = process.hrtime.bigint()
      for (let n = 0; n < batch; n += 1) if (isRight(wrong)) found += 1
      const took = Number(process.hrtime.bigint() - begun)
      if (found > 0) throw new Error('a wrong secret was taken')
      return took / batch
    },
  }
}

/** An unsafe comparison. */
function isSameByBytes(a: string, b: string): boolean {
  for (let index = 0; index < b.length; index += 1) if (a[index] !== b[index]) return false
  return a.length === b.length
}
