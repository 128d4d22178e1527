import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { poll } from '../../support/eventually.ts'
import type { TestService } from '../../support/service.ts'
import { startTestService } from '../../support/service.ts'
import { startPostgresPair } from '../support/postgres-pair.ts'

/** Waits until `/readyz` has a status, and returns the one of `/healthz`. */
async function untilReadiness(service: TestService, wanted: number): Promise<number> {
  await poll(
    () => service.request('GET', '/readyz'),
    ({ status }) => status === wanted,
    ({ status }) => `/readyz to be ${wanted}, not ${status}`,
  )
  return (await service.request('GET', '/healthz')).status
}

describe('postgres', () => {
  test('while a synchronous standby hangs, /readyz of every process is 503, and 200 once it goes on', async () => {
    await using pair = await startPostgresPair()
    await using one = await startTestService(pair.database)
    await using other = await startTestService(pair.database)
    const services = [one, other]
    const all = (status: number) => Promise.all(services.map((service) => untilReadiness(service, status)))
    assert.deepEqual(await all(200), [200, 200])
    pair.loseStandby()
    assert.deepEqual(await all(503), [200, 200])
    // A commit that the server has stopped waiting for does not make a process ready.
    const again = await Promise.all(services.map((service) => service.request('GET', '/readyz')))
    assert.deepEqual(
      again.map(({ status, headers }) => [status, headers['retry-after']]),
      [
        [503, '5'],
        [503, '5'],
      ],
    )
    pair.restoreStandby()
    assert.deepEqual(await all(200), [200, 200])
  })
})
