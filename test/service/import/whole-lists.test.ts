import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportMode } from '../../../src/polis/import/context.ts'
import type { ImportReport } from '../../../src/polis/import/report.ts'
import { isFullyRead } from '../../../src/polis/import/report.ts'
import { openPolisSource } from '../../../src/polis/import/source/open.ts'
import { forEachEngine } from '../../support/service.ts'
import type { ApiPolis } from './support/api-polis.ts'
import { doubleApiKey, startApiPolis } from './support/api-polis.ts'
import type { ImportBench } from './support/import.ts'
import { contentsOf, openImportBench } from './support/import.ts'
import { emptyPolis, someContents, somePolisGroup, somePolisUser } from './support/memory-polis.ts'

/** A directory of 25 users who are all in one group, another directory, and a setup link. */
function somePolis() {
  const polis = emptyPolis()
  const [full, other] = [someContents(), someContents({ tenant: 'southwind' })]
  const group = somePolisGroup('All')
  full.users = Array.from({ length: 25 }, (_, index) => somePolisUser(`user${index}`))
  full.groups = [group]
  full.members = new Map([[group.id, full.users.map(({ id }) => id)]])
  other.users = [somePolisUser('ann')]
  polis.contents.push(full, other)
  polis.setupLinks.push({
    ...{ setupID: '2c8f0a1be7d94410a5b1f0c9d2e3a4b5c6d7e8f9', tenant: 'northwind', product: 'helpdesk' },
    ...{ service: 'dsync', validTill: Date.now() + 86_400_000, url: `https://sync.example/setup/${'5f0c'.repeat(12)}` },
    ...{ webhook_url: 'https://a.example/', webhook_secret: 'wh' },
  })
  return { polis, full, other, group }
}

async function run(bench: ImportBench, api: ApiPolis, mode: ImportMode): Promise<ImportReport> {
  const source = await openPolisSource({ from: api.url, apiKey: doubleApiKey })
  try {
    return await bench.run(emptyPolis(), mode, { source, filter: { product: 'helpdesk' } })
  } finally {
    await source.close()
  }
}

const malformed = [
  { what: 'an empty object', body: {} },
  { what: 'null', body: { data: null } },
  { what: 'an object in place of the list', body: { data: { '0': { id: 'x' } } } },
  { what: 'a text', body: { data: 'none' } },
  { what: 'records without ids', body: { data: [{ email: 'a@b.c', raw: {} }] } },
  { what: 'texts in place of records', body: { data: ['a'] } },
  { what: 'a list in place of the object', body: [] },
  { what: 'a page token that is a number', body: { data: [], pageToken: 7 } },
  { what: 'a page of an access proxy', body: undefined },
]

