import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { PolisApi } from '../../../src/polis/import/source/api-client.ts'
import { readOldestFirst } from '../../../src/polis/import/source/api-lists.ts'
import type { Json } from '../../../src/scim/json.ts'
import { isObject, own } from '../../../src/scim/json.ts'

/** A list of Polis, newest first, which gives at most five items at once. `change` is called before each answer. */
function listOf(ids: readonly number[], change: (ids: number[], request: number) => void = () => {}) {
  const newestFirst = ids.toReversed()
  let requests = 0
  const api: PolisApi = {
    async list(_, { pageOffset, pageLimit }) {
      requests += 1
      change(newestFirst, requests)
      const offset = Number(pageOffset)
      const page = newestFirst.slice(offset, offset + Math.min(5, Number(pageLimit)))
      return { items: page.map((id) => ({ id: String(id) })), pageToken: undefined }
    },
    isGone: async () => false,
    async close() {},
  }
  return api
}

const identityOf = (item: Json) => String(isObject(item) ? own(item, 'id') : item)
const list = { path: '/users', query: {}, identityOf }

async function read(api: PolisApi): Promise<number[]> {
  return (await Array.fromAsync(readOldestFirst(api, list))).map((item) => Number(identityOf(item)))
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

for (const count of [0, 1, 2, 4, 5, 6, 9, 10, 11, 14, 63]) {
  test(`reads a list of ${count}, oldest first, each item once`, async () => {
    assert.deepEqual(await read(listOf(upTo(count))), upTo(count))
  })
}

test('misses nothing that was there before when items are added meanwhile', async () => {
  let next = 41
  const api = listOf(upTo(40), (ids, request) => {
    if (request > 10 && request % 3 === 0) ids.unshift(next++, next++)
  })
  assert.deepEqual((await read(api)).slice(0, 40), upTo(40))
})

test('repeats nothing when items are deleted meanwhile', async () => {
  const api = listOf(upTo(40), (ids, request) => {
    if (request > 12 && request % 3 === 0) ids.shift()
  })
  const found = await read(api)
  assert.deepEqual(found, upTo(found.length))
})

test('says that the list changes when the place is lost', async () => {
  const api = listOf(upTo(40), (ids, request) => {
    if (request === 13) ids.splice(20)
  })
  await assert.rejects(read(api), { name: 'IncompleteList', message: /changed during the read: try again/ })
})

test('a page in the middle that is cut off loses no item without a word', async () => {
  for (let cut = 1; cut < 30; cut += 1) {
    const whole = listOf(upTo(40))
    let requests = 0
    const api: PolisApi = {
      ...whole,
      async list(path, query) {
        requests += 1
        const page = await whole.list(path, query)
        return requests >= cut && query['pageLimit'] !== '1' ? { ...page, items: page.items.slice(0, 2) } : page
      },
    }
    const found = await read(api).catch((error: Error) => error.name)
    assert.ok(found === 'IncompleteList' || isDeepStrictEqual(found, upTo(40)), `cut from request ${cut} on`)
  }
})

test('continues by the tokens of a database without offsets', async () => {
  const pages: Readonly<Record<string, { ids: readonly string[]; pageToken?: string }>> = {
    '': { ids: ['1', '2'], pageToken: 'second' },
    second: { ids: ['3'], pageToken: 'third' },
    third: { ids: [] },
  }
  const api: PolisApi = {
    async list(_, { pageToken = '' }) {
      const { ids, pageToken: next } = pages[pageToken] ?? { ids: [] }
      return { items: ids.map((id) => ({ id })), pageToken: next }
    },
    isGone: async () => false,
    async close() {},
  }
  assert.deepEqual(await read(api), [1, 2, 3])
})
