import { createAudited } from '../../src/admin/audit/chain.ts'
import { readSettings } from '../../src/app/settings.ts'
import { createKeyedMutex } from '../../src/concurrency/keyed-mutex.ts'
import type { RequestRecord } from '../../src/diagnostics/requests/request-log-store.ts'
import { systemCaller } from '../../src/directory/audit.ts'
import { createDirectories } from '../../src/directory/directories.ts'
import { scimPath } from '../../src/directory/directory-view.ts'
import { newRequestId } from '../../src/ids/request-id.ts'
import { changeMembers, createGroup } from '../../src/provisioning/groups.ts'
import { createUser } from '../../src/provisioning/users.ts'
import { parseResource } from '../../src/scim/resource/parse-resource.ts'
import { groupType, userType } from '../../src/scim/schema/resource-type.ts'
import { createDirectoryAccess } from '../../src/service-provider/access.ts'
import { openStore } from '../../src/store/open.ts'
import { groupBody, userBody } from '../workload/user-body.ts'
import type { Seeded, SeedPlan } from './plan.ts'
import { copiedPrefix, seededId, seedPrefix } from './plan.ts'

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
let entries = 0
let created = 0
const directories = createDirectories({
  ...{ store, access, clock: Date.now },
  audited: createAudited('unused', () => `bench-entry-${entries++}`),
  newId: () => `${copiedPrefix}-${created++}`,
  newEndpointSecret: () => 'unused',
  checkEndpointUrl: async () => undefined,
})

async function fill(plan: SeedPlan, index: number): Promise<Seeded> {
  const { users, members, memberStep, groupsOfFirst = 0, isCopied = false } = plan
  const prefix = isCopied ? copiedPrefix : seedPrefix
  const place = { tenant: `${isCopied ? prefix : 'bench'}-${index}`, product: 'bench' }
  const directory = await directories.create(
    { ...place, ...(isCopied && { name: `${prefix} directory` }) },
    systemCaller('bench'),
  )
  if (isCopied) await store.addRequests(directory.id, seededRequests(directory.id), 1_000)
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

/** Twenty-five requests, of which every fifth was refused. */
function seededRequests(directoryId: string): RequestRecord[] {
  return range(1, 25).map((n) => ({
    ...{ id: newRequestId(directoryId), at: Date.now(), method: 'POST', path: '/Users', durationMs: 3 },
    ...{ status: n % 5 === 0 ? 400 : 201, scimType: null, detail: null, userAgent: 'bench', address: null },
    ...{ resourceType: 'User', resourceId: null, subject: `${copiedPrefix}.${n}@example.com`, eventSequences: null },
    ...{ body: null, bodyOmitted: null },
  }))
}

const cause = () => ({ requestId: 'seed', at: Date.now() })
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

const plans = JSON.parse(process.argv[2] ?? '[]') as SeedPlan[]
const seeded: Seeded[] = []
for (const [index, plan] of plans.entries()) seeded.push(await fill(plan, index))
await store.close()
process.send?.(seeded, () => process.disconnect())
