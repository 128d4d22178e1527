import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { engines, openTestDatabase } from '../../support/database.ts'
import { eventually, settled } from '../../support/eventually.ts'
import { connectDirectory, sync, syncWell } from '../../support/extdir.ts'
import { forSuite, startServiceProcess } from '../../support/service.ts'
import { feedAfter } from '../support/feed.ts'
import { assertPulled, endLeases, runsOf, settingsFor, startSmallGoogle } from '../support/pulled.ts'

const wanted = process.env['TEST_ENGINES']?.split(',') ?? engines

/** A fake Google and two processes that share a database. */
async function openTwo() {
  await using opening = new AsyncDisposableStack()
  const google = opening.use(await startSmallGoogle(1))
  const database = opening.use(await openTestDatabase('postgres'))
  const settings = settingsFor(google)
  const one = opening.use(await startServiceProcess(database, settings))
  const other = opening.use(await startServiceProcess(database, settings))
  const closing = opening.move()
  return { google, database, one, other, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

describe('two processes on one database', { skip: !wanted.includes('postgres') }, () => {
  const two = forSuite(openTwo)

  test('of concurrent sync requests for a directory, one runs and the others are rejected', async () => {
    const { google, one, other } = two()
    const directory = await connectDirectory(one, google, { tenant: 'at-once' })
    const release = Promise.withResolvers<void>()
    google.onRequest = () => ({ kind: 'slow', until: release.promise })
    const asked = [one, other, one, other].map((service) => service.api('POST', `/${directory.id}/sync`))
    const responses = await Promise.all(asked)
    assert.deepEqual(responses.map(({ status }) => status).sort(), [202, 409, 409, 409])
    release.resolve()
    google.onRequest = () => undefined
    await eventually('the run to end', async () => (await runsOf(other, directory))[0]?.state !== 'running')
    const [run, ...others] = await runsOf(other, directory)
    assert.deepEqual([run?.state, others.length], ['completed', 0])
    await assertPulled(other, directory, google)
  })

  test('a run that another process has taken over writes no more', async () => {
    const { google, database, one, other } = two()
    google.knobs.pageSizeCap = 500
    const directory = await connectDirectory(one, google, { tenant: 'taken-over' })
    const [ann, bob] = google.users()
    assert(ann && bob)
    const stopped = Promise.withResolvers<void>()
    google.onRequest = ({ endpoint }) => {
      if (endpoint !== 'users.list') return undefined
      process.kill(one.pid, 'SIGSTOP')
      google.onRequest = () => undefined
      stopped.resolve()
      return undefined
    }
    const taken = sync(one, directory)
    await stopped.promise
    // The page with all users is sent within these turns and is outdated when it is read.
    for (let turn = 0; turn < 10; turn += 1) await nextTurn()
    google.deleteUser(ann.id)
    google.changeUser(bob.id, { givenName: 'Robert' })
    await endLeases(database)
    await syncWell(other, directory)
    const before = await assertPulled(other, directory, google)
    process.kill(one.pid, 'SIGCONT')
    const { state, error } = await settled('the run to end', taken)
    assert.match(`${state}: ${error}`, /^failed: This run was taken over by another process/)
    assert.deepEqual(await feedAfter(other, directory), before)
    await assertPulled(other, directory, google)
    const states = (await runsOf(other, directory)).map(({ state, error }) => `${state}: ${error}`)
    assert.deepEqual(states, ['completed: null', 'failed: The process that ran it stopped before its end.'])
  })
})
