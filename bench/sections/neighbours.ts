import { execute } from '../../test/support/postgres.ts'
import { startLoadProcess } from '../load/load-process.ts'
import { measureOthers, watchingBlocks } from '../load/others.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inBytes, inMb, inMs } from '../report/row.ts'
import { startServerProcess } from '../servers/server.ts'
import { createRoleLink, largestEvent } from '../workload/api.ts'
import type { EdgeLoad } from '../workload/edge-loads.ts'
import { abandonedPreviews, refusedMappings, unkeyedLoads } from '../workload/edge-loads.ts'
import type { HostileLoad } from '../workload/hostile-loads.ts'
import { hostileLoads } from '../workload/hostile-loads.ts'
import { largeGroupLoad, manyGroupsLoads } from '../workload/membership-loads.ts'
import type { Bench } from './section.ts'

/**
 * The delay for other tenants while one tenant sends requests that are as expensive as the limits allow: the creates of
 * another tenant and `/healthz`, each sent every few milliseconds on a connection of its own.
 */
export async function measureNeighbours({ engine, scale, seed, say }: Bench): Promise<Row[]> {
  const manyGroups = scale.largeUsers / 5
  const { env, directories } = await seed([
    { users: scale.largeUsers, members: scale.largeUsers / 2, memberStep: 2 },
    { users: 10, members: 0, memberStep: 1 },
    { users: 1_000, members: 0, memberStep: 1 },
    { users: 10, members: 0, memberStep: 1, groupsOfFirst: manyGroups },
  ])
  const [noisy, quiet, wide, grouped] = directories
  if (noisy === undefined || quiet === undefined || wide === undefined || grouped === undefined)
    throw new Error('the directories were not seeded')
  await using service = await startServerProcess('./service.ts', { ...env, ...watchingBlocks })
  await using noise = await startLoadProcess(service.port)
  const rows: Row[] = []
  const measure = async (load: HostileLoad | EdgeLoad) => {
    say(`other tenants during ${load.what}`)
    await noise.prepare(load)
    const isAnalyzed = 'isAnalyzed' in load && load.isAnalyzed === true
    if (isAnalyzed && engine.name === 'postgres') await execute(env['DATABASE_URL'] ?? '', 'analyze')
    const startedAt = performance.now()
    let ms = 0
    const make = () =>
      noise.make().finally(() => {
        ms = performance.now() - startedAt
      })
    rows.push(...(await measureOthers({ engine: engine.name, service, quiet }, load, make)))
    if (isAnalyzed)
      rows.push({ engine: engine.name, what: 'the change itself', verdict: atMost(budget.memberChangeMs, ms, inMs) })
  }
  for (const load of unkeyedLoads()) await measure(load)
  await measure(refusedMappings(noisy))
  await measure(abandonedPreviews(noisy, await createRoleLink(service.port, noisy)))
  for (const load of hostileLoads(noisy)) await measure(load)
  await measure(largeGroupLoad(wide, 2))
  const bytes = await largestEvent(service.port, wide, 'group.user_')
  const fits = atMost(budget.membershipEventBytes, bytes, inBytes)
  rows.push({ engine: engine.name, what: 'its largest event of a member', verdict: fits })
  for (const load of manyGroupsLoads(grouped, 3, manyGroups)) await measure(load)
  const { maxRssBytes } = await service.usage()
  const verdict = atMost(budget.residentMb, maxRssBytes / 1e6, inMb)
  return [...rows, { engine: engine.name, what: 'memory at most, neighbours', verdict }]
}
