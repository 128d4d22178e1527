import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DirectoryView } from '../../src/directory/directory-view.ts'
import type { FakeGoogle } from '../../tools/fake-google/server.ts'
import type { TestDatabase } from '../support/database.ts'
import { forEachEngine, openTestDatabase } from '../support/database.ts'
import { connectDirectory, sync, syncWell } from '../support/extdir.ts'
import type { ServiceProcess } from '../support/service.ts'
import { startServiceProcess, startTestService } from '../support/service.ts'
import { makeChanges } from '../unit/fake-google/history.ts'
import type { Random } from '../unit/fake-google/random.ts'
import { seededRandom } from '../unit/fake-google/random.ts'
import { assertPulled, endLeases, runsOf, settingsFor, startSmallGoogle } from './support/pulled.ts'

const seed = 20_261_121

/** How many syncs are killed one after the other, before one that is left alone: first syncs, then two of changes. */
const killsPerRound = [2, 1, 1] as const
const changesPerRound = 40

/** A directory, its Workspace and its database, between one process and the next. */
interface Pulled {
  readonly google: FakeGoogle
  readonly database: TestDatabase
  readonly directory: DirectoryView
  readonly random: Random
}

/** When a process is killed: so many turns of this event loop after it has sent its so manieth request. */
interface Moment {
  readonly request: number
  readonly turns: number
}

/** Any of so many requests; in all the turns that may follow, what comes with a page is written. */
function momentAmong(random: Random, requests: number): Moment {
  return { request: random.between(1, requests), turns: random.between(0, 1500) }
}

/** Kills a process at a moment of a sync; with the last one it may have ended. */
async function killInSync(service: ServiceProcess, { google, directory }: Pulled, moment: Moment): Promise<void> {
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

/** Starts a process, kills it in a sync, and another one for the next, so many times. */
async function killSome(pulled: Pulled, kills: number, requests: number): Promise<Moment[]> {
  const moments = Array.from({ length: kills }, () => momentAmong(pulled.random, requests))
  for (const moment of moments) {
    await using service = await startServiceProcess(pulled.database, settingsFor(pulled.google))
    await endLeases(pulled.database)
    await killInSync(service, pulled, moment)
  }
  return moments
}

/** How a run ends that nobody has ended; one that was killed at its very end may have come to it. */
const ends = ['failed: The process that ran it stopped before its end.', 'completed: null']

forEachEngine((engine) => {
  test('a sync killed at any point is recorded as failed, and the next one completes it', async (t) => {
    const random = seededRandom(seed)
    await using google = await startSmallGoogle(seed)
    await using database = await openTestDatabase(engine)
    const settings = settingsFor(google)
    const directory = await connected(database, google)
    let [checked, requests] = [0, 20]
    const killed: string[] = []
    for (const kills of killsPerRound) {
      const moments = await killSome({ google, database, directory, random }, kills, requests)
      t.diagnostic(moments.map((moment) => `${moment.turns} turns after request ${moment.request}`).join(', '))
      await using service = await startTestService(database, settings)
      // A process that has the file to itself knows that nobody else runs it; among several, time tells.
      const isRunning = (await runsOf(service, directory)).some(({ state }) => state === 'running')
      if (engine === 'sqlite') assert(!isRunning, 'what was killed is recorded as failed at the start')
      await endLeases(database)
      requests = (await syncWell(service, directory)).requests
      const [, ...earlier] = await runsOf(service, directory)
      killed.push(...earlier.slice(0, kills).map(({ state, error }) => `${state}: ${error}`))
      checked = (await assertPulled(service, directory, google, checked)).length
      makeChanges(google, random, changesPerRound)
    }
    assert(killed.includes(ends[0] ?? ''), 'some were killed on their way')
    assert.deepEqual(
      killed.filter((end) => !ends.includes(end)),
      [],
    )
  })
})

/** A directory that a service has made before. */
async function connected(database: TestDatabase, google: FakeGoogle): Promise<DirectoryView> {
  await using service = await startTestService(database, settingsFor(google))
  return await connectDirectory(service, google)
}
