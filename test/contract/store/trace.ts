import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import type { RecordedAttempt } from '../../../src/delivery/log/attempt-store.ts'
import { traceStart } from '../../../src/diagnostics/trace/trace-store.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import { createSealing } from '../../../src/store/sealing.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import { someKey } from './database.ts'
import { addDirectory, committed, delta, groupEvent, someGroup, someUser, userEvent, writesTo } from './samples.ts'

/** Creates a user on behalf of a request. */
async function createdBy(store: Store, directory: Directory, requestId: string, userName: string) {
  const user = someUser({ userName })
  const cause = { requestId, at: 1_700_000_000_000 }
  committed(await store.createUser(directory, user, userEvent('user.created', user), cause))
  return user
}

const sequencesOf = (events: readonly { readonly sequence: number }[]) => events.map(({ sequence }) => sequence)

export function traceContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: the events of a request are found by its id, with those of its operations, page by page`, async () => {
    const store = await openStore()
    const [directory, other] = [await addDirectory(store), await addDirectory(store)]
    const id = uuidv7()
    await createdBy(store, directory, uuidv7(), 'before')
    await createdBy(store, directory, id, 'ann')
    await createdBy(store, other, uuidv7(), 'other')
    await createdBy(store, directory, `${id}.0002`, 'bob')
    await createdBy(store, directory, `${id}.0001`, 'cem')
    await createdBy(store, directory, id, 'dan')
    const all = await store.eventsOfRequest(id, traceStart, 9)
    assert.deepEqual(sequencesOf(all.map(({ event }) => event)), [2, 5, 4, 3])
    assert.deepEqual([...new Set(all.map(({ directoryId }) => directoryId))], [directory.id])
    const pages: number[][] = []
    for (let after = traceStart; ; ) {
      const page = (await store.eventsOfRequest(id, after, 2)).map(({ event }) => event)
      const last = page.at(-1)
      if (last === undefined) break
      pages.push(sequencesOf(page))
      after = { requestId: last.requestId, sequence: last.sequence }
    }
    assert.deepEqual(pages, [
      [2, 5],
      [4, 3],
    ])
    assert.deepEqual(
      sequencesOf((await store.eventsOfRequest(`${id}.0002`, traceStart, 9)).map(({ event }) => event)),
      [3],
    )
    assert.deepEqual(await store.eventsOfRequest('with \0 NUL', traceStart, 9), [])
    await store.deleteDirectory(directory.id, 0)
    assert.deepEqual(await store.eventsOfRequest(id, traceStart, 9), [])
  })

  test(`${engine}: the events of a user and of a group include those of memberships, newest first`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann, bob] = [await createdBy(store, directory, 'r', 'ann'), await createdBy(store, directory, 'r', 'bob')]
    const group = someGroup({ displayName: 'Sales' })
    const writes = writesTo(store, directory)
    committed(
      await store.createGroup(directory, group, delta([ann, bob]), groupEvent('group.created', group), {
        requestId: 'r',
        at: 1,
      }),
    )
    committed(await writes.changeMembers(group, delta([], [ann])))
    committed(await writes.deleteUser(bob))
    const of = async (id: string, before = 99, limit = 9) =>
      sequencesOf(await store.eventsOfResource(directory.id, id, before, limit))
    assert.deepEqual(await of(ann.id), [6, 4, 1])
    assert.deepEqual(await of(bob.id), [7, 5, 2])
    assert.deepEqual(await of(group.id), [6, 5, 4, 3])
    assert.deepEqual(await of(group.id, 6, 2), [5, 4])
    assert.deepEqual(await of('nobody'), [])
    const other = await addDirectory(store)
    assert.deepEqual(await store.eventsOfResource(other.id, ann.id, 99, 9), [])
    for (const id of [ann.id, bob.id, group.id]) assert.equal(await store.directoryOfResource(id), directory.id)
    assert.equal(await store.directoryOfResource('nobody'), undefined)
    await store.deleteDirectory(directory.id, 0)
    assert.equal(await store.directoryOfResource(ann.id), undefined)
  })

  test(`${engine}: attempts are found by the events that they delivered`, async () => {
    const store = await openStore()
    const [directory, other] = [await addDirectory(store), await addDirectory(store)]
    const attempt = (first: number, last: number, given: Partial<RecordedAttempt> = {}): RecordedAttempt => ({
      ...{ firstSequence: first, lastSequence: last, target: 'endpoint', attempt: 1, at: 5_000_000_000_000 },
      ...{ status: 200, error: null, durationMs: 7 },
      ...given,
    })
    const failed = attempt(1, 1, { status: null, error: 'no response', durationMs: 15_000 })
    const [again, batch, callback] = [
      attempt(1, 1, { attempt: 2 }),
      attempt(2, 500),
      attempt(3, 3, { target: 'on-event' }),
    ]
    await store.addAttempts(directory.id, [failed, again, batch, callback, attempt(501, 501)])
    await store.addAttempts(directory.id, [again])
    await store.addAttempts(other.id, [attempt(1, 1)])
    await store.addAttempts('nobody', [attempt(1, 1)])
    const of = (from: number, to: number, limit = 9) => store.attemptsOf(directory.id, { from, to }, limit)
    assert.deepEqual(await of(1, 1), [failed, again])
    assert.deepEqual(await of(3, 3), [callback, batch])
    assert.deepEqual(await of(400, 500), [batch])
    assert.deepEqual(await of(1, 2, 2), [failed, again])
    assert.deepEqual(await of(502, 9_000), [])
  })

  test(`${engine}: response bodies are encrypted with their attempts, and with a new key when keys are rotated`, async () => {
    await using database = await createDatabase()
    const store = await database.open()
    const directory = await addDirectory(store)
    const refused: RecordedAttempt = {
      ...{ firstSequence: 1, lastSequence: 1, target: 'endpoint', attempt: 1, at: 5, status: 422, durationMs: 7 },
      ...{ error: 'answered 422', responseBody: 'the name is too long' },
    }
    await store.addAttempts(directory.id, [refused])
    await store.close()
    assert.doesNotMatch(JSON.stringify(await database.rowsOf(['delivery_attempts'])), /too long/)
    const newKey = Buffer.alloc(32, 9)
    const during = await database.open(createSealing([newKey, someKey]))
    while ((await during.resealed(99)).left);
    await during.close()
    const after = await database.open(createSealing([newKey]))
    assert.deepEqual(await after.attemptsOf(directory.id, { from: 1, to: 1 }, 9), [refused])
    await after.close()
  })
}
