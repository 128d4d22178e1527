import { DatabaseSync, StatementSync } from 'node:sqlite'
import { mock } from 'node:test'

/** A step of a plan that reads a table. A subquery is listed with its own steps. */
const readsTable = /^(SCAN|SEARCH) (?!\(subquery)/
const namesSubquery = /^(?:CO-ROUTINE|MATERIALIZE) (\w+)$/

/** Records the statements that run on SQLite databases that are opened from now on. */
export function recordExecuted() {
  const texts = new Map<StatementSync, string>()
  const databases = new Set<DatabaseSync>()
  const { prepare } = DatabaseSync.prototype
  let executed: string[] = []
  const preparing = mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, text: string) {
    const statement = Reflect.apply(prepare, this, [text])
    databases.add(this)
    texts.set(statement, text)
    return statement
  })
  const running = (['all', 'get', 'run', 'iterate'] as const).map((method) => {
    const original = StatementSync.prototype[method]
    return mock.method(StatementSync.prototype, method, function (this: StatementSync, ...values: unknown[]) {
      executed.push(texts.get(this) ?? '')
      return Reflect.apply(original, this, values)
    })
  })
  const query = (text: string, column: string): string[] => {
    const [database] = databases
    const rows = database === undefined ? [] : Reflect.apply(prepare, database, [text]).all()
    return rows.map((row) => String(row[column]))
  }
  return {
    /** The statements that run during `work`, in order. */
    async during(work: () => Promise<unknown>): Promise<string[]> {
      executed = []
      await work()
      return executed.splice(0)
    },
    /** The steps of a statement's plan that read tables. */
    planOf(sql: string): string[] {
      const steps = query(`explain query plan ${sql}`, 'detail')
      const subqueries = new Set(steps.map((step) => namesSubquery.exec(step)?.[1]))
      return steps.filter((step) => readsTable.test(step) && !subqueries.has(/^SCAN (\w+)$/.exec(step)?.[1] ?? ''))
    },
    /** Whether a step uses an index that leaves out rows. */
    isPartial: (step: string): boolean =>
      query(`select name from sqlite_master where type = 'index' and sql like '%where%'`, 'name').some((index) =>
        step.includes(`INDEX ${index}`),
      ),
    [Symbol.dispose]() {
      for (const one of [preparing, ...running]) one.mock.restore()
    },
  }
}
