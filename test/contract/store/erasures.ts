import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import type { Directory } from '../../../src/directory/directory.ts'
import type { OpenErasure, PersonalPlace, PersonalRow, RowChange } from '../../../src/privacy/privacy-store.ts'
import { personalPlaces } from '../../../src/privacy/privacy-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { someAudit } from './audit-samples.ts'
import type { StoreUnderTest } from './database.ts'
import { someRequest } from './requests.ts'
import { addDirectory, addGroup, addUsers, cause, changedUser, committed, eventsOf, writesTo } from './samples.ts'

const noPlaces = {
  ...{ users: 0, groups: 0, events: 0, dead_events: 0, deliveries: 0, requests: 0, sync_runs: 0, holds: 0, audit: 0 },
}

function someErasure(given: Partial<OpenErasure> = {}): OpenErasure {
  return {
    ...{ id: uuidv7(), tenant: uuidv7(), product: 'crm', startedAt: 1_700_000_000_000, places: noPlaces },
    ...{ callerKind: 'api-key', callerId: 'key', callerName: 'CRM', reason: 'ticket 7' },
    plan: { subject: 'ann', requestId: 'request', users: [], identifying: ['ann'], others: ['x'] },
    ...given,
  }
}

/** Every row of a place, read in pages of two. */
async function rowsOf(store: Store, place: PersonalPlace, { id }: Directory): Promise<PersonalRow[]> {
  const found: PersonalRow[] = []
  for (;;) {
    const rows = await store.personalRows(place, id, found.at(-1)?.key, 2)
    found.push(...rows)
    if (rows.length < 2) return found
  }
}

