import { v7 as uuidv7 } from 'uuid'
import { createKeyedMutex } from '../../../src/concurrency/keyed-mutex.ts'
import { createDirectories } from '../../../src/directory/directories.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import { createUser } from '../../../src/provisioning/users.ts'
import { parseResource } from '../../../src/scim/resource/parse-resource.ts'
import { userType } from '../../../src/scim/schema/resource-type.ts'
import { createDirectoryAccess } from '../../../src/service-provider/access.ts'
import type { Store } from '../../../src/store/store.ts'
import { testAudited, testCaller } from '../../support/audited.ts'

const usersAtOnce = 1000

/** Creates a directory with users, directly in the store. */
export async function seedDirectory(store: Store, userCount: number): Promise<Directory> {
  const [clock, newId] = [Date.now, () => uuidv7()]
  const access = createDirectoryAccess(store, clock)
  const directories = createDirectories({
    ...{ store, access, clock, newId, audited: testAudited },
    newEndpointSecret: () => 'not used',
    checkEndpointUrl: async () => undefined,
  })
  const directory = await directories.create({ tenant: 'acme', product: 'crm' }, testCaller)
  const provisioning = { store, mutex: createKeyedMutex() }
  const create = (n: number) => {
    const name = { givenName: `Given ${n}`, familyName: `Family ${n}` }
    const cause = { requestId: 'seed', at: clock() }
    const body = { userName: `user-${n}`, name, emails: [{ value: `user-${n}@example.com`, type: 'work' }] }
    return createUser(provisioning, { directory, cause }, newId(), parseResource(userType, body))
  }
  for (let first = 0; first < userCount; first += usersAtOnce) {
    const length = Math.min(usersAtOnce, userCount - first)
    await Promise.all(Array.from({ length }, (_, index) => create(first + index)))
  }
  return directory
}
