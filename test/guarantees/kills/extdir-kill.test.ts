import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { FakeGoogle } from '../../../tools/fake-google/server.ts'
import type { TestDatabase } from '../../support/database.ts'
import { forEachEngine, openTestDatabase } from '../../support/database.ts'
import { connectDirectory, sync, syncWell } from '../../support/extdir.ts'
import type { ServiceProcess } from '../../support/service.ts'
import { startServiceProcess, startTestService } from '../../support/service.ts'
import { makeChanges } from '../../unit/fake-google/history.ts'
import type { Random } from '../../unit/fake-google/random.ts'
import { seededRandom } from '../../unit/fake-google/random.ts'
import { assertPulled, endLeases, runsOf, settingsFor, startSmallGoogle } from '../support/pulled.ts'

const seed = 20_261_121

/** The number of killed syncs before each complete one: an initial sync, then a sync of changes. */
const killsPerRound = [1, 1] as const
const changesPerRound = 40

/** A directory, its Workspace and its database, which outlive the processes. */
interface Fixture {
  readonly google: FakeGoogle
  readonly database: TestDatabase
  readonly directory: DirectoryView
  readonly random: Random
}

/** The moment of a kill: a number of turns of this event loop after the n-th request to Google. */
interface Moment {
  readonly request: number
  readonly turns: number
}

/** A random moment during a sync with this number of requests. The turns are enough for writing a page. */
function randomMoment(random: Random, requests: number): Moment {
  return { request: random.between(1, requests), turns: random.between(0, 1500) }
}

/** Kills a process at a moment of a sync, which may have ended if the moment is late. */
async function killInSync(service: ServiceProcess, { google, directory }: Fixture, moment: Moment): Promise<void> {
  const before = google.requests.total()
  let killed: Promise<unknown> | undefined
  google.onRequest = ({ number }) => {
    if (number - before === moment.request) killed = killAfter(service, moment.turns)
    return undefined
  }
  await sync(service, directory).catch(() => undefined)
  google.onRequest = () => undefined
  await killed
}

async function killAfter(service: ServiceProcess, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn()
  await service.kill('SIGKILL')
}

/** Kills this number of syncs, each in its own process. */
async function killSyncs(pulled: Fixture, kills: number, requests: number): Promise<Moment[]> {
  const moments = Array.from({ length: kills }, () => randomMoment(pulled.random, requests))
  for (const moment of moments) {
    await using service = await startServiceProcess(pulled.database, settingsFor(pulled.google))
    await endLeases(pulled.database)
    await killInSync(service, pulled, moment)
  }
  return moments
}

/** The end of a killed run; one that the kill came too late for is completed, with any note. */
const interrupted = 'failed: The process that ran it stopped before its end.'

forEachEngine((engine) => {
  test('a sync killed at any point is recorded as failed, and the next one completes it', async (t) => {
    const random = seededRandom(seed)
    await using google = await startSmallGoogle(seed)
    await using database = await openTestDatabase(engine)
    const settings = settingsFor(google)
    const directory = await createConnectedDirectory(database, google)
    let [checked, requests] = [0, 20]
    const killed: string[] = []
    for (const kills of killsPerRound) {
      const moments = await killSyncs({ google, database, directory, random }, kills, requests)
      t.diagnostic(moments.map((moment) => `${moment.turns} turns after request ${moment.request}`).join(', '))
      await using service = await startTestService(database, settings)
      // On SQLite the run must have been interrupted, because only one process can use the file; on PostgreSQL the
      // lease decides.
      const isRunning = (await runsOf(service, directory)).some(({ state }) => state === 'running')
      if (engine === 'sqlite') assert(!isRunning, 'a killed run is recorded as failed when the service starts')
      await endLeases(database)
      requests = (await syncWell(service, directory)).requests
      const [, ...earlier] = await runsOf(service, directory)
      killed.push(...earlier.slice(0, kills).map(({ state, error }) => `${state}: ${error}`))
      checked = (await assertPulled(service, directory, google, checked)).length
      makeChanges(google, random, changesPerRound)
    }
    assert(killed.includes(interrupted), 'some runs were killed before their end')
    assert.deepEqual(
      killed.filter((end) => end !== interrupted && !end.startsWith('completed: ')),
      [],
    )
  })
})

/** Creates a connected directory with a service of its own. */
async function createConnectedDirectory(database: TestDatabase, google: FakeGoogle): Promise<DirectoryView> {
  await using service = await startTestService(database, settingsFor(google))
  return await connectDirectory(service, google)
}
