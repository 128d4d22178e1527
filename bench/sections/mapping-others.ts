import { setTimeout as pause } from 'node:timers/promises'
import { startLoadProcess } from '../load/load-process.ts'
import type { Work } from '../load/others.ts'
import { measureOthers, watchingBlocks } from '../load/others.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMb } from '../report/row.ts'
import type { Seeded } from '../seed/plan.ts'
import { startServerProcess } from '../servers/server.ts'
import { mappingRunState } from '../workload/api.ts'
import type { MappingLoad } from '../workload/mapping-loads.ts'
import { largestMappingLoads, largeUsers, namedGroupLoads } from '../workload/mapping-loads.ts'
import type { Bench } from './section.ts'

/** The time between two looks at a run, in milliseconds. */
const lookMs = 200

/** The delay for other tenants while the users of a directory are evaluated, until the run is completed. */
export async function measureMappingOthers({ engine, scale, seed, say }: Bench): Promise<Row[]> {
  const everybody = scale.largeUsers / 2
  const { env, directories } = await seed([
    { users: scale.largeUsers / 50, members: 10, memberStep: 1 },
    { users: everybody, members: everybody, memberStep: 1 },
    { users: 10, members: 0, memberStep: 1 },
  ])
  const [sized, grouped, quiet] = directories
  if (sized === undefined || grouped === undefined || quiet === undefined)
    throw new Error('the directories were not seeded')
  await using service = await startServerProcess('./service.ts', { ...env, ...watchingBlocks })
  await using noise = await startLoadProcess(service.port)
  await noise.prepare({ calls: largeUsers(sized, 20) })
  await noise.make()
  const rows: Row[] = []
  const measure = async (directory: Seeded, { what, calls }: MappingLoad, kind?: Work['budget']) => {
    say(`other tenants during ${what}`)
    await noise.prepare({ calls })
    const work = async () => {
      await noise.make()
      while ((await mappingRunState(service.port, directory)) === 'running') await pause(lookMs)
    }
    rows.push(...(await measureOthers({ engine: engine.name, service, quiet }, { what, budget: kind }, work)))
  }
  for (const load of largestMappingLoads(sized)) await measure(sized, load)
  for (const load of namedGroupLoads(grouped, 1)) await measure(grouped, load, 'member change')
  const { maxRssBytes } = await service.usage()
  const verdict = atMost(budget.residentMb, maxRssBytes / 1e6, inMb)
  return [...rows, { engine: engine.name, what: 'memory at most, mappings', verdict }]
}
