import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import type { RemovalLimit } from '../../../src/directory/removal-limit.ts'
import { allowedRemovals } from '../../../src/directory/removal-limit.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { userViewText } from '../../../src/directory/user.ts'
import { fromJsonText } from '../../../src/scim/json-text.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import {
  addDirectory,
  addGroup,
  cause,
  changedUser,
  committed,
  someUser,
  userEvent,
  writesTo,
} from '../../contract/store/samples.ts'
import type { TestDatabase } from '../../support/database.ts'
import { forEachEngine, openTestDatabase } from '../../support/database.ts'
import { applyEvent, emptyCopy } from '../../support/rebuilt.ts'
import type { ReceivedEvent } from '../../support/receiver.ts'
import { whole } from '../../support/whole.ts'

const limit: RemovalLimit = { percent: 30, minimum: 2, windowSeconds: 3600 }
const encryptionKey = Buffer.alloc(32, 5).toString('base64')

/** The next step; `who` chooses the user. */
const step = fc.record({
  what: fc.constantFrom(
    'create',
    'remove',
    'remove',
    'remove',
    'delete',
    'return',
    'release',
    'discard',
    'restart',
    'read',
  ),
  who: fc.nat(),
  process: fc.nat(1),
})

/** Two processes on PostgreSQL; on SQLite, where one process has the file, both are the same. */
async function openProcesses({ engine, env }: TestDatabase) {
  const open = () =>
    openStore({
      databaseUrl: env['DATABASE_URL'] ?? '',
      ...{ encryptionKey, poolSize: 2, onBackgroundError: () => {} },
    })
  const first = await open()
  const stores = [first, engine === 'sqlite' ? first : await open()]
  return {
    store: (process: number): Store => stores[process] ?? first,
    /** Ends one process, with all of its background work, and starts another. */
    async restart(process: number): Promise<void> {
      await stores[process]?.close()
      const again = await open()
      if (engine === 'sqlite') stores.fill(again)
      else stores[process] = again
    },
    close: () => Promise.all(new Set(stores).values().map((store) => store.close())),
  }
}

forEachEngine((engine) => {
  test('the copy of a consumer is correct and no limit is missed, whatever is removed, added again, released and discarded', async () => {
    await using database = await openTestDatabase(engine)
    const processes = await openProcesses(database)
    const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const directory = await addDirectory(processes.store(0), { id: uuidv7(), removalLimit: limit })
      const users = new Map<string, IndexedUser>()
      const copy = emptyCopy()
      // The ids of users who are removed and have not come back, and those of users that the consumer has received.
      const [removed, shown] = [new Set<string>(), new Set<string>()]
      const model = { highest: 0, position: 0, held: false }

      const active = () => [...users.values()].filter((user) => user.active)
      async function create(store: Store) {
        const user = someUser({ userName: `user-${uuidv7()}` })
        committed(await writesTo(store, directory).createUser(user))
        users.set(user.id, user)
      }
      async function remove(store: Store, user: IndexedUser, isDeleted: boolean) {
        model.highest = Math.max(model.highest, active().length)
        removed.add(user.id)
        model.held ||= removed.size > allowedRemovals(limit, model.highest)
        if (isDeleted) {
          const draft = userEvent('user.deleted', user)
          committed(await store.deleteUser(directory, user, draft, cause))
          users.delete(user.id)
        } else await replace(store, user, false)
      }
      async function replace(store: Store, user: IndexedUser, isActive: boolean) {
        const after = changedUser(user, { active: isActive })
        committed(await writesTo(store, directory).replaceUser(user, after))
        users.set(user.id, after)
        if (isActive) removed.delete(user.id)
      }
      /** The consumer: it applies the events that may be sent, and counts the removals among them. */
      async function read(store: Store) {
        for (const { sequence, eventType, data } of await store.eventsAfter(directory.id, model.position, 1000)) {
          assert.equal(sequence, model.position + 1, 'there is no gap')
          const content = fromJsonText(data)
          const isRemoval =
            eventType === 'user.deleted' || (eventType === 'user.updated' && content['active'] === false)
          if (isRemoval) shown.add(String(content['id']))
          else if (eventType === 'user.updated') shown.delete(String(content['id']))
          model.position = sequence
          applyEvent(copy, { event: eventType, sequence, data: content } as unknown as ReceivedEvent)
        }
        if (model.held) assert(shown.size <= allowedRemovals(limit, model.highest), 'no removal beyond the limit')
      }
      async function isRight(store: Store) {
        await read(store)
        const known = [...copy.users].map(([id, { data }]) => [id, (data as { active: boolean }).active]).sort()
        const present = [...users].map(([id, user]) => [id, user.active]).sort()
        assert.deepEqual(known, present)
      }
      function startAfresh() {
        removed.clear()
        shown.clear()
        Object.assign(model, { highest: 0, held: false })
      }
      async function resyncOf(store: Store, other: Store) {
        await read(other)
        const request = { directoryId: directory.id, syncId: uuidv7(), requestId: 'request', startedAt: cause.at }
        let resync = await store.discardHold(request)
        assert.equal(resync !== undefined, model.held)
        if (resync === undefined) return
        startAfresh()
        await read(other)
        for (let n = 0; resync.completedAt === undefined; n += 1) {
          if (n === 1) await create(other)
          resync = committed(await other.stepResync(resync, { rows: 3, bytes: 100_000 }, cause.at))
        }
      }

      for (let n = 0; n < 8; n += 1) await create(processes.store(n % 2))
      await addGroup(processes.store(0), directory, 'Everyone', [...users.values()])
      for (const { what, who, process } of steps) {
        const [store, other] = [processes.store(process), processes.store(1 - process)]
        const pick = (from: readonly IndexedUser[]) => from[who % Math.max(1, from.length)]
        if (what === 'create') await create(store)
        else if (what === 'remove' || what === 'delete') {
          const user = pick(active())
          if (user !== undefined) await remove(store, user, what === 'delete')
        } else if (what === 'return') {
          const user = pick([...users.values()].filter((one) => !one.active))
          if (user !== undefined) await replace(store, user, true)
        } else if (what === 'restart') await processes.restart(process)
        else if (what === 'read') await read(store)
        else if (what === 'release') {
          await read(other)
          const wasHeld = model.held
          assert.equal(await store.releaseHold(directory.id), wasHeld)
          if (wasHeld) startAfresh()
          await isRight(other)
          if (wasHeld) shown.clear()
        } else {
          const wasHeld = model.held
          await resyncOf(store, other)
          if (wasHeld) await isRight(store)
        }
        const now = processes.store(1 - process)
        assert.equal((await now.getHolds(directory.id)).length > 0, model.held, `after ${what}`)
      }
      if (model.held) await resyncOf(processes.store(0), processes.store(1))
      await isRight(processes.store(1))
      const listed = await processes.store(0).listUsers(directory.id, { from: 0, limit: 1000, withGroups: true })
      assert.equal(listed.length, users.size)
      assert.deepEqual(
        listed.map(({ item }) => userViewText(whole(item))).sort(),
        [...users.values()].map((user) => userViewText(user)).sort(),
      )
    })
    await fc.assert(property, { numRuns: 8 })
    await processes.close()
  })
})
