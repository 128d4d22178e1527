import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runsAll } from '../../support/extent.ts'
import { forEachEngine, openTestDatabase, startTestService } from '../../support/service.ts'
import { countLoopTurns } from '../support/loop-turns.ts'
import { seedDirectory } from '../support/seed.ts'
import { openStoreOf } from '../support/store.ts'

const userCount = runsAll ? 10_000 : 2_000
/** The number of resources that a search reads at a time; other requests are served in between. */
const usersPerBatch = 100

/** Nearly the maximum number of conditions of a filter; all of them are true, so all must be evaluated. */
const expensiveFilter = Array.from({ length: 225 }, (_, n) => `not(name.givenName co "${n}x")`).join(' and ')

const searches = [
  { filter: `${expensiveFilter} and title pr`, count: 1 },
  { filter: expensiveFilter, sortBy: 'name.givenName', startIndex: userCount / 2 },
  { filter: `title pr or (${expensiveFilter})`, cursor: '', sortBy: 'emails' },
  { sortBy: 'name.familyName', sortOrder: 'descending' },
]

forEachEngine((engine) => {
  test('expensive searches leave a turn of the event loop to other requests after every 100 users', async () => {
    await using database = await openTestDatabase(engine)
    const seeded = await openStoreOf(database)
    const { id } = await seedDirectory(seeded, userCount)
    await seeded.close()
    await using service = await startTestService(database)
    const { data: directory } = (await service.api('GET', `/${id}`)).body

    using turns = countLoopTurns()
    const responses = await Promise.all(
      searches.map((search) => service.scim(directory, 'POST', '/Users/.search', search)),
    )
    assert.deepEqual(
      responses.map(({ status }) => status),
      searches.map(() => 200),
    )
    assert(turns.count() >= (searches.length * userCount) / usersPerBatch, `${turns.count()} turns of the event loop`)
  })
})
