import { createAudited } from '../../src/admin/audit/chain.ts'
import { readSettings } from '../../src/app/settings.ts'
import { createKeyedMutex } from '../../src/concurrency/keyed-mutex.ts'
import { createDirectoryAccess } from '../../src/directory/access.ts'
import { systemCaller } from '../../src/directory/audit.ts'
import { createDirectories } from '../../src/directory/directories.ts'
import { scimPath } from '../../src/directory/directory-view.ts'
import { changeMembers, createGroup } from '../../src/provisioning/groups.ts'
import { createUser } from '../../src/provisioning/users.ts'
import { parseResource } from '../../src/scim/resource/parse-resource.ts'
import { groupType, userType } from '../../src/scim/schema/resource-type.ts'
import { openStore } from '../../src/store/open.ts'
import { groupBody, userBody } from '../workload/user-body.ts'
import type { Seeded, SeedPlan } from './plan.ts'
import { seededId, seedPrefix } from './plan.ts'

/** Fills a database through the operations of the domain, without HTTP, and sends the directories to the parent. */
const atOnce = 512
const settings = readSettings(process.env)
const store = await openStore({
  databaseUrl: settings.DATABASE_URL,
  encryptionKey: settings.ENCRYPTION_KEY,
  poolSize: settings.DATABASE_POOL_SIZE,
  onBackgroundError: (error) => process.emitWarning(String(error)),
})
const access = createDirectoryAccess(store, Date.now)
let ids = 0
const directories = createDirectories({
  ...{ store, access, clock: Date.now },
  audited: createAudited('unused', () => `bench-entry-${ids++}`),
  newId: () => `bench-${ids++}`,
  newEndpointSecret: () => 'unused',
  checkEndpointUrl: async () => undefined,
})

/** The product of a directory, and the prefix of its userNames. */
function placeOf({ copies }: SeedPlan, index: number) {
  if (copies === undefined) return { product: 'bench', prefix: seedPrefix }
  return { product: `bench-${index % copies.products}`, prefix: `u${index}` }
}

async function fill(plan: SeedPlan, index: number): Promise<Seeded> {
  const { users, members, memberStep, groupsOfFirst = 0 } = plan
  const { product, prefix } = placeOf(plan, index)
  const directory = await directories.create({ tenant: `bench-${index}`, product }, systemCaller('bench'))
  let number = 0
  const parts = { store, mutex: createKeyedMutex() }
  const write = () => ({ directory, cause: cause() })
  const group = { resource: parseResource(groupType, groupBody('Everyone')), members: undefined }
  await createGroup(parts, write(), seededId(index, number++), group)
  for (let first = 1; first <= users; first += atOnce) {
    const last = Math.min(first + atOnce - 1, users)
    const create = (n: number) =>
      createUser(parts, write(), seededId(index, number++), parseResource(userType, userBody(prefix, n)))
    await Promise.all(range(first, last).map(create))
  }
  const numbers = range(1, members).map((n) => n * memberStep)
  for (let done = 0; done < members; done += atOnce) {
    const add = new Set(numbers.slice(done, done + atOnce).map((n) => seededId(index, n)))
    await changeMembers(parts, write(), seededId(index, 0), { kind: 'delta', add, remove: new Set() })
  }
  for (let first = 1; first <= groupsOfFirst; first += atOnce) {
    const last = Math.min(first + atOnce - 1, groupsOfFirst)
    const member = { kind: 'replace', members: new Set([seededId(index, 1)]) } as const
    const create = (n: number) => {
      const resource = parseResource(groupType, groupBody(`Group ${n}`))
      return createGroup(parts, write(), seededId(index, number++), { resource, members: member })
    }
    await Promise.all(range(first, last).map(create))
  }
  return {
    id: directory.id,
    path: scimPath(directory.id),
    secret: directory.scimSecret,
    users,
    groupId: seededId(index, 0),
  }
}

const cause = () => ({ requestId: 'seed', at: Date.now() })
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

const plans = JSON.parse(process.argv[2] ?? '[]') as SeedPlan[]
const seeded: Seeded[] = []
const each = plans.flatMap((plan) => Array.from({ length: plan.copies?.directories ?? 1 }, () => plan))
const fillsAtOnce = 8
for (let first = 0; first < each.length; first += fillsAtOnce) {
  const filling = each.slice(first, first + fillsAtOnce).map((plan, index) => fill(plan, first + index))
  seeded.push(...(await Promise.all(filling)))
}
await store.close()
process.send?.(seeded, () => process.disconnect())
