import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'
import type { PreviewsParts } from '../../../src/mapping/previews.ts'
import { createPreviews } from '../../../src/mapping/previews.ts'
import { createPortal } from '../../../src/setup/portal.ts'
import { eventually } from '../../support/eventually.ts'

const directory = { id: 'd-1', tenant: 'acme', product: 'crm', createdAt: 1 }
const mapping = {
  attributes: { title: { from: ['title'] } },
  roles: { rules: [{ role: 'admin', when: { filter: 'title pr' } }] },
}

/** Previews over a directory of some users, whose reads wait while `isHeld`. */
function previewsOver(count: number, { title = 'x', isHeld = false } = {}) {
  const reads = { now: 0, most: 0, total: 0 }
  const held = Promise.withResolvers<void>()
  if (!isHeld) held.resolve()
  const store = {
    getMapping: async () => ({ lastVersion: 0 }),
    getDirectory: async () => directory,
    getGroups: async () => new Map([['g-1', { id: 'g-1', name: 'Admins' }]]),
    listGroups: async () => [],
    async usersToEvaluate(_id: string, after: number, limit: number) {
      reads.total += 1
      reads.most = Math.max(reads.most, ++reads.now)
      await held.promise
      reads.now -= 1
      const length = Math.min(limit, count - after)
      return Array.from({ length }, (_, n) => {
        const position = after + n + 1
        const raw = JSON.stringify({ userName: `u${position}`, title })
        return { position, groups: [], user: { id: `u-${position}`, email: `u${position}@x.co`, raw, active: true } }
      })
    },
  }
  const parts = { store, directories: { get: async () => directory }, slices: createTimeSlices() }
  return { reads, release: held.resolve, store, ...createPreviews(parts as unknown as PreviewsParts) }
}

const placeOf = (n: number) => ({ id: `d-${n}` })
const ended = new Error('The client has closed the connection.')

test('a preview counts all users and shows a page of them', async () => {
  const { preview } = previewsOver(1_000)
  const { preview: first, pageToken } = await preview(placeOf(1), { mapping }, { pageLimit: 10 })
  assert.deepEqual([first.evaluated, first.changed, first.users.length], [1_000, 1_000, 10])
  const next = await preview(placeOf(1), { mapping }, { pageLimit: 10, pageToken })
  assert.deepEqual([next.preview.evaluated, next.preview.users[0]?.id], [undefined, 'u-11'])
})

test('a page of users with long attributes ends before its limit, and the next one continues there', async () => {
  const { preview } = previewsOver(1_000, { title: 'x'.repeat(900) })
  const attributes = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`a${n}`, { from: ['title'] }]))
  const query = { pageLimit: 100 }
  const { preview: first, pageToken } = await preview(placeOf(1), { mapping: { attributes } }, query)
  assert(first.users.length > 10 && first.users.length < 50, `${first.users.length} users`)
  const next = await preview(placeOf(1), { mapping: { attributes } }, { ...query, pageToken })
  assert.equal(next.preview.users[0]?.id, `u-${first.users.length + 1}`)
})

test('eight previews are made at a time', async () => {
  const { preview, reads, release } = previewsOver(10, { isHeld: true })
  const all = Array.from({ length: 30 }, (_, n) => preview(placeOf(n), { mapping }, {}))
  await eventually('eight reads', () => reads.now === 8)
  for (let n = 0; n < 100; n += 1) await turn()
  assert.equal(reads.now, 8)
  release()
  await Promise.all(all)
  assert.equal(reads.most, 8)
})

test('a preview ends when its client has gone, be it made or waiting', async () => {
  const { preview, reads, release } = previewsOver(100_000, { isHeld: true })
  const client = new AbortController()
  const all = Array.from({ length: 30 }, (_, n) => preview(placeOf(n), { mapping }, {}, client.signal))
  await eventually('eight reads', () => reads.now === 8)
  client.abort(ended)
  release()
  for (const outcome of await Promise.allSettled(all)) assert.deepEqual(outcome, { status: 'rejected', reason: ended })
  assert.equal(reads.total, 8)
})

test('a summary has three examples for each role', async () => {
  const { summarize } = previewsOver(5_000)
  const { roles, examples } = await summarize('d-1', mapping)
  assert.deepEqual(roles, { admin: { gain: 5_000, lose: 0 } })
  assert.deepEqual([...examples], [['admin', { gain: ['u1@x.co', 'u2@x.co', 'u3@x.co'], lose: [] }]])
})

test('the previews of a setup link are made one after the other, without those whose client has gone', async () => {
  const { summarize, store, reads, release } = previewsOver(10, { isHeld: true })
  const mappings = { summarize, own: async () => null }
  const parts = { store, mappings, directories: { get: async () => directory } }
  const portal = createPortal(parts as unknown as Parameters<typeof createPortal>[0])
  const link = (id: string) =>
    ({ id, roles: ['admin'], directoryId: 'd-1' }) as unknown as Parameters<typeof portal.previewRole>[0]
  const client = new AbortController()
  const preview = (id: string, signal?: AbortSignal) => portal.previewRole(link(id), 'g-1', { role: 'admin' }, signal)
  const gone = Array.from({ length: 50 }, () => preview('one', client.signal))
  const [last, other] = [preview('one'), preview('another')]
  await eventually('a read for each link', () => reads.now === 2)
  client.abort(ended)
  release()
  for (const outcome of await Promise.allSettled(gone)) assert.equal(outcome.status, 'rejected')
  await Promise.all([last, other])
  assert.equal(reads.most, 2)
  // One of the first client, and those of the two that were made to the end, with an empty one.
  assert(reads.total <= 1 + 2 * 2, `${reads.total} reads`)
})
