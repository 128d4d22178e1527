import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import type {
  RefusedPosition,
  RequestFilter,
  RequestRecord,
} from '../../../src/diagnostics/requests/request-log-store.ts'
import { foldedSubject, newestRequest } from '../../../src/diagnostics/requests/request-log-store.ts'
import type { Directory, DirectoryScope } from '../../../src/directory/directory.ts'
import { newRequestId } from '../../../src/ids/request-id.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import { openAlone } from './database.ts'
import { addDirectory, addGroup, addUsers } from './samples.ts'

const keepAll = 1_000_000

export function someRequest(given: Partial<RequestRecord> = {}): RequestRecord {
  return {
    ...{ id: uuidv7(), at: 1_700_000_000_000, method: 'POST', path: '/Users', status: 201, durationMs: 3 },
    ...{ scimType: null, detail: null, userAgent: 'okta', address: '192.0.2.7', resourceType: 'User' },
    ...{ resourceId: null, subject: null, eventSequences: null },
    ...{ body: null, bodyOmitted: null },
    ...given,
  }
}

/** Adds requests with one subject each; their methods and statuses follow from `kinds`. */
async function addKinds(store: Store, directoryId: string, kinds: readonly [string, number, string?][]): Promise<void> {
  const requests = kinds.map(([method, status, subject]) => someRequest({ method, status, subject: subject ?? null }))
  await store.addRequests(directoryId, requests, keepAll)
}

async function positions(store: Store, directoryId: string, filter: RequestFilter = {}, before = newestRequest) {
  const { requests } = await store.listRequests(directoryId, filter, { before, limit: 100 })
  return requests.map(({ position }) => position)
}

/** Adds requests, each in a batch of its own. */
async function addEach(store: Store, directoryId: string, requests: readonly RequestRecord[]): Promise<void> {
  for (const request of requests) await store.addRequests(directoryId, [request], keepAll)
}

