import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import type { DueNotice } from '../../../src/diagnostics/notices/notice-store.ts'
import { noticeIntervalMs } from '../../../src/diagnostics/notices/notice-store.ts'
import type { NoticeType, NoticeWrite } from '../../../src/directory/operator-notice.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import { openAlone } from './database.ts'
import { addDirectory } from './samples.ts'
import { addPulled, begin, someProgress } from './sync-run-samples.ts'

const start = 1_700_000_000_000

export function operatorNoticeContract(engine: string, { createDatabase }: StoreUnderTest): void {
  test(`${engine}: a directory has one notice of a type an hour, and none before the previous one is sent`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const { id } = await addDirectory(store)
    const add = (at: number, type: NoticeType = 'directory.held') => store.addNotice(someNotice(id, at, type))
    assert.equal(await add(start), true)
    assert.equal(await add(start), false, 'within the hour')
    assert.equal(await add(start + 2 * noticeIntervalMs), false, 'the previous one is not sent yet')
    assert.equal(await add(start, 'sync.failed'), true, 'another type')
    for (const notice of await take(store, start)) await settle(store, notice, start + 10)
    assert.equal(await add(start + noticeIntervalMs), false, 'less than an hour after it was sent')
    assert.equal(await add(start + 10 + noticeIntervalMs), true)
    assert.equal(await store.addNotice(someNotice(uuidv7(), start)), false, 'no such directory')
  })

  test(`${engine}: two processes do not take the same notice, and one that is lost is taken again`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const directories = await Promise.all([1, 2, 3].map(() => addDirectory(store)))
    for (const [index, { id }] of directories.entries()) await store.addNotice(someNotice(id, start + index))
    assert.deepEqual(await take(store, start - 1), [])
    const both = await Promise.all([take(store, start + 9, 2), take(store, start + 9, 2)])
    const taken = both.flat()
    assert.deepEqual(new Set(taken.map((one) => one.directoryId)), new Set(directories.map((one) => one.id)))
    assert.equal(taken.length, 3)
    assert.ok(taken.every(({ attempt, payload }) => attempt === 1 && payload === '{"a":1}'))
    assert.deepEqual(await take(store, start + 999), [])
    const [first] = taken
    assert.ok(first !== undefined)
    await settle(store, first, start + 20)
    const again = await take(store, start + 9 + retryMs)
    assert.deepEqual([again.length, again[0]?.attempt], [2, 2])
    await settle(store, { ...first, id: 'another' }, undefined, start)
    assert.deepEqual(await take(store, start + 30), [], 'an outcome of another notice changes nothing')
  })

  test(`${engine}: a notice is written with the end of a sync run, if that is recorded`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const { id } = await addPulled(store)
    const run = await begin(store, { directoryId: id })
    const end = { state: 'failed', finishedAt: start, error: 'Google is away.' } as const
    const finish = (holder: string) =>
      store.finishSyncRun(run, holder, someProgress, end, someNotice(id, start, 'sync.failed'))
    assert.equal(await finish('not the holder'), 'lost')
    assert.deepEqual(await take(store, start), [])
    assert.equal(await finish('me'), 'finished')
    assert.deepEqual(
      (await take(store, start)).map(({ type }) => type),
      ['sync.failed'],
    )
  })

  test(`${engine}: a notice is written with the state of a stream, if the lease is valid`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const { id } = await addDirectory(store)
    const leased = await store.leaseStream(id, 'endpoint', 'me', 60_000)
    assert.ok(typeof leased === 'object')
    const notice = someNotice(id, start, 'directory.event_dead')
    const dead = [{ sequence: 1, diedAt: start, reason: 'answered 400' }]
    const older = { ...leased.lease, token: leased.lease.token - 1 }
    assert.equal(await store.recordStream(older, leased.state, { dead, notice }), 'lost')
    assert.deepEqual(await take(store, start), [])
    assert.equal(await store.recordStream(leased.lease, leased.state, { dead, notice }), 'recorded')
    assert.equal((await take(store, start))[0]?.id, notice.id)
  })
}

const retryMs = 1_000

const take = (store: Store, now: number, limit = 10) => store.takeDueNotices(now, now + retryMs, limit)

const settle = (store: Store, notice: DueNotice, sentAt: number | undefined, nextAttemptAt?: number) =>
  store.settleNotice(notice, { sentAt, nextAttemptAt })

function someNotice(directoryId: string, createdAt: number, type: NoticeType = 'directory.held'): NoticeWrite {
  return { id: uuidv7(), directoryId, type, createdAt, payload: '{"a":1}' }
}
