import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { RequestFilter } from '../../src/diagnostics/requests/store.ts'
import { newestRequest } from '../../src/diagnostics/requests/store.ts'
import { openPostgresStore } from '../../src/store/postgres/open.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { rowKey } from '../../src/store/sqlite/row-key.ts'
import type { Store } from '../../src/store/store.ts'
import { openTestDatabase } from '../support/database.ts'
import { execute, startPostgres } from '../support/postgres.ts'
import { runSql } from '../unit/cli/support/stored-rows.ts'
import { recordExecuted } from './plans/executed-statements.ts'
import { explainingUrl, recordStatements } from './plans/explained-statements.ts'
import { stopAutovacuum } from './plans/fill.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { someRequest } from './store/requests.ts'
import { addDirectory } from './store/samples.ts'

const [few, many] = [1_000, 50_000] as const
const limit = 5

/** Every hundredth request was refused, for one of ten users; the others created one user each. */
const columns = 'id, at, method, path, status, duration_ms, resource_type, resource_id, subject, subject_folded'
const values = `'r' || n, n, case when n % 100 = 0 then 'PATCH' else 'POST' end, '/Users',
  case when n % 100 = 0 then 409 else 201 end, 1, 'User', 'user-' || n % 1000,
  'user-' || case when n % 100 = 0 then n % 1000 else n end, 'user-' || case when n % 100 = 0 then n % 1000 else n end`

/** What is read of a large log, with its filters and combinations of them, and what is removed of it. */
function callsOn(store: Store, id: string): Readonly<Record<string, () => Promise<unknown>>> {
  const part = { before: newestRequest, limit }
  const refused = { from: 400, to: 599 }
  const subject = (folded: string, isPrefix = true) => ({ folded, isPrefix })
  const filters: Readonly<Record<string, RequestFilter>> = {
    'the whole log': {},
    'a method': { method: 'POST' },
    'refused ones': { status: refused },
    'a method and a status': { method: 'PATCH', status: { from: 409, to: 409 } },
    'no method that was sent': { method: 'HEAD' },
    'a subject': { subject: subject('user-777', false) },
    'the beginning of a subject': { subject: subject('user-777') },
    'refused ones of a common beginning': { subject: subject('user-'), status: refused },
    'refused ones of a common beginning, with a method': { subject: subject('u'), status: refused, method: 'PATCH' },
    'a common beginning and a method that was not sent': { subject: subject('u'), method: 'PUT' },
    'a beginning that is too common': { subject: subject('user-') },
  }
  return {
    ...Object.fromEntries(
      Object.entries(filters).flatMap(([what, filter]) => [
        [`list: ${what}`, () => store.listRequests(id, filter, part)],
        [`skip: ${what}`, () => store.skipRequests(id, filter, part)],
      ]),
    ),
    'the middle of the log': () => store.listRequests(id, { status: refused }, { before: few / 2, limit }),
    'of a resource': () => store.requestsOfResource(id, 'user-100', part),
    'by id': () => store.findRequest('r500'),
    'add and remove the oldest': () => store.addRequests(id, [someRequest()], 1),
    prune: () => store.pruneRequests(700, 20),
  }
}

test('sqlite: a request log is read and pruned by indexes, with as many statements when it is large', async () => {
  const run = async (count: number) => {
    await using database = await openTestDatabase('sqlite')
    const file = (database.env['DATABASE_URL'] ?? '').slice('sqlite:'.length)
    const setUp = openSqliteStore(file, someSealing(), failOnPurgeError)
    const { id } = await addDirectory(setUp)
    await setUp.close()
    const [{ number } = assert.fail()] = await runSql(database, `select number from directories where id = '${id}'`)
    await runSql(
      database,
      `with recursive s (n) as (select 1 union all select n + 1 from s where n < ${count})
        insert into requests (row_key, number, ${columns}) select ${rowKey(Number(number), 0)} + n, ${number}, ${values} from s`,
    )
    await runSql(database, `insert into request_logs values ('${id}', 1, ${count}, 1)`)
    using recorder = recordExecuted()
    const store = openSqliteStore(file, someSealing(), failOnPurgeError)
    const statements = new Map<string, readonly string[]>()
    for (const [name, call] of Object.entries(callsOn(store, id))) statements.set(name, await recorder.during(call))
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
  const [small, large] = [await run(few), await run(many)]
  for (const [name, statements] of large.statements) {
    assert.ok(statements.length <= (small.statements.get(name)?.length ?? 0) + 60, `${name}: ${statements.length}`)
  }
  assert.deepEqual(
    large.plans.filter((step) => /^SCAN (requests|request_logs|r|l)\b|TEMP B-TREE/.test(step)),
    [],
  )
  assert.ok(
    large.plans.some((step) =>
      /requests_by_subject \(number=\? AND method=\? AND status=\? AND subject_folded>\? /.test(step),
    ),
  )
})

for (const planCacheMode of ['force_generic_plan', 'force_custom_plan']) {
  test(`postgres: a request log is read and pruned by as few rows when it is large: ${planCacheMode}`, async () => {
    await using database = await startPostgres()
    using recorder = recordStatements()
    await stopAutovacuum(database.url)
    const run = async (count: number) => {
      const store = await openPostgresStore(
        { url: explainingUrl(database.url, planCacheMode), poolSize: 1 },
        someSealing(),
        failOnPurgeError,
      )
      const { id } = await addDirectory(store)
      await execute(
        database.url,
        `insert into requests (directory_id, position, ${columns}) select '${id}', n, ${values} from generate_series(1, ${count}) n;
          insert into request_logs values ('${id}', 1, ${count}, 1)`,
      )
      const rows = new Map<string, { readonly rows: number; readonly pages: number; readonly scans: string }>()
      for (const [name, call] of Object.entries(callsOn(store, id))) {
        const statements = await recorder.during(call)
        rows.set(name, {
          rows: statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
          pages: statements.reduce((sum, { pagesRead }) => sum + pagesRead, 0),
          scans: statements.map(({ scans }) => scans).join(' + '),
        })
      }
      await store.close()
      return rows
    }
    const [small, large] = [await run(few), await run(many)]
    const tooMuch = [...large].filter(([name, { rows, pages }]) => {
      const before = small.get(name) ?? assert.fail(name)
      return rows > before.rows + 300 || pages > 3 * before.pages + 300
    })
    assert.deepEqual(tooMuch, [])
  })
}

test('postgres: adding and pruning read no more rows as the log grows under plans that were made when it was empty', async () => {
  await using database = await startPostgres()
  using recorder = recordStatements()
  await stopAutovacuum(database.url)
  const url = explainingUrl(database.url, 'force_generic_plan')
  const store = await openPostgresStore({ url, poolSize: 1 }, someSealing(), failOnPurgeError)
  const { id } = await addDirectory(store)
  const batch = (at: number) => Array.from({ length: 50 }, () => someRequest({ at }))
  const rowsRead = async (call: () => Promise<unknown>) =>
    (await recorder.during(call)).reduce((sum, statement) => sum + statement.rowsRead, 0)
  await store.pruneRequests(1, 5)
  for (let n = 1; n <= 20; n += 1) await store.addRequests(id, batch(n), 1_000)
  assert.ok((await rowsRead(() => store.addRequests(id, batch(21), 2_000))) <= 20, 'nothing is removed')
  assert.ok((await rowsRead(() => store.addRequests(id, batch(22), 1_050))) <= 200, '50 are removed')
  assert.ok((await rowsRead(() => store.pruneRequests(4, 20))) <= 150, '20 are pruned')
  await store.close()
})
