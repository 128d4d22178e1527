import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { RequestFilter, RequestRecord } from '../../src/diagnostics/requests/request-log-store.ts'
import { newestRequest } from '../../src/diagnostics/requests/request-log-store.ts'
import type { Directory } from '../../src/directory/directory.ts'
import { newRequestId } from '../../src/ids/request-id.ts'
import { openPostgresStore } from '../../src/store/postgres/open.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { openTestDatabase } from '../support/database.ts'
import { startPostgres } from '../support/postgres.ts'
import { recordExecuted } from './plans/executed-statements.ts'
import { explainingUrl, recordStatements } from './plans/explained-statements.ts'
import { stopAutovacuum } from './plans/fill.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { someRequest } from './store/requests.ts'
import { addDirectory } from './store/samples.ts'

/** The maximum number of rows that a search reads, which is less than the smaller log. */
const [few, many] = [25_000, 50_000] as const
const batch = 100
const limit = 5

/** Every hundredth request was refused, for one of ten users; the others created one user each. */
function numbered(n: number, directoryId: string): RequestRecord {
  const isRefused = n % 100 === 0
  const outcome = isRefused ? { method: 'PATCH', status: 409 } : { method: 'POST', status: 201 }
  const subject = `user-${isRefused ? n % 1000 : n}`
  return someRequest({ ...outcome, id: newRequestId(directoryId), at: n, subject, resourceId: `id-${n % 1000}` })
}

/** Adds the requests numbered `from` to `to` in batches. Returns the id of the last one. */
async function fill(store: Store, directoryId: string, from: number, to: number): Promise<string> {
  let last = ''
  for (let first = from; first <= to; first += batch) {
    const requests = Array.from({ length: batch }, (_, index) => numbered(first + index, directoryId))
    await store.addRequests(directoryId, requests, 1_000_000)
    last = requests.at(-1)?.id ?? ''
  }
  return last
}

/** Searches of a large log, with its filters and combinations of them, and removals from it. */
function callsOn(
  store: Store,
  { id, tenant, product }: Directory,
  requestId: string,
): Readonly<Record<string, () => Promise<unknown>>> {
  const part = { before: newestRequest, limit }
  const refused = { from: 400, to: 599 }
  const filters: Readonly<Record<string, RequestFilter>> = {
    'the whole log': {},
    'a method': { method: 'POST' },
    'refused ones': { status: refused },
    'a method and a status': { method: 'PATCH', status: { from: 409, to: 409 } },
    'no method that was sent': { method: 'HEAD' },
    'a subject': { about: { subject: 'user-777' } },
    'the beginning of a subject': { subject: 'user-777' },
    'a refused subject': { about: { subject: 'user-700' }, status: refused },
    'a subject that was not refused': { about: { subject: 'user-777' }, status: refused },
    'refused ones of a common beginning': { subject: 'user-', status: refused },
    'refused ones of a common beginning, with a method': { subject: 'u', status: refused, method: 'PATCH' },
    'a common beginning and a method that was not sent': { subject: 'u', method: 'PUT' },
    'a common beginning': { subject: 'user-' },
    'a resource': { about: { resourceId: 'id-100' } },
    'a resource that no request named': { about: { resourceId: 'nobody' } },
  }
  return {
    ...Object.fromEntries(
      Object.entries(filters).map(([what, filter]) => [what, () => store.listRequests(id, filter, part)]),
    ),
    'the middle of the log': () => store.listRequests(id, { status: refused }, { before: few / 2, limit }),
    'the end of the log': () => store.listRequests(id, { method: 'PATCH' }, { before: 3 * batch, limit }),
    'the directories that refused somebody': () => store.directoriesRefusing('user-700', {}),
    'by id': () => store.findRequest(requestId),
    'refused ones of all directories': () => store.refusedRequests({}, refused, { after: undefined, limit }),
    'refused ones of a product': () => store.refusedRequests({ product }, refused, { after: undefined, limit }),
    'refused ones of a tenant': () => store.refusedRequests({ tenant }, refused, { after: undefined, limit }),
    'refused ones with a status that was not sent': () =>
      store.refusedRequests({}, { from: 500, to: 599 }, { after: undefined, limit }),
    'the middle of the refused ones': () =>
      store.refusedRequests({ tenant, product }, refused, {
        ...{ after: { newestAt: few / 2, directory: id, batch: 1, before: 1 }, limit },
      }),
    'add and remove the oldest': () => store.addRequests(id, [someRequest()], 1),
    prune: () => store.pruneRequests(1_000, 20),
  }
}

