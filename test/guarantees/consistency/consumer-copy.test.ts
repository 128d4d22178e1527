import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forEachEngine } from '../../support/database.ts'
import { cases } from '../../support/extent.ts'
import { replicaFrom, replicaRead } from '../../support/replica.ts'
import { beginning, createSender, history, ordinaryStatuses } from '../support/history.ts'
import { nestedFrom, nestedRead } from '../support/nested-groups.ts'
import { openWorld } from '../support/world.ts'

forEachEngine((engine) => {
  for (const { how, atOnce } of [
    { how: 'one at a time', atOnce: 1 },
    { how: 'eight at a time', atOnce: 8 },
  ]) {
    test(`a copy built from the events equals what the API returns, after requests sent ${how}`, async () => {
      await using world = await openWorld(engine)
      const property = fc.asyncProperty(history, async (requests) => {
        const { directory, idp, events } = await world.connect()
        const send = createSender(idp)
        for (const request of beginning) await send(request)
        for (let first = 0; first < requests.length; first += atOnce) {
          const statuses = await Promise.all(requests.slice(first, first + atOnce).map(send))
          assert.deepEqual(
            statuses.filter((status) => !ordinaryStatuses.has(status)),
            [],
          )
        }
        const read = await replicaRead(world.client, directory)
        const groupIds = (read.groups as { id: string }[]).map(({ id }) => id)
        const nested = await nestedRead(idp, groupIds)
        const received = await events()
        assert.deepEqual(replicaFrom(received), read)
        assert.deepEqual(nestedFrom(received), nested)
      })
      await fc.assert(property, { numRuns: cases(10, 4) })
    })
  }
})
