import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { testApiKey } from '../../../support/service.ts'
import type { Fleet } from '../fleet.ts'
import type { Subject } from '../subjects.ts'
import type { HostileCounts, HostileTenant } from './loop.ts'
import type { WorkerData, WorkerMessage } from './worker.ts'

/** Running hostile tenants. */
export interface Hostilities extends AsyncDisposable {
  /** Ends them; returns the number of their requests. */
  end(): Promise<HostileCounts>
}

/** Interval at which the worker receives the addresses of the processes, which change with each kill. */
const originsMs = 250

/** Starts the hostile tenants among the subjects. */
export async function startHostilities(
  subjects: readonly Subject[],
  fleet: Pick<Fleet, 'origins'>,
): Promise<Hostilities> {
  const workerData: WorkerData = { tenants: hostileTenants(subjects), apiKey: testApiKey }
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData })
  await once(worker, 'message')
  const send = (message: WorkerMessage) => worker.postMessage(message)
  send({ origins: fleet.origins() })
  const timer = setInterval(() => send({ origins: fleet.origins() }), originsMs)
  const ended = once(worker, 'message') as Promise<[HostileCounts]>
  ended.catch(() => {})
  return {
    async end() {
      clearInterval(timer)
      send('over')
      return (await ended)[0]
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await worker.terminate()
    },
  }
}

function hostileTenants(subjects: readonly Subject[]): HostileTenant[] {
  const byTenant = Map.groupBy(
    subjects.filter(({ hostile }) => hostile !== undefined),
    ({ tenant }) => tenant,
  )
  return [...byTenant.values()].map((own) => ({
    kind: own[0]?.hostile ?? assert.fail(),
    directories: own.map(({ directory }) => directory),
  }))
}
