import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Resync } from '../../../src/delivery/resync/resync.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { Store } from '../../../src/store/store.ts'
import { testCaller } from '../../support/audited.ts'
import { forEachEngine, openTestDatabase } from '../../support/database.ts'
import { cases } from '../../support/extent.ts'
import type { Copy } from '../../support/rebuilt.ts'
import { applyEvent, emptyCopy, replicaOf } from '../../support/rebuilt.ts'
import type { ReceivedEvent } from '../../support/receiver.ts'
import { replicaFrom } from '../../support/replica.ts'
import type { Request } from '../support/history.ts'
import { anyRequest, beginning, createSender, history, ordinaryStatuses } from '../support/history.ts'
import { inProcessIdp, inProcessService, payloadsAfter, replicaIn } from '../support/in-process-service.ts'
import { openStoreOf } from '../support/store.ts'

/** The requests before or during each step of a resync. */
const between = fc.array(fc.array(anyRequest, { maxLength: 3 }), { maxLength: 25 })

const limits = { rows: 2, bytes: 1_000_000 }

async function begin(store: Store, { id: directoryId }: Directory): Promise<Resync> {
  const request = { directoryId, syncId: `sync-${directoryId}`, requestId: 'a request', startedAt: Date.now() }
  const begun = await store.beginResync(request)
  return typeof begun === 'string' ? assert.fail(begun) : begun
}

async function step(store: Store, resync: Resync): Promise<Resync> {
  const after = await store.stepResync(resync, limits, Date.now())
  return typeof after === 'string' ? assert.fail(after) : after
}

/** A wrong copy: deleted rows, changed rows and unknown members. */
function wrongCopy(events: readonly ReceivedEvent[]): Copy {
  const copy = emptyCopy()
  for (const event of events.filter(({ event: type }) => !/deleted|removed/.test(type))) applyEvent(copy, event)
  for (const [id, { sequence }] of [...copy.users, ['ghost', { sequence: 0 }] as const]) {
    copy.users.set(id, { data: { id, email: 'long.ago@example.com' }, sequence })
    for (const groupId of [...copy.groups.keys(), 'ghosts']) {
      copy.members.set(`${groupId} ${id}`, { groupId, userId: id, sequence })
    }
  }
  copy.groups.set('ghosts', { data: { id: 'ghosts' }, sequence: 0 })
  return copy
}

forEachEngine((engine) => {
  test('a copy is correct after the events of a resync, regardless of its previous content and of changes during the resync', async () => {
    await using database = await openTestDatabase(engine)
    await using store = await openStoreOf(database)
    const service = inProcessService(store)

    async function run(before: readonly Request[], concurrent: readonly (readonly Request[])[]): Promise<void> {
      const directory = await service.directories.create({ tenant: 'acme', product: 'crm' }, testCaller)
      const send = createSender(inProcessIdp(service, directory))
      const sendAll = async (requests: readonly Request[]) => {
        for (const request of requests) assert(ordinaryStatuses.has(await send(request)))
      }
      await sendAll([...beginning, ...before])
      let resync = await begin(store, directory)
      for (let n = 0; resync.completedAt === undefined; n += 1) {
        const [after] = await Promise.all([step(store, resync), sendAll(concurrent[n] ?? [])])
        resync = after
      }
      await sendAll(concurrent.at(-1) ?? [])
      await assertRebuilt(directory, resync)
    }

    async function assertRebuilt(directory: Directory, { startedSequence, sent: received }: Resync): Promise<void> {
      const known = await replicaIn(service, directory)
      const all = await payloadsAfter(store, directory, 0)
      replicaFrom(all)
      for (const copy of [emptyCopy(), wrongCopy(all.slice(0, startedSequence - 1))]) {
        for (const event of all.slice(startedSequence - 1)) applyEvent(copy, event)
        assert.deepEqual(replicaOf(copy), known)
      }
      const count = (type: string) => all.filter(({ event }) => event === type).length
      const counted = {
        users: count('user.snapshot'),
        groups: count('group.snapshot'),
        members: count('member.snapshot'),
      }
      assert.deepEqual(counted, received)
    }

    await fc.assert(fc.asyncProperty(history, between, run), { numRuns: cases(30, 10) })
  })
})
