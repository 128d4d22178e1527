import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketOf } from '../../../src/client/user-digest.ts'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'
import type { ComparedUser, DirectoryReads } from '../../../src/directory/directory-store.ts'
import { createDigestReads } from '../../../src/reads/digest.ts'
import { walkBucket } from '../../../src/reads/id-walks.ts'

const slices = createTimeSlices()
const someUser: ComparedUser = { id: 'a', firstName: '', lastName: '', email: 'a', active: true }

/** Digests over snapshots that a test reads step by step; `running` has those that are being read. */
function steppedDigests() {
  const running: PromiseWithResolvers<void>[] = []
  async function* parts() {
    const step = Promise.withResolvers<void>()
    running.push(step)
    try {
      yield [someUser]
      await step.promise
      yield [someUser]
    } finally {
      running.splice(running.indexOf(step), 1)
    }
  }
  const directory = { id: 'd', tenant: 'acme', createdAt: 1 }
  const store: Pick<DirectoryReads, 'listDirectoriesInScope' | 'readSnapshot'> = {
    listDirectoriesInScope: async () => [directory],
    readSnapshot: (_, work) => work(7, parts()),
  }
  const { digest } = createDigestReads({ store: store as DirectoryReads, slices })
  return { digest: (signal?: AbortSignal) => digest('d', { fields: 'email' }, signal), running }
}

const turns = async (count = 20) => {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('two digests are made at a time; another one waits', async () => {
  const { digest, running } = steppedDigests()
  const digests = [digest(), digest(), digest()]
  await turns()
  assert.equal(running.length, 2)
  running[0]?.resolve()
  assert.equal((await digests[0])?.users, 2)
  await turns()
  assert.equal(running.length, 2)
  for (const step of running) step.resolve()
  assert.deepEqual(
    (await Promise.all(digests)).map(({ sequence, buckets }) => [sequence, buckets.length]),
    [
      [7, 256],
      [7, 256],
      [7, 256],
    ],
  )
})

test('a digest ends when nobody waits for it any more, also before it begins, and frees its place', async () => {
  const { digest, running } = steppedDigests()
  const client = new AbortController()
  const ended = Promise.allSettled([digest(client.signal), digest(client.signal), digest(client.signal)])
  await turns()
  client.abort(new Error('gone'))
  for (const step of running) step.resolve()
  for (const one of await ended) assert.match(String(one.status === 'rejected' && one.reason), /gone/)
  assert.equal(running.length, 0)
  const next = digest()
  await turns()
  running[0]?.resolve()
  assert.equal((await next).users, 2)
})

test('a part of a bucket ends after ten thousand ids, and the next one continues there', async () => {
  const ids = Array.from({ length: 10_500 }, (_, n) => ({ sequence: n + 1, id: `user-${n}` }))
  const store: Pick<DirectoryReads, 'listUserIds'> = {
    async listUserIds(_, { from, limit }) {
      const start = typeof from === 'number' ? from : from.sequence
      return ids.slice(start, start + limit)
    },
  }
  const walk = walkBucket({ store, slices }, { directoryId: 'd', tenant: undefined }, { bucket: 3, buckets: 4096 })
  const first = await walk.read(0, 100)
  assert.deepEqual(first.next, ids[9_999])
  const second = await walk.read(first.next ?? 0, 100)
  assert.equal(second.next, undefined)
  const expected = ids.filter(({ id }) => bucketOf(id, 4096) === 3).map(({ id }) => id)
  assert.deepEqual(
    [...first.rows, ...second.rows].map(({ item }) => item),
    expected,
  )
  const one = await walk.read(0, 1)
  assert.deepEqual([one.rows.length, one.next], [1, one.rows[0]?.position])
})
