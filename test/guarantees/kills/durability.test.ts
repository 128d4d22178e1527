import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryEngine, openTestDatabase } from '../../support/database.ts'
import { runsAll } from '../../support/extent.ts'
import { startReceiver } from '../../support/receiver.ts'
import { replicaFrom, replicaRead } from '../../support/replica.ts'
import { startServiceProcess, startTestService } from '../../support/service.ts'
import { eventsUntilNow } from '../support/deliveries.ts'
import { idpOf, names } from '../support/idp.ts'
import { assertKept, openJournal, provisionUntilGone } from '../support/provisioning.ts'
import { seededRandom, wholeBetween } from '../support/random.ts'
import { openStoreOf, storedEvents } from '../support/store.ts'
import { connect } from '../support/world.ts'

const seed = 20_261_121

/** The numbers of responses after which the service is killed, one per round; in `npm test`, one round. */
function killMoments(): number[] {
  const random = seededRandom(seed)
  const [early, late] = [wholeBetween(random, 1, 64), wholeBetween(random, 65, 250)]
  return runsAll ? [early, late] : [early]
}

onEveryEngine((engine) => {
  test('acknowledged changes and their events survive kills during provisioning', async (t) => {
    await using receiver = await startReceiver()
    await using database = await openTestDatabase(engine)
    const { directory, groups } = await (async () => {
      await using service = await startTestService(database)
      const { directory, idp } = await connect(service, receiver)
      return { directory, groups: await Promise.all(names('group', 4).map((name) => idp.createGroup(name))) }
    })()

    const journal = openJournal()
    for (const [round, moment] of killMoments().entries()) {
      await using service = await startServiceProcess(database)
      assertKept(journal, await replicaRead(service, directory))
      const before = journal.acknowledged
      await provisionUntilGone({
        idp: idpOf(service, directory),
        prefix: `round-${round}`,
        groups,
        journal,
        onAcknowledged(count) {
          if (count - before === moment) service.kill('SIGKILL')
        },
      })
    }
    const taken = receiver.events(directory.id).length
    t.diagnostic(`seed ${seed}: ${journal.acknowledged} acknowledged, ${taken} deliveries before the last start`)

    await using service = await startTestService(database)
    const read = await replicaRead(service, directory)
    assertKept(journal, read)
    const events = await eventsUntilNow(receiver, directory.id, idpOf(service, directory))
    assert.deepEqual(replicaFrom(events), read)
    assert.equal(receiver.refusedSignatures(), 0)

    await service.close()
    await using store = await openStoreOf(database)
    const stored = await storedEvents(store, directory.id)
    assert.deepEqual(
      stored.map(({ sequence }) => sequence),
      stored.map((_, index) => index + 1),
    )
    const delivered = events.map(({ sequence, id }) => ({ sequence, id }))
    assert.deepEqual(stored.slice(0, -1), delivered)
  })
})
