import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healthOrders } from '../../src/diagnostics/health/list-store.ts'
import { severitiesOf } from '../../src/diagnostics/health/severity.ts'
import { volumeUnits } from '../../src/diagnostics/overview/volume-store.ts'
import type { Directory } from '../../src/directory/directory.ts'
import { openPostgresStore } from '../../src/store/postgres/open.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { execute, startPostgres } from '../support/postgres.ts'
import { recordExecuted } from './plans/executed-statements.ts'
import { explainingUrl, recordStatements } from './plans/explained-statements.ts'
import { stopAutovacuum } from './plans/fill.ts'
import { addIdle } from './plans/idle.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { addDirectory } from './store/samples.ts'

const [few, many] = [200, 5_000] as const
const limit = 10
const periods = [{ unit: volumeUnits.minute, from: 0 }]

/** The reads of the overview and of lists that do not depend on the number of directories. */
function flatReads(store: Store, { product, tenant }: Directory): Readonly<Record<string, () => Promise<unknown>>> {
  const lists = healthOrders.flatMap((order) => {
    const after = { value: order === 'name' ? 'scim' : 112, id: 'idle-2' }
    return [
      [`all, ${order}`, () => store.listHealth({}, { order, limit })],
      [`a product, ${order}`, () => store.listHealth({ product }, { order, limit })],
      [`a product, ${order}, next page`, () => store.listHealth({ product }, { order, after, limit })],
      [`a tenant, ${order}`, () => store.listHealth({ tenant: 'tenant-7' }, { order, limit })],
    ] as const
  })
  const failing = severitiesOf('failing')
  return {
    ...Object.fromEntries(lists),
    'failing ones': () => store.listHealth({ product, severities: failing }, { order: 'worst', limit }),
    'a search': () => store.listHealth({ search: 'tenant-77' }, { order: 'worst', limit }),
    'directories by their tenant': () => store.findDirectories({}, tenant, limit),
    'directories of a product by their tenant': () => store.findDirectories({ product }, tenant, limit),
    'the counts of a tenant': () => store.countHealth({ tenant: 'tenant-7' }),
    'overdue deprovisionings': () => store.countOverdue({ product }, 1, 100),
    'due checks': () => store.dueChecks({ now: 1, overdueUntil: 1, waitingUntil: 1, workAfter: '', limit }),
    'volumes of a product': () => store.volumes({ product }, periods),
    'volumes of a tenant': () => store.volumes({ tenant: 'tenant-7' }, periods),
    'moving volumes': () => store.moveVolumes(limit),
  }
}

test(`postgres: the overview reads as many rows with ${many} directories as with ${few}`, async () => {
  await using database = await startPostgres()
  using recorder = recordStatements()
  const url = explainingUrl(database.url, 'force_generic_plan')
  const store = await openPostgresStore({ url, poolSize: 1 }, someSealing(), failOnPurgeError)
  await stopAutovacuum(database.url)
  const directory = await addDirectory(store)
  const measure = async () => {
    const rows: Record<string, number> = {}
    for (const [name, read] of Object.entries(flatReads(store, directory))) {
      const statements = await recorder.during(read)
      rows[name] = statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
    }
    return rows
  }
  const add = async (from: number, to: number) => {
    await addIdle(database.url, directory, from, to)
    await execute(
      database.url,
      `update directory_health set check_at = case when directory_id in ('idle-1', 'idle-2') then 0 end;
      update directory_state set endpoint_work = 1 where directory_id in ('idle-3', 'idle-4');
      insert into deprovisionings (directory_id, sequence, user_id, subject, received_at)
        values ('idle-5', 1, 'user', 'ann', 1) on conflict do nothing`,
    )
  }
  await add(1, few)
  const small = await measure()
  await add(few + 1, many)
  const large = await measure()
  // A search of the beginning of a tenant finds more of them.
  const more = Object.entries(large).filter(
    ([name, rows]) => rows > (small[name] ?? 0) + (name === 'a search' ? 250 : 5),
  )
  assert.deepEqual(more, [])
  await store.close()
})

test('sqlite: the lists of directories are read in the order of an index', async () => {
  using recorder = recordExecuted()
  const store = openSqliteStore(':memory:', someSealing(), failOnPurgeError)
  const { product } = await addDirectory(store)
  const walks: string[] = []
  for (const order of healthOrders) {
    for (const filter of [{}, { product }]) {
      for (const sql of await recorder.during(() => store.listHealth(filter, { order, limit }))) {
        const steps = recorder.planOf(sql)
        if (!steps.every((step) => /USING (COVERING )?INDEX directory_health_/.test(step))) walks.push(steps.join('; '))
      }
    }
  }
  assert.deepEqual(walks, [])
  await store.close()
})
