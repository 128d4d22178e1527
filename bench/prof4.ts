import { openEngine } from './engines/engine.ts'
import { withConnections } from './load/connection.ts'
import { sampleOf } from './load/sample.ts'
import { driveMeasured } from './load/turns.ts'
import { startServerProcess } from './servers/server.ts'
import { createDirectory } from './workload/api.ts'
import { scimCalls } from './workload/scim-calls.ts'
import { createAll, times } from './workload/users.ts'

const [engineName = 'sqlite', kind = 'get', conns = '8', names = 'on,off,noop,nocommit', rounds = '30'] =
  process.argv.slice(2)
const engine = await openEngine(engineName as never)
const list: { name: string; server: never; call: () => never; cpu: number[]; rate: number[] }[] = []
for (const name of names.split(',')) {
  const env = name === 'off' ? { SCIM_REQUEST_LOG_TTL: '0' } : name === 'on' ? {} : { LOGX: name }
  const server = await startServerProcess('./service.ts', { ...(await engine.newDatabase()), ...env })
  const scim = scimCalls(await createDirectory(server.port))
  const ids = await withConnections(server.port, 64, (all) =>
    createAll(
      all,
      times(4000, (n) => scim.createUser('pool', n)),
    ),
  )
  let n = 0
  list.push({
    name,
    server: server as never,
    cpu: [],
    rate: [],
    call: (() => (kind === 'get' ? scim.getUser(ids[n++ % ids.length] ?? '') : scim.createUser('new', n++))) as never,
  })
}
for (let round = 0; round < Number(rounds); round++)
  for (const one of round % 2 ? list : list.toReversed())
    await withConnections((one.server as { port: number }).port, Number(conns), async (all) => {
      const { rate, cpuMsPer1000 } = sampleOf(await driveMeasured(one.server, all, times(3000, one.call)))
      if (round > 3) {
        one.cpu.push(cpuMsPer1000)
        one.rate.push(rate)
      }
    })
const med = (a: number[]) => a.toSorted((x, y) => x - y)[a.length >> 1] ?? 0
const off = list.find(({ name }) => name === 'off')
for (const { name, cpu, rate, server } of list) {
  const ratio = (a: number[], b: number[] = []) => med(a.map((x, i) => x / (b[i] ?? 1))).toFixed(3)
  console.log(
    name.padEnd(10),
    'cpu min',
    Math.min(...cpu).toFixed(1),
    'med',
    med(cpu).toFixed(1),
    'ratio cpu',
    ratio(cpu, off?.cpu),
    'rate',
    med(rate).toFixed(0),
    'ratio rate',
    ratio(rate, off?.rate),
  )
  await (server as AsyncDisposable)[Symbol.asyncDispose]()
}
await engine[Symbol.asyncDispose]()
