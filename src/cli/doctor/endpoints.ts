import type { Settings } from '../../app/settings.ts'
import { egressOf } from '../../app/settings.ts'
import type { EndpointProbe } from '../../delivery/endpoint/probe.ts'
import { probeEndpoints } from '../../delivery/endpoint/probe.ts'
import { DatabaseInUse } from '../../store/errors.ts'
import { databaseFile } from '../../store/files.ts'
import { openLocalClient } from '../management/local-client.ts'
import { openStoreOf } from '../management/open-database.ts'
import { countOf } from '../terminal/quantity.ts'
import type { Check } from './check.ts'
import { fail, ok, reasonOf, warn } from './check.ts'

/** Checks the hosts of all endpoints, through the running service if that uses the database. */
export async function checkEndpoints(settings: Settings): Promise<Check[]> {
  try {
    const probes = await findProbes(settings)
    if (probes.length === 0) return [ok('endpoints', 'no directory has an endpoint')]
    return probes.toSorted((one, other) => other.directories - one.directories).map(checkOf)
  } catch (error) {
    return [fail('endpoints', reasonOf(error), 'Fix the database first.')]
  }
}

async function findProbes(settings: Settings): Promise<EndpointProbe[]> {
  try {
    return await probeFromHere(settings)
  } catch (error) {
    const file = databaseFile(settings.DATABASE_URL)
    if (!(error instanceof DatabaseInUse) || file === undefined) throw error
    await using service = openLocalClient(file)
    return await service.probeEndpoints()
  }
}

/** Requires a current schema, because opening the store would migrate the database. */
async function probeFromHere(settings: Settings): Promise<EndpointProbe[]> {
  const store = await openStoreOf(settings)
  try {
    const externalUrl = () => settings.EXTERNAL_URL ?? `http://localhost:${settings.PORT}`
    return await probeEndpoints(store, egressOf(settings, externalUrl))
  } finally {
    await store.close()
  }
}

function checkOf({ origin, directories, problem }: EndpointProbe): Check {
  const message = `${origin} (${countOf(directories, 'directory', 'directories')})`
  if (problem === undefined) return ok('endpoint', `${message} accepts connections`)
  return warn('endpoint', `${message}: ${problem}`, adviceOn(problem))
}

function adviceOn(problem: string): string {
  if (problem.includes('DSYNC_WEBHOOK_PROXY'))
    return 'Check the address and the password of the proxy, and that it allows CONNECT to this host, or list the host in NO_PROXY.'
  return problem.includes('must not be sent to')
    ? 'If it is yours, list its host or network in DSYNC_WEBHOOK_ALLOW_PRIVATE.'
    : 'Check the name, the firewall and the certificate of the endpoint. Its events are retried.'
}
