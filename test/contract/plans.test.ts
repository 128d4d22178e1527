import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPostgresStore } from '../../src/store/postgres/open.ts'
import type { Store } from '../../src/store/store.ts'
import { execute, startPostgres } from '../support/postgres.ts'
import { hotPath } from './plans/calls.ts'
import { explainingUrl, recordStatements } from './plans/explained-statements.ts'
import { fillDirectory, groupId, stopAutovacuum } from './plans/fill.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { addDirectory, addUsers } from './store/samples.ts'

/** What the planner knows when the directory has grown from `few` to `many` users. */
interface Scenario {
  readonly few: number
  /** How many users there were when the tables were analyzed; undefined: they never were. */
  readonly analyzedAt: number | undefined
  readonly planCacheMode: 'force_generic_plan' | 'force_custom_plan'
  /** Whether the plans are still those that were made for a few users. */
  readonly keepsPlans: boolean
}

/** A row that is looked up costs the levels of its index and the row itself. */
const pagesPerRow = 4

/** With 120 users some indexes have a second level and others have not. */
const [fewest, some, many] = [10, 120, 10_000] as const
/** The counts of buckets grow in number, and indexes in depth. */
const slack = 60
const morePages = 150

const scenarios: Scenario[] = [undefined, 0, fewest].flatMap((analyzedAt) => [
  { few: fewest, analyzedAt, planCacheMode: 'force_custom_plan', keepsPlans: false },
  { few: fewest, analyzedAt, planCacheMode: 'force_generic_plan', keepsPlans: false },
  { few: fewest, analyzedAt, planCacheMode: 'force_generic_plan', keepsPlans: true },
  { few: some, analyzedAt, planCacheMode: 'force_generic_plan', keepsPlans: true },
])

for (const scenario of scenarios) {
  const { few, analyzedAt, planCacheMode, keepsPlans } = scenario
  const analyzed = analyzedAt === undefined ? 'never analyzed' : `analyzed with ${analyzedAt} users`
  const plans = keepsPlans ? `plans made for ${few} users` : planCacheMode
  test(`postgres: calls read as many rows with ${many} users as with ${few}: ${analyzed}, ${plans}`, async () => {
    await using growing = await openGrowing(scenario)
    await growing.growTo(fewest)
    await growing.growTo(few)
    const small = await growing.measure(few)
    await growing.growTo(many)
    const large = await growing.measure(many)
    const tooMuch = [...large].flatMap(([name, { rows, pages, scans, moreRows }]) => {
      const before = small.get(name) ?? assert.fail(name)
      const isFlat = rows <= before.rows + moreRows && pages <= 2 * before.pages + morePages + pagesPerRow * moreRows
      return isFlat ? [] : [`${name}: ${before.rows} to ${rows} rows, ${before.pages} to ${pages} pages: ${scans}`]
    })
    assert.deepEqual(tooMuch, [])
    const rows = await growing.rowsOfWholeGroup()
    assert.ok(rows <= 3 * many, `a group of ${many} members reads ${rows} rows`)
  })
}

interface Work {
  readonly moreRows: number
  readonly rows: number
  readonly pages: number
  readonly scans: string
}

async function openGrowing({ analyzedAt, planCacheMode, keepsPlans }: Scenario) {
  const database = await startPostgres()
  const recorder = recordStatements()
  const url = explainingUrl(database.url, planCacheMode)
  const open = () => openPostgresStore({ url, poolSize: 1 }, someSealing(), failOnPurgeError)
  let store: Store = await open()
  await stopAutovacuum(database.url)
  const directory = await addDirectory(store)
  let users = 0

  return {
    async growTo(count: number) {
      if (analyzedAt === users) await execute(database.url, 'analyze')
      await fillDirectory(database.url, directory.id, users + 1, count)
      users = count
      if (analyzedAt === users) await execute(database.url, 'analyze')
      if (keepsPlans) return
      await store.close()
      store = await open()
    },
    async measure(count: number): Promise<Map<string, Work>> {
      const measured = new Map<string, Work>()
      for (const { name, prepare, moreRows = slack } of hotPath(store, directory, count)) {
        const call = await prepare()
        const statements = await recorder.during(call)
        assert.ok(statements.length > 0, name)
        measured.set(name, {
          moreRows,
          rows: statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
          pages: statements.reduce((sum, { pagesRead }) => sum + pagesRead, 0),
          scans: statements
            .toSorted((a, b) => b.rowsRead - a.rowsRead)
            .slice(0, 2)
            .map(({ scans }) => scans)
            .join(' + '),
        })
      }
      return measured
    },
    async rowsOfWholeGroup(): Promise<number> {
      const part = { from: { sequence: 0, id: '' }, limit: 2 * many }
      const statements = await recorder.during(() => store.listMembers(directory.id, groupId, part))
      return statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
    },
    async [Symbol.asyncDispose]() {
      recorder[Symbol.dispose]()
      await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('postgres: users are looked up in all directories of a tenant by one statement, which reads no secret', async () => {
  await using database = await startPostgres()
  using recorder = recordStatements()
  const url = explainingUrl(database.url, 'auto')
  const store = await openPostgresStore({ url }, someSealing(), failOnPurgeError)
  const made = await Promise.all(Array.from({ length: 30 }, () => addDirectory(store)))
  const [{ tenant, product } = assert.fail()] = made
  const added = await addUsers(store, made[20] ?? assert.fail(), ['ann', 'bea', 'cem'])
  const ids = [...added.map(({ id }) => id), 'none']
  const recorded = await recorder.during(async () => {
    const found = await Promise.all(ids.map((id) => store.findUserInScope({ tenant, product }, id)))
    assert.deepEqual(
      found.map((user) => user?.found.userName),
      ['ann', 'bea', 'cem', undefined],
    )
  })
  // Statements that only set the limits of the transaction scan nothing.
  const statements = recorded.filter(({ scans }) => scans !== '')
  assert.equal(statements.length, 1)
  assert.doesNotMatch(statements[0]?.text ?? '', /secret/)
  await store.close()
})
