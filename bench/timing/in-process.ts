import { createRootTokenDoor } from '../../src/admin/accounts/root-token.ts'
import { createTokenHashing } from '../../src/admin/accounts/token-hashing.ts'
import { openApiKeys } from '../../src/admin/keys/configured-keys.ts'
import { digestSecret, newSecret, sameSecret } from '../../src/directory/secret.ts'
import type { Door } from './measure.ts'
import { wrongSecrets } from './wrong-secrets.ts'

const batch = 200

/** The comparisons by themselves, without HTTP and database. The last one is made to leak, to see that it would show. */
export async function inProcessDoors(rounds: number): Promise<Door[]> {
  const secret = newSecret()
  const wrong = wrongSecrets(secret)
  const scim = digestSecret(secret)
  const keys = await openApiKeys([newSecret(), secret], { keepSecret: async (_, candidate) => candidate })
  const door = createRootTokenDoor({
    rootToken: secret,
    limit: { limitedAddress: () => undefined, failed: () => undefined },
    failedLogins: { note: async () => {}, count: () => {}, close: async () => {} },
  })
  const hashing = createTokenHashing({ cost: 4 })
  const hash = await hashing.hash(secret)
  return [
    inBatches('SCIM secret, compared', rounds, (which) => sameSecret(digestSecret(wrong[which]), scim)),
    inBatches('API key, compared', rounds, (which) => keys.isKey(wrong[which])),
    inBatches('root token, compared', rounds, (which) => door.isRootToken(wrong[which])),
    {
      what: 'admin token, compared (bcrypt of cost 4)',
      rounds: Math.ceil(rounds / 4),
      async refuse(which) {
        const begun = process.hrtime.bigint()
        await hashing.matches(wrong[which], hash)
        return Number(process.hrtime.bigint() - begun)
      },
    },
    inBatches('CONTROL: byte by byte until one differs', rounds, (which) => isSameByBytes(wrong[which], secret)),
  ]
}

function inBatches(what: string, rounds: number, isRight: (which: Parameters<Door['refuse']>[0]) => boolean): Door {
  return {
    ...{ what, rounds },
    async refuse(which) {
      let found = 0
      const begun = process.hrtime.bigint()
      for (let n = 0; n < batch; n += 1) if (isRight(which)) found += 1
      const took = Number(process.hrtime.bigint() - begun)
      if (found > 0) throw new Error('a wrong secret was taken')
      return took / batch
    },
  }
}

/** How secrets must not be compared. */
function isSameByBytes(a: string, b: string): boolean {
  for (let index = 0; index < b.length; index += 1) if (a[index] !== b[index]) return false
  return a.length === b.length
}