export function requestContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: a request is read back unchanged, its body by its id`, async () => {
    const store = await openStore()
    const { id } = await addDirectory(store)
    const refused = someRequest({
      ...{
        id: newRequestId(id),
        status: 409,
        scimType: 'uniqueness',
        detail: 'é 𝒳',
        resourceId: 'r1',
        subject: 'Ada',
        durationMs: 12_000,
      },
      ...{ eventSequences: '5-9,5000000000', body: '{"userName":"Ada"}', path: '/Users?count=1' },
    })
    const plain = someRequest({
      id: `${newRequestId(id)}.0002`,
      userAgent: null,
      address: null,
      resourceType: null,
      bodyOmitted: 'too-large',
    })
    await store.addRequests(id, [refused, plain], keepAll)
    const { requests: listed } = await store.listRequests(id, {}, { before: newestRequest, limit: 9 })
    const [{ body, ...first }, { body: none, ...second }] = [refused, plain]
    assert.deepEqual(listed, [
      { ...second, position: 2 },
      { ...first, position: 1 },
    ])
    assert.deepEqual(await store.findRequest(refused.id), { directoryId: id, request: { ...first, position: 1 }, body })
    assert.equal((await store.findRequest(plain.id))?.body, none)
    assert.equal(await store.findRequest(newRequestId(id)), undefined)
    assert.equal(await store.findRequest(uuidv7()), undefined)
    assert.equal(await store.findRequest('with \0 NUL'), undefined)
  })

  test(`${engine}: requests are found by method, status and subject, newest first, and by all of them together`, async () => {
    const store = await openStore()
    const [{ id }, other] = [await addDirectory(store), await addDirectory(store)]
    await addKinds(store, other.id, [['POST', 201, 'ada']])
    await addKinds(store, id, [
      ['POST', 201, 'Ada'],
      ['GET', 200],
      ['POST', 409, 'ada'],
      ['PATCH', 404],
      ['GET', 200, 'adam'],
      ['POST', 201, 'bob'],
      ['PUT', 409, 'Ada'],
    ])
    const refused = { from: 400, to: 599 }
    for (const [filter, expected] of [
      [{}, [7, 6, 5, 4, 3, 2, 1]],
      [{ method: 'POST' }, [6, 3, 1]],
      [{ method: 'post' }, []],
      [{ status: { from: 409, to: 409 } }, [7, 3]],
      [{ status: refused }, [7, 4, 3]],
      [{ method: 'POST', status: refused }, [3]],
      [{ subject: 'ada' }, [7, 5, 3, 1]],
      [{ about: { subject: 'ada' } }, [7, 3, 1]],
      [{ subject: 'ada', status: refused }, [7, 3]],
      [{ about: { subject: 'ada' }, status: refused }, [7, 3]],
      [{ about: { subject: 'adam' }, status: refused }, []],
      [{ subject: 'ada', status: { from: 200, to: 299 }, method: 'GET' }, [5]],
      [{ about: { subject: 'ad' } }, []],
      [{ about: {} }, []],
      [{ subject: 'with \0 NUL' }, []],
      [{ about: { subject: 'with \0 NUL' }, status: refused }, []],
    ] as const satisfies readonly (readonly [RequestFilter, readonly number[]])[]) {
      assert.deepEqual(await positions(store, id, filter), expected, JSON.stringify(filter))
    }
    assert.deepEqual(await positions(store, id, { method: 'POST' }, 6), [3, 1])
    assert.deepEqual(await positions(store, 'nobody'), [])
  })

  test(`${engine}: a request without a subject gets the name of the resource that it named`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [user] = await addUsers(store, directory, ['Ada'])
    const { group } = await addGroup(store, directory, 'Sales')
    await store.addRequests(
      directory.id,
      [
        someRequest({ resourceId: user?.id ?? '' }),
        someRequest({ resourceType: 'Group', resourceId: group.id }),
        someRequest({ resourceId: group.id }),
        someRequest({ resourceId: user?.id ?? '', subject: 'given' }),
      ],
      keepAll,
    )
    const listed = await store.listRequests(directory.id, {}, { before: newestRequest, limit: 9 })
    const subjects = listed.requests.map(({ subject }) => subject)
    assert.deepEqual(subjects, ['given', null, 'Sales', 'Ada'])
    const about = { resourceId: user?.id ?? '' }
    assert.deepEqual(await positions(store, directory.id, { about: { subject: 'ada' } }), [1])
    assert.deepEqual(await positions(store, directory.id, { about }), [4, 1])
    assert.deepEqual(await positions(store, directory.id, { about: { ...about, subject: 'sales' } }), [4, 2, 1])
    const other = await addDirectory(store)
    assert.deepEqual(await positions(store, other.id, { about }), [])
  })

  test(`${engine}: a log keeps the newest requests of its directory`, async () => {
    const store = await openStore()
    const { id } = await addDirectory(store)
    const add = (count: number, keep: number) =>
      store.addRequests(
        id,
        Array.from({ length: count }, () => someRequest()),
        keep,
      )
    await add(5, 3)
    assert.deepEqual(await positions(store, id), [3, 2, 1])
    await add(2, 3)
    assert.deepEqual(await positions(store, id), [5, 4, 3])
    await add(400, 3)
    assert.deepEqual(await positions(store, id), [8, 7, 6])
    await add(300, keepAll)
    await add(1, 4)
    assert.equal((await positions(store, id)).length, 100, 'a limit that was lowered is reached in steps')
    await add(1, 4)
    assert.deepEqual(await positions(store, id), [310, 309, 308, 307])
    await store.addRequests(id, [], 4)
    assert.equal((await positions(store, id)).length, 4)
  })

  test(`${engine}: old requests are pruned in steps, directory by directory`, async () => {
    await using alone = await openAlone(createDatabase)
    const { store } = alone
    const [first, second] = [await addDirectory(store), await addDirectory(store)]
    const add = (id: string, times: readonly number[]) =>
      addEach(
        store,
        id,
        times.map((at) => someRequest({ at })),
      )
    await add(first.id, [10, 20, 30, 5, 40])
    await add(second.id, [15, 16, 17])
    assert.equal(await store.pruneRequests(10, 9), 0)
    assert.equal(await store.pruneRequests(25, 3), 3)
    assert.equal(await store.pruneRequests(25, 9), 2)
    assert.deepEqual([await positions(store, first.id), await positions(store, second.id)], [[5, 4, 3], []])
    assert.equal(await store.pruneRequests(35, 9), 2)
    assert.equal(await store.pruneRequests(35, 9), 0)
    assert.equal(await store.pruneRequests(99, 9), 1)
    await add(second.id, [50])
    assert.deepEqual([await positions(store, first.id), await positions(store, second.id)], [[], [4]])
  })

  test(`${engine}: removed requests leave nothing on disk`, async () => {
    await using database = await createDatabase()
    const store = await database.open()
    const { id } = await addDirectory(store)
    const batch = (first: number) =>
      Array.from({ length: 2_000 }, (_, n) => someRequest({ at: 1, subject: `user-${first + n}`, body: '{}' }))
    for (const first of [0, 2_000, 4_000]) await store.addRequests(id, batch(first).slice(0, 1_999), 2_500)
    await store.addRequests(id, [someRequest({ at: 1, status: 409, method: 'PUT', subject: 'refused' })], 2_500)
    const subject = (folded: string) => ({ about: { subject: folded } })
    assert.deepEqual(await positions(store, id, subject('user-1')), [])
    assert.deepEqual(await positions(store, id, subject('user-2900')), [])
    assert.deepEqual(await positions(store, id, subject('user-3900')), [3_900])
    assert.deepEqual(await positions(store, id, { method: 'PUT', status: { from: 400, to: 499 } }), [5_998])
    let left = 2_500
    for (let removed = 1; removed > 0; left -= removed) removed = await store.pruneRequests(2, 200)
    assert.equal(left, 0)
    await store.close()
    for (const table of ['request_batches', 'refused_subjects', 'request_bodies'] as const)
      assert.deepEqual(await database.rows(table), [], table)
  })

  test(`${engine}: a search stops after many requests, and can be continued`, async () => {
    const store = await openStore()
    const { id } = await addDirectory(store)
    const others = Array.from({ length: 1_001 }, (_, n) => someRequest({ status: n === 0 ? 204 : 201 }))
    for (let n = 0; n < 21; n += 1) await store.addRequests(id, others, keepAll)
    const list = (from: number, part = {}) =>
      store.listRequests(id, { status: { from, to: 399 } }, { before: newestRequest, limit: 100, ...part })
    const rare = await list(204)
    assert.deepEqual([rare.requests.length, rare.next !== undefined], [20, true])
    const rest = await list(204, { before: rare.next })
    assert.deepEqual([rest.requests.length, rest.next], [1, undefined])
    const short = await list(204, { examine: 2_500 })
    assert.deepEqual([short.requests.length, short.next !== undefined], [2, true])
    const after = await list(204, { after: 20_000 })
    assert.deepEqual(
      after.requests.map(({ position }) => position),
      [20_021],
    )
  })

  test(`${engine}: the last refused request is found among many others, also by its subject`, async () => {
    const store = await openStore()
    const { id } = await addDirectory(store)
    const refused = { from: 400, to: 599 }
    await addKinds(store, id, [
      ['POST', 409, 'Ada'],
      ['POST', 409, 'Ada'],
      ['POST', 409, 'bob'],
    ])
    const others = Array.from({ length: 1_000 }, () => someRequest({ subject: 'Ada' }))
    for (let n = 0; n < 21; n += 1) await store.addRequests(id, others, keepAll)
    assert.deepEqual(await positions(store, id, { status: refused }), [3, 2, 1])
    assert.deepEqual(await positions(store, id, { status: refused, about: { subject: 'ada' } }), [2, 1])
    assert.deepEqual(await positions(store, id, { status: refused, about: { subject: 'adam' } }), [])
  })

  test(`${engine}: a request of a long log is found by its id, also when others were recorded before it`, async () => {
    const store = await openStore()
    const { id } = await addDirectory(store)
    const made = Array.from({ length: 6_000 }, () => newRequestId(id)).toSorted()
    // A request that took long is recorded after later ones.
    const [slow = '', ...others] = made
    const recorded = [...others.slice(0, 2_000), slow, ...others.slice(2_000)]
    for (let n = 0; n < recorded.length; n += 500)
      await store.addRequests(
        id,
        recorded.slice(n, n + 500).map((one) => someRequest({ id: one })),
        keepAll,
      )
    for (const n of [0, 1, 249, 2_000, 3_333, 5_999]) {
      const found = await store.findRequest(recorded[n] ?? '')
      assert.equal(found?.request.position, n + 1, recorded[n])
    }
    assert.equal(await store.findRequest(newRequestId(id)), undefined)
  })

  test(`${engine}: refused requests are listed by scope and status, the batches that were written last first`, async () => {
    await using alone = await openAlone(createDatabase)
    const { store } = alone
    const add = (tenant: string, product: string) => addDirectory(store, { tenant, product })
    const [first, second, third] = [await add('acme', 'crm'), await add('acme', 'mail'), await add('other', 'crm')]
    const write = (at: number, { id }: Directory, ...kinds: readonly [status: number, subject: string][]) =>
      store.addRequests(
        id,
        kinds.map(([status, subject]) => someRequest({ at, status, subject })),
        4,
      )
    await write(1, first, [409, 'gone'], [400, 'ann'])
    await write(2, second, [500, 'bob'], [201, 'cid'], [404, 'dan'])
    await write(3, third, [201, 'eve'])
    await write(4, first, [201, 'fay'], [409, 'guy'], [409, 'hal'])
    await write(5, third, [400, 'ida'])
    const list = async (scope: DirectoryScope, status = { from: 400, to: 599 }, limit = 9) => {
      const found: string[] = []
      for (let after: RefusedPosition | undefined; ; ) {
        const { requests, next } = await store.refusedRequests(scope, status, { after, limit })
        found.push(...requests.map(({ request }) => request.subject ?? ''))
        if (next === undefined) return found
        after = next
      }
    }
    const all = ['ida', 'hal', 'guy', 'dan', 'bob', 'ann']
    assert.deepEqual(await list({}), all)
    assert.deepEqual(await list({}, undefined, 1), all)
    assert.deepEqual(await list({ product: 'crm' }), ['ida', 'hal', 'guy', 'ann'])
    assert.deepEqual(await list({ tenant: 'acme' }), ['hal', 'guy', 'dan', 'bob', 'ann'])
    assert.deepEqual(await list({ tenant: 'acme', product: 'crm' }), ['hal', 'guy', 'ann'])
    assert.deepEqual(await list({ tenant: 'acme', product: 'crm', directoryId: second.id }), [])
    assert.deepEqual(await list({}, { from: 500, to: 599 }), ['bob'])
    await store.deleteDirectory(first.id, 0)
    assert.deepEqual(await list({}), ['ida', 'dan', 'bob'])
  })

  test(`${engine}: the directories that refused somebody are found in any scope, the newest first`, async () => {
    await using alone = await openAlone(createDatabase)
    const { store } = alone
    const add = (tenant: string, product: string) => addDirectory(store, { tenant, product })
    const [first, second, other] = [await add('acme', 'crm'), await add('acme', 'crm'), await add('other', 'crm')]
    const [mail, gone] = [await add('acme', 'mail'), await add('acme', 'crm')]
    for (const { id } of [other, first, mail, second, gone]) {
      await addKinds(store, id, [
        ['POST', 409, 'Ada'],
        ['PUT', 409, 'ADA'],
        ['POST', 201, 'eve'],
      ])
      await addKinds(store, id, [
        ['POST', 400, `only in ${id}`],
        ['POST', 400, 'adam'],
        ['POST', 400],
      ])
    }
    await store.deleteDirectory(gone.id, 0)
    const refusing = (subject: string, scope: DirectoryScope) =>
      store.directoriesRefusing(foldedSubject(subject), scope)
    const complete = (...found: readonly Directory[]) => ({ directoryIds: found.map(({ id }) => id), isComplete: true })
    assert.deepEqual(await refusing('ada', {}), complete(mail, other, second, first))
    assert.deepEqual(await refusing('ada', { product: 'crm' }), complete(other, second, first))
    assert.deepEqual(await refusing('ada', { tenant: 'acme', product: 'crm' }), complete(second, first))
    assert.deepEqual(await refusing('ada', { tenant: 'other', directoryId: first.id }), complete())
    assert.deepEqual(await refusing('ada', { directoryId: first.id }), complete(first))
    assert.deepEqual(await refusing(`ONLY in ${first.id}`, {}), complete(first))
    for (const nobody of ['ad', 'adamo', 'eve', '', 'with \0 NUL'])
      assert.deepEqual(await refusing(nobody, {}), complete())
  })

  test(`${engine}: a deleted directory has no requests`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const request = someRequest({ id: newRequestId(directory.id) })
    await store.addRequests(directory.id, [request], keepAll)
    assert.notEqual(await store.findRequest(request.id), undefined)
    await store.deleteDirectory(directory.id, 0)
    await store.addRequests(directory.id, [someRequest()], keepAll)
    await store.addRequests('nobody', [someRequest()], keepAll)
    assert.equal(await store.findRequest(request.id), undefined)
  })
}
