import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxMembersAtOnce } from '../../src/store/large-changes.ts'
import { openPostgresStore } from '../../src/store/postgres/open.ts'
import { runsAll } from '../support/extent.ts'
import { execute, startPostgres } from '../support/postgres.ts'
import { hotPath } from './plans/calls.ts'
import type { ExplainedStatement } from './plans/explained-statements.ts'
import { explainingUrl, recordStatements } from './plans/explained-statements.ts'
import { fillDirectory, groupId, stopAutovacuum, userId } from './plans/fill.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { addDirectory, addUsers, committed, replacedBy, writesTo } from './store/samples.ts'

/** The modes in which a store's connections plan their statements. */
interface Planning {
  readonly planCacheMode: 'force_generic_plan' | 'force_custom_plan'
  /** Whether plans made for a few users are reused. */
  readonly keepsPlans: boolean
}

/** Looking up a row costs the levels of its index and the row itself. */
const pagesPerRow = 4

/** With 120 users some indexes have a second level and others have not. */
const [fewest, some, many] = [10, 120, runsAll ? 5_000 : 1_500] as const
/** The counts of buckets grow in number, and indexes in depth. */
const slack = 60
const morePages = 150

const kept: Planning = { planCacheMode: 'force_generic_plan', keepsPlans: true }
const newCustom: Planning = { planCacheMode: 'force_custom_plan', keepsPlans: false }
const newGeneric: Planning = { planCacheMode: 'force_generic_plan', keepsPlans: false }

interface Growth {
  /** The number of users when the tables were analyzed; undefined: never. */
  readonly analyzedAt: number | undefined
  readonly few: number
  /** Stores that plan differently share a directory, because filling it takes longer than measuring. */
  readonly plannings: readonly Planning[]
}

const everyGrowth: readonly Growth[] = [undefined, 0, fewest].flatMap((analyzedAt) => [
  { analyzedAt, few: fewest, plannings: [kept, newCustom, newGeneric] },
  { analyzedAt, few: some, plannings: [kept] },
])
/** Each statistics, number of users and planning once, because a planning takes two seconds. */
const someGrowths: readonly Growth[] = [
  { analyzedAt: undefined, few: fewest, plannings: [newCustom] },
  { analyzedAt: 0, few: fewest, plannings: [kept, newGeneric] },
  { analyzedAt: fewest, few: some, plannings: [kept] },
]

for (const { analyzedAt, few, plannings } of runsAll ? everyGrowth : someGrowths) {
  const analyzed = analyzedAt === undefined ? 'never analyzed' : `analyzed with ${analyzedAt} users`
  test(`postgres: calls read as many rows with ${many} users as with ${few}, by old and new plans: ${analyzed}`, async () => {
    await using growing = await openGrowing(analyzedAt)
    await growing.growTo(fewest)
    await growing.growTo(few)
    const stores = await Promise.all(plannings.map(growing.openStore))
    const small = await inTurn(stores, (store) => store.measure(few))
    await growing.growTo(many)
    const large = await inTurn(stores, (store) => store.measure(many))
    const rowsOfGroup = await inTurn(stores, (store) => store.rowsOfWholeGroup())
    for (const [index, planning] of plannings.entries()) {
      assert.deepEqual({ planning, tooMuch: tooMuchMore(small[index], large[index]) }, { planning, tooMuch: [] })
      const rows = rowsOfGroup[index] ?? assert.fail()
      assert.ok(rows <= 3 * many, `a group of ${many} members reads ${rows} rows`)
    }
  })
}

interface Work {
  readonly moreRows: number
  readonly rows: number
  readonly pages: number
  readonly scans: string
}

type WorkOfCalls = ReadonlyMap<string, Work>

/** The calls that read more in the large directory than in the small one. */
function tooMuchMore(small: WorkOfCalls = new Map(), large: WorkOfCalls = new Map()): string[] {
  assert.notEqual(large.size, 0)
  return [...large].flatMap(([name, { rows, pages, scans, moreRows }]) => {
    const before = small.get(name) ?? assert.fail(name)
    const isFlat = rows <= before.rows + moreRows && pages <= 2 * before.pages + morePages + pagesPerRow * moreRows
    return isFlat ? [] : [`${name}: ${before.rows} to ${rows} rows, ${before.pages} to ${pages} pages: ${scans}`]
  })
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const item of items) results.push(await work(item))
  return results
}