export function erasureContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: rows with personal data are read in pages and changed, those of others are not`, async () => {
    const store = await openStore()
    const directories = [await addDirectory(store), await addDirectory(store)]
    for (const directory of directories) {
      const users = await addUsers(store, directory, ['ann', 'bob', 'cid', 'dan', 'eve'])
      await addGroup(store, directory, 'Sales', users)
      const requests = ['ann', 'bob', 'cid'].map((subject) =>
        someRequest({ subject, status: 409, body: `{"userName":"${subject}"}` }),
      )
      for (const request of requests) await store.addRequests(directory.id, [request], 1_000)
      const attempt = { target: 'endpoint', attempt: 1, at: 5, status: 400, error: 'no', durationMs: 1 } as const
      await store.addAttempts(directory.id, [
        { ...attempt, firstSequence: 1, lastSequence: 1, responseBody: 'ann' },
        { ...attempt, firstSequence: 2, lastSequence: 3 },
      ])
    }
    const [directory, other] = directories
    assert.ok(directory && other)
    const everything = async (of: Directory) => {
      const places: Record<string, unknown> = {}
      for (const place of personalPlaces) places[place] = await rowsOf(store, place, of)
      return places
    }
    const before = await everything(other)
    const erasure = someErasure()
    await store.addErasure(erasure)
    const counts = { users: 5, groups: 1, events: 11, request_batches: 3, request_bodies: 3, delivery_attempts: 2 }
    for (const [name, count] of Object.entries(counts)) {
      const place = name as PersonalPlace
      const rows = await rowsOf(store, place, directory)
      assert.equal(rows.length, count, place)
      const changes = rows.map((row): RowChange => changeOf(place, row))
      assert.equal(await store.changePersonalRows(place, directory.id, changes, erasure), true)
    }
    const after = await everything(directory)
    assert.doesNotMatch(JSON.stringify(after), /"ann|bob@/)
    assert.deepEqual(after['request_bodies'], [])
    const { requests } = await store.listRequests(
      directory.id,
      { about: { subject: 'ann' } },
      { before: 2 ** 33 - 1, limit: 10 },
    )
    assert.deepEqual(requests, [])
    assert.deepEqual((await store.directoriesRefusing('ann', {})).directoryIds, [other.id])
    assert.deepEqual(await everything(other), before)
    await store.dropErasure(erasure.id)
  })

  test(`${engine}: a user whom somebody else has changed in the meantime stays as it is`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann] = await addUsers(store, directory, ['ann'])
    assert.ok(ann)
    const [row] = await rowsOf(store, 'users', directory)
    assert.ok(row)
    const changed = changedUser(ann, { title: 'CTO' })
    committed(await writesTo(store, directory).replaceUser(ann, changed))
    const change = { row, values: { raw: '{}' } }
    const erasure = { id: uuidv7(), places: noPlaces }
    assert.equal(await store.changePersonalRows('users', directory.id, [change], erasure), false)
    assert.equal((await store.getUser(directory.id, ann.id))?.raw, changed.raw)
  })

  test(`${engine}: a user whom a mapping run has changed in the meantime, which makes no version, stays as it is`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await addUsers(store, directory, ['ann'])
    const [row] = await rowsOf(store, 'users', directory)
    assert.ok(row)
    const erasure = { id: uuidv7(), places: noPlaces }
    const before = { ...row, values: { ...row.values, mapped: '{"roles":[],"attributes":{}}' } }
    const change = (from: typeof row) => [{ row: from, values: { mapped: '{"roles":["x"],"attributes":{}}' } }]
    assert.equal(await store.changePersonalRows('users', directory.id, change(before), erasure), false)
    assert.equal(await store.changePersonalRows('users', directory.id, change(row), erasure), true)
  })

  test(`${engine}: user.erased is the last event of a user once, however often it is appended`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann] = await addUsers(store, directory, ['ann', 'bob'])
    assert.ok(ann)
    const user = { directoryId: directory.id, userId: ann.id }
    const appended = await Promise.all([store.appendErased(user, cause), store.appendErased(user, cause)])
    assert.equal(appended.filter((event) => event !== undefined).length, 1)
    const events = await eventsOf(store, directory)
    assert.deepEqual([events.length, events.at(-1)?.eventType, events.at(-1)?.sequence], [3, 'user.erased', 3])
    assert.equal(events.at(-1)?.data, JSON.stringify({ id: ann.id, erased: true }))
    assert.equal(await store.appendErased({ ...user, directoryId: uuidv7() }, cause), undefined)
  })

  test(`${engine}: an erasure is open until it is finished, and then listed without its plan`, async () => {
    const store = await openStore()
    const tenant = uuidv7()
    const [first, second, dropped] = [1, 2, 3].map((n) => someErasure({ tenant, startedAt: 1_700_000_000_000 + n }))
    assert.ok(first && second && dropped)
    for (const erasure of [first, second, dropped]) await store.addErasure(erasure)
    await store.dropErasure(dropped.id)
    const open = (await store.openErasures(1_000)).filter((one) => one.tenant === tenant)
    assert.deepEqual(open, [first, second])
    const places = { ...noPlaces, events: 7 }
    const end = { at: 1, places, receipt: 'a.b.c' }
    assert.equal(await store.isErasureFinished(first.id), false)
    for (const { id } of [first, second])
      assert.equal(await store.finishErasure(id, { ...end, at: 1_800_000_000_000 }, someAudit()), true)
    assert.equal(await store.finishErasure(first.id, { ...end, receipt: 'x' }, someAudit()), false)
    const finished = await Promise.all([first, dropped].map(({ id }) => store.isErasureFinished(id)))
    assert.deepEqual(finished, [true, false])
    const scope = { tenant, product: 'crm' }
    const { plan: _, ...listed } = first
    const expected = { ...listed, places, finishedAt: 1_800_000_000_000, receipt: 'a.b.c' }
    const [newest] = await store.listErasures(scope, undefined, 1)
    assert.equal(newest?.id, second.id)
    assert.deepEqual(await store.listErasures(scope, newest, 10), [expected])
    assert.deepEqual(await store.listErasures({ ...scope, product: 'erp' }, undefined, 10), [])
    await store.changeErasureTexts(first.id, { reason: '(erased)', callerName: undefined })
    const [changed] = await store.listErasures(scope, newest, 10)
    assert.deepEqual(changed, { ...expected, reason: '(erased)', callerName: undefined })
    const all = await store.listErasures(undefined, undefined, 1_000)
    assert.deepEqual(
      all.flatMap((one) => (one.tenant === tenant ? [one.id] : [])),
      [second.id, first.id],
    )
    assert.deepEqual(
      (await store.openErasures(1_000)).filter((one) => one.tenant === tenant),
      [],
    )
  })
}

function changeOf(place: PersonalPlace, row: PersonalRow): RowChange {
  if (place === 'request_bodies') return { row, isRemoved: true }
  if (place === 'request_batches') return { row, requests: row.requests.map((one) => ({ ...one, subject: null })) }
  if (place === 'events') return { row, values: { data: '{"id":"x","erased":true}', changes: null } }
  if (place === 'delivery_attempts') return { row, values: { error: 'x', response_body: null, response_id: null } }
  return { row, values: { raw: '{}' } }
}