test('sqlite: a request log is read and pruned by indexes, with as many statements when it is large', async () => {
  await using database = await openTestDatabase('sqlite')
  const file = (database.env['DATABASE_URL'] ?? '').slice('sqlite:'.length)
  using recorder = recordExecuted()
  const creating = openSqliteStore(file, someSealing(), failOnPurgeError)
  const directory = await addDirectory(creating)
  await creating.close()
  const run = async (from: number, to: number) => {
    const store = openSqliteStore(file, someSealing(), failOnPurgeError)
    const requestId = await fill(store, directory.id, from, to)
    const statements = new Map<string, readonly string[]>()
    for (const [name, call] of Object.entries(callsOn(store, directory, requestId)))
      statements.set(name, await recorder.during(call))
    await store.close()
    using db = new DatabaseSync(file)
    const plans = [...new Set([...statements.values()].flat())].flatMap((sql) =>
      /^\s*(select|with|delete|update)/i.test(sql)
        ? db
            .prepare(`explain query plan ${sql}`)
            .all()
            .map(({ detail }) => String(detail))
        : [],
    )
    return { statements, plans }
  }
  const [small, large] = [await run(1, few), await run(few + 1, many)]
  for (const [name, statements] of large.statements) {
    assert.ok(statements.length <= (small.statements.get(name)?.length ?? 0) + 60, `${name}: ${statements.length}`)
  }
  assert.deepEqual(
    large.plans.filter((step) => /^SCAN (request_\w+|refused_\w+|s|l|x)\b/.test(step)),
    [],
  )
  for (const index of ['of_directory', 'by_age', 'of_product', 'of_tenant'])
    assert.ok(
      large.plans.some((step) => step.includes(`INDEX refused_requests_${index} (`)),
      index,
    )
})

const planCacheModes = ['force_generic_plan', 'force_custom_plan'] as const

test('postgres: a request log is read and pruned by as few rows when it is large, by any plans', async () => {
  await using database = await startPostgres()
  using recorder = recordStatements()
  await stopAutovacuum(database.url)
  const open = (url: string) => openPostgresStore({ url, poolSize: 1 }, someSealing(), failOnPurgeError)
  const creating = await open(database.url)
  const directory = await addDirectory(creating)
  await creating.close()
  const run = async (from: number, to: number) => {
    const filling = await open(database.url)
    const requestId = await fill(filling, directory.id, from, to)
    await filling.close()
    const rows = new Map<string, { readonly rows: number; readonly pages: number; readonly scans: string }>()
    for (const planCacheMode of planCacheModes) {
      const store = await open(explainingUrl(database.url, planCacheMode))
      for (const [name, call] of Object.entries(callsOn(store, directory, requestId))) {
        const statements = await recorder.during(call)
        assert.notEqual(statements.length, 0)
        rows.set(`${name}, ${planCacheMode}`, {
          rows: statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
          pages: statements.reduce((sum, { pagesRead }) => sum + pagesRead, 0),
          scans: statements.map(({ scans }) => scans).join(' + '),
        })
      }
      await store.close()
    }
    return rows
  }
  const [small, large] = [await run(1, few), await run(few + 1, many)]
  const tooMuch = [...large].filter(([name, { rows, pages }]) => {
    const before = small.get(name) ?? assert.fail(name)
    return rows > before.rows + 300 || pages > 3 * before.pages + 300
  })
  assert.deepEqual(tooMuch, [])
})

test('postgres: adding and pruning read no more rows as the log grows under plans that were made when it was empty', async () => {
  await using database = await startPostgres()
  using recorder = recordStatements()
  await stopAutovacuum(database.url)
  const url = explainingUrl(database.url, 'force_generic_plan')
  const store = await openPostgresStore({ url, poolSize: 1 }, someSealing(), failOnPurgeError)
  const { id } = await addDirectory(store)
  const requestsAt = (at: number) => Array.from({ length: 50 }, () => someRequest({ at }))
  const rowsRead = async (call: () => Promise<unknown>) =>
    (await recorder.during(call)).reduce((sum, statement) => sum + statement.rowsRead, 0)
  await store.pruneRequests(1, 5)
  for (let n = 1; n <= 20; n += 1) await store.addRequests(id, requestsAt(n), 1_000)
  assert.ok((await rowsRead(() => store.addRequests(id, requestsAt(21), 2_000))) <= 20, 'nothing is removed')
  assert.ok((await rowsRead(() => store.addRequests(id, requestsAt(22), 1_050))) <= 200, '50 are removed')
  assert.ok((await rowsRead(() => store.pruneRequests(4, 20))) <= 150, '20 are pruned')
  await store.close()
})
