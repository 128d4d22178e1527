import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import type { EngineName } from './engines/engine.ts'
import { engineNames, openEngine } from './engines/engine.ts'
import type { Call } from './load/call.ts'
import { withConnections } from './load/connection.ts'
import { sampleOf } from './load/sample.ts'
import { driveMeasured } from './load/turns.ts'
import { parseProfile, topFunctions } from './report/cpu-profile.ts'
import { startServerProcess } from './servers/server.ts'
import { createDirectory } from './workload/api.ts'
import type { ScimCalls } from './workload/scim-calls.ts'
import { scimCalls } from './workload/scim-calls.ts'
import { createAll, itemAt, times } from './workload/users.ts'

const connections = 64
const pool = 5_000
const kinds = ['create', 'patch', 'lookup', 'get'] as const
type Kind = (typeof kinds)[number]

/** Profiles the service during calls of one kind with 64 connections, and prints where the time goes. */
async function profile(engineName: EngineName, kind: Kind, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-profile-'))
  await using engine = await openEngine(engineName)
  try {
    {
      const options = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200']
      await using service = await startServerProcess('./service.ts', await engine.newDatabase(), options)
      const scim = scimCalls(await createDirectory(service.port))
      const timing = await withConnections(service.port, connections, async (all) => {
        const ids = await createAll(
          all,
          times(pool, (number) => scim.createUser('pool', number)),
        )
        return driveMeasured(service, all, times(count, callsOf(kind, scim, ids)))
      })
      const { workMs } = sampleOf(timing)
      stdout.write(`${kind}: ${workMs.toFixed(0)} ms of CPU per 1,000, profiler and database included\n`)
    }
    const [file = ''] = await readdir(folder)
    stdout.write(topFunctions(parseProfile(await readFile(join(folder, file), 'utf8'))))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function callsOf(kind: Kind, scim: ScimCalls, ids: readonly string[]): (index: number) => Call {
  return {
    create: (index: number) => scim.createUser('user', index),
    patch: (index: number) => scim.patchUser(itemAt(ids, index), `Engineer ${index}`),
    lookup: (index: number) => scim.lookUpUser('pool', index % pool),
    get: (index: number) => scim.getUser(itemAt(ids, index)),
  }[kind]
}

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { engine: text, kind: text, count: text } })
await profile(
  engineNames.find((name) => name === values.engine) ?? 'sqlite',
  kinds.find((kind) => kind === values.kind) ?? 'create',
  Number(values.count ?? 40_000),
)
