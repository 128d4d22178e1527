import { after, before, test } from 'node:test'
import type { Engine } from '../../support/database.ts'
import { forEachEngine } from '../../support/database.ts'
import { runsAll } from '../../support/extent.ts'
import { playHistory } from './support/pulled-history.ts'
import type { PulledStore } from './support/pulled-store.ts'
import { openPulledStore } from './support/pulled-store.ts'

const changes = 40

/**
 * The number of histories, unless TEST_HISTORIES is set. Their seeds start at TEST_SEED, or differ in each run of
 * `npm run test:all`; those of `npm test` are always the same.
 */
const histories: Readonly<Record<Engine, number>> = { sqlite: runsAll ? 20 : 4, postgres: 4 }
const firstSeed = Number(process.env['TEST_SEED'] ?? (runsAll ? Date.now() % 1_000_000_000 : 1))

forEachEngine((engine) => {
  let pulled: PulledStore
  before(async () => {
    pulled = await openPulledStore(engine)
  })
  after(() => pulled[Symbol.asyncDispose]())

  test('after any changes between and during syncs, the directory and its events equal the Workspace, and nobody who stayed was deleted', async () => {
    const count = Number(process.env['TEST_HISTORIES'] ?? histories[engine])
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) await playHistory(pulled, seed, changes)
  })
})
