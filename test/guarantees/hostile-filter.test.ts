import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachEngine, openTestDatabase, startTestService } from '../support/service.ts'
import { watchLoopTurns } from './support/loop-turns.ts'
import { seedDirectory } from './support/seed.ts'
import { openStoreOf } from './support/store.ts'

const manyUsers = 100_000

/** About as many conditions as a filter may have, on text that must be folded; all of them hold and must be looked at. */
const hostileFilter = Array.from({ length: 225 }, (_, n) => `not(name.givenName co "${n}x")`).join(' and ')

const searches = [
  { filter: `${hostileFilter} and title pr`, count: 1 },
  { filter: hostileFilter, sortBy: 'name.givenName', startIndex: 50_000 },
  { filter: `title pr or (${hostileFilter})`, cursor: '', sortBy: 'emails' },
  { sortBy: 'name.familyName', sortOrder: 'descending' },
]

forEachEngine((engine) => {
  test('hostile searches of a large directory delay nobody by more than 50 ms', async () => {
    await using database = await openTestDatabase(engine)
    const seeded = await openStoreOf(database)
    const { id } = await seedDirectory(seeded, manyUsers)
    await seeded.close()
    await using service = await startTestService(database)
    const { data: large } = (await service.api('GET', `/${id}`)).body
    const neighbour = await service.createDirectory({ tenant: 'neighbour' })
    const { body: ann } = await service.scim(neighbour, 'POST', '/Users', { userName: 'ann' })

    for (const search of searches) {
      const { status, text } = await service.scim(neighbour, 'POST', '/Users/.search', search)
      assert.equal(status, 200, text)
    }

    /** The longest turn of the event loop while the searches run and the neighbour asks. */
    async function measured() {
      const before = service.log.length
      const answers = Promise.allSettled(searches.map((one) => service.scim(large, 'POST', '/Users/.search', one)))
      using turns = watchLoopTurns()
      for (let n = 0; n < 300; n += 1) {
        const { status } = await service.scim(neighbour, 'GET', `/Users/${ann.id}`)
        assert.equal(status, 200)
      }
      const longestMs = turns.longestMs()
      const answered = service.log.slice(before).filter(({ route }) => String(route).endsWith('.search')).length
      assert.ok(answered < searches.length, 'the searches were over before the other requests')
      return { longestMs, answers }
    }

    // a turn that is long by itself is long each time; one that a busy machine has stretched is not
    let { longestMs, answers } = await measured()
    if (longestMs >= 50) {
      await answers
      ;({ longestMs, answers } = await measured())
    }
    assert.ok(longestMs < 50, `a turn of the event loop took ${longestMs.toFixed(1)} ms`)
    await service[Symbol.asyncDispose]()
    await answers
  })
})