async function openGrowing(analyzedAt: number | undefined) {
  const resources = new AsyncDisposableStack()
  const database = resources.use(await startPostgres())
  const recorder = resources.use(recordStatements())
  const first = await openPostgresStore({ url: database.url, poolSize: 1 }, someSealing(), failOnPurgeError)
  await stopAutovacuum(database.url)
  const directory = await addDirectory(first)
  await first.close()
  let users = 0

  async function openStore({ planCacheMode, keepsPlans }: Planning) {
    const url = explainingUrl(database.url, planCacheMode)
    const open = () => openPostgresStore({ url, poolSize: 1 }, someSealing(), failOnPurgeError)
    let store = await open()
    resources.defer(() => store.close())
    return {
      async measure(count: number): Promise<WorkOfCalls> {
        if (!keepsPlans) {
          await store.close()
          store = await open()
        }
        const measured = new Map<string, Work>()
        for (const { name, prepare, moreRows = slack } of hotPath(store, directory, count)) {
          const call = await prepare()
          const statements = await recorder.during(call)
          assert.ok(statements.length > 0, name)
          measured.set(name, { moreRows, ...workOf(statements) })
        }
        return measured
      },
      async rowsOfWholeGroup(): Promise<number> {
        const part = { from: { sequence: 0, id: '' }, limit: 2 * many }
        return workOf(await recorder.during(() => store.listMembers(directory.id, groupId, part))).rows
      },
    }
  }

  return {
    openStore,
    async growTo(count: number) {
      if (analyzedAt === users) await execute(database.url, 'analyze')
      await fillDirectory(database.url, directory.id, users + 1, count)
      users = count
      if (analyzedAt === users) await execute(database.url, 'analyze')
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

function workOf(statements: readonly ExplainedStatement[]) {
  return {
    rows: statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    pages: statements.reduce((sum, { pagesRead }) => sum + pagesRead, 0),
    scans: statements
      .toSorted((a, b) => b.rowsRead - a.rowsRead)
      .slice(0, 2)
      .map(({ scans }) => scans)
      .join(' + '),
  }
}

test('postgres: all members are replaced and removed by as many rows after the tables were analyzed while they were empty', async () => {
  const users = maxMembersAtOnce + 200
  await using database = await startPostgres()
  using recorder = recordStatements()
  const url = explainingUrl(database.url, 'force_generic_plan')
  const store = await openPostgresStore({ url, poolSize: 3 }, someSealing(), failOnPurgeError)
  await stopAutovacuum(database.url)
  const directory = await addDirectory(store)
  await fillDirectory(database.url, directory.id, 1, users)
  const ids = Array.from({ length: users }, (_, n) => userId(n + 1))
  const { changeMembers } = writesTo(store, directory)
  const replaceBy = async (members: readonly string[]) => {
    const statements = await recorder.during(async () => {
      committed(await changeMembers({ id: groupId }, replacedBy(members.map((id) => ({ id })))))
    })
    return workOf(statements)
  }
  await replaceBy([])
  await execute(database.url, 'delete from members')
  await execute(database.url, 'analyze')
  for (const members of [ids, ids.slice(1), []]) {
    const { rows, pages, scans } = await replaceBy(members)
    assert.ok(
      rows <= 20 * users && pages <= 100 * users,
      `${members.length} members: ${rows} rows, ${pages} pages: ${scans}`,
    )
  }
  await store.close()
})

test('postgres: one statement finds users in any of 30 directories, and reads only their rows and no secret', async () => {
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
  const alone = await recorder.during(() => store.findUserInScope({ tenant, product }, 'none'))
  assert.deepEqual([recorded.length, alone.length], [1, 1])
  // A row per user, and one per directory.
  assert.deepEqual([recorded[0]?.rowsRead, alone[0]?.rowsRead], [6, 0])
  assert.doesNotMatch(recorded[0]?.text ?? '', /secret/)
  await store.close()
})

for (const planCacheMode of ['force_generic_plan', 'force_custom_plan'] as const) {
  test(`postgres: a page of dead events of many directories reads its rows only: ${planCacheMode}`, async () => {
    await using database = await startPostgres()
    using recorder = recordStatements()
    await stopAutovacuum(database.url)
    const url = explainingUrl(database.url, planCacheMode)
    const store = await openPostgresStore({ url, poolSize: 1 }, someSealing(), failOnPurgeError)
    const rare = await addDirectory(store, { tenant: 'rare', product: 'erp' })
    for (const [directory, count] of [
      [await addDirectory(store), 3_000],
      [rare, 10],
    ] as const) {
      const { id, tenant, product } = directory
      const numbers = `from generate_series(1, ${count}) n`
      await execute(
        database.url,
        `insert into events (directory_id, sequence, id, event_type, created_at, request_id, data)
           select '${id}', n, 'event-' || n, 'user.created', 1, 'request', '{}' ${numbers};
         insert into dead_events (directory_id, target, sequence, died_at, reason, tenant, product)
           select '${id}', 'endpoint', n, n, 'answered 400', '${tenant}', '${product}' ${numbers}`,
      )
    }
    const [limit, tables] = [5, 4]
    const after = { diedAt: 5, directoryId: rare.id, sequence: 5 }
    for (const scope of [
      {},
      { directoryId: rare.id },
      { tenant: 'rare' },
      { product: 'erp' },
      { tenant: 'rare', product: 'erp' },
    ]) {
      for (const start of [undefined, after]) {
        const recorded = await recorder.during(() => store.deadEventsIn(scope, start, limit))
        const { rows, scans } = workOf(recorded)
        assert.ok(rows <= tables * limit + limit, `${JSON.stringify(scope)} reads ${rows} rows: ${scans}`)
      }
    }
    await store.close()
  })
}