forEachEngine((engine) => {
  for (const { list, of } of [
    { list: 'directories', of: (path: string) => path === '/product' },
    { list: 'users', of: (path: string) => path === '/users' },
    { list: 'groups', of: (path: string) => path === '/groups' },
    { list: 'members', of: (path: string) => path.endsWith('/members') },
    { list: 'setup links', of: (path: string) => path === '/setuplinks/product' },
  ]) {
    test(`a second import deletes nothing on the strength of a list of ${list} that is not whole, and names it`, async () => {
      const { polis, full, other } = somePolis()
      await using bench = await openImportBench(engine)
      await using api = await startApiPolis(polis)
      await run(bench, api, 'apply')
      const store = await bench.store()
      const before = await contentsOf(store, full.directory.id)
      assert.equal(before.users.length, 25)
      for (const { what, body } of malformed) {
        const text = body === undefined ? '<!doctype html>Sign in' : JSON.stringify(body)
        api.answer = (path) => (of(path) ? { status: 200, text } : undefined)
        for (const mode of ['plan', 'apply', 'verify'] as const) {
          const report = await run(bench, api, mode)
          assert.ok((report.decision_counts['list-incomplete'] ?? 0) > 0, `${what}: ${mode} names the list`)
          assert.equal(isFullyRead(report), false)
          assert.deepEqual(await contentsOf(store, full.directory.id), before, what)
          assert.ok(await store.getDirectory(other.directory.id), what)
          const { totals, setup_links } = report
          const deleted = [totals.users, totals.groups, totals.members, setup_links].map((tally) => tally.deleted)
          assert.deepEqual(deleted, [0, 0, 0, 0], what)
        }
      }
      api.answer = () => undefined
      const whole = await run(bench, api, 'apply')
      assert.deepEqual([isFullyRead(whole), whole.totals.users.unchanged], [true, 26])
    })
  }

  test('what a list leaves out is deleted only when Polis says that it is gone', async () => {
    const { polis, full, other, group } = somePolis()
    await using bench = await openImportBench(engine)
    await using api = await startApiPolis(polis)
    await run(bench, api, 'apply')
    const store = await bench.store()
    const before = await contentsOf(store, full.directory.id)
    const nothing = { status: 200, text: JSON.stringify({ data: [] }) }
    const isList = (path: string) => ['/product', '/users', '/groups', '/setuplinks/product'].includes(path)
    for (const isShort of [
      (path: string) => path === '/users' || path === '/groups',
      (path: string, query: URLSearchParams) => isList(path) && Number(query.get('pageOffset')) > 5,
      (path: string) => path === '/product' || path === '/setuplinks/product',
    ]) {
      api.answer = (path, query) => (isShort(path, query) ? nothing : undefined)
      const report = await run(bench, api, 'apply')
      assert.deepEqual(await contentsOf(store, full.directory.id), before)
      assert.equal(isFullyRead(report), false)
      assert.ok(await store.getDirectory(other.directory.id))
    }
    for (const text of ['{}', '<!doctype html>', '{"error":"no"}']) {
      api.answer = (path) =>
        path.startsWith('/users/') ? { status: 404, text } : path === '/users' ? nothing : undefined
      assert.equal((await run(bench, api, 'apply')).totals.users.deleted, 0, text)
    }
    api.answer = () => undefined
    full.users.splice(0, 20)
    full.groups = []
    full.members.delete(group.id)
    polis.contents.splice(1, 1)
    polis.setupLinks.splice(0, 1)
    const report = await run(bench, api, 'apply')
    assert.deepEqual(
      [report.totals.users.deleted, report.totals.groups.deleted, report.setup_links.deleted],
      [20, 1, 1],
    )
    assert.equal(await store.getDirectory(other.directory.id), undefined)
  })

  test('a directory whose tenant is empty, and users without raw, are named and stay as they were imported', async () => {
    const { polis, full, other } = somePolis()
    await using bench = await openImportBench(engine)
    await using api = await startApiPolis(polis)
    await run(bench, api, 'apply')
    const store = await bench.store()
    const before = await contentsOf(store, full.directory.id)
    other.directory = { ...other.directory, tenant: '' }
    full.users = full.users.map(({ raw: _, ...user }) => user as never)
    for (const mode of ['plan', 'apply', 'verify'] as const) {
      const report = await run(bench, api, mode)
      assert.equal(isFullyRead(report), false)
      assert.ok((report.decision_counts.unreadable ?? 0) > 25, mode)
    }
    assert.deepEqual(await contentsOf(store, full.directory.id), before)
    assert.ok(await store.getDirectory(other.directory.id))
  })

  test('a directory is not activated before all its lists were read whole', async () => {
    const { polis, full } = somePolis()
    await using bench = await openImportBench(engine)
    await using api = await startApiPolis(polis)
    api.answer = (path) => (path === '/groups' ? { status: 200, text: '{}' } : undefined)
    const { directories } = await run(bench, api, 'apply')
    assert.equal(directories.find(({ id }) => id === full.directory.id)?.outcome, 'incomplete')
    const store = await bench.store()
    assert.equal((await store.getDirectory(full.directory.id))?.deactivated, true)
    api.answer = () => undefined
    await run(bench, api, 'apply')
    assert.equal((await store.getDirectory(full.directory.id))?.deactivated, false)
    assert.equal((await run(bench, api, 'verify')).difference_count, 0)
  })
})

for (const { what, page } of [
  { what: 'ignores where a page begins', page: () => ({ data: [{ id: 'u1', raw: {} }] }) },
  {
    what: 'continues with the tokens A, B, A',
    page: ({ query }: { query: URLSearchParams }) => {
      return { data: [{ id: 'u1', raw: {} }], pageToken: query.get('pageToken') === 'A' ? 'B' : 'A' }
    },
  },
  {
    what: 'continues with ever new tokens and no records',
    page: ({ count }: { count: number }) => ({ data: [], pageToken: `t${count}` }),
  },
]) {
  test(`a list of Polis that ${what} ends, named`, async () => {
    const { polis, full } = somePolis()
    await using bench = await openImportBench('sqlite')
    await using api = await startApiPolis(polis)
    await run(bench, api, 'apply')
    api.requests = 0
    api.answer = (path, query) =>
      path === '/users' ? { status: 200, text: JSON.stringify(page({ query, count: api.requests })) } : undefined
    const report = await run(bench, api, 'apply')
    assert.ok(api.requests < 3_000, `${api.requests} requests`)
    assert.ok((report.decision_counts['list-incomplete'] ?? 0) > 0)
    assert.equal((await contentsOf(await bench.store(), full.directory.id)).users.length >= 25, true)
  })
}
