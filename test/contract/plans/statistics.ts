import { mock } from 'node:test'
import { Client, Connection } from 'pg'
import { migratePostgres } from '../../../src/store/postgres/migrate.ts'
import { serversAt } from '../../../src/store/postgres/servers.ts'
import { plannerSettings } from '../../../src/store/postgres/sessions.ts'
import { runsAll } from '../../support/extent.ts'
import type { PostgresDatabase } from '../../support/postgres.ts'
import { execute, startPostgres } from '../../support/postgres.ts'
import { stopAutovacuum } from './fill.ts'

/** Records the statements that connections prepare from now on. */
export function recordPrepared() {
  const texts = new Set<string>()
  const { parse } = Connection.prototype
  const recording = mock.method(Connection.prototype, 'parse', function (this: Connection, ...args: unknown[]) {
    texts.add((args[0] as { readonly text: string }).text)
    return Reflect.apply(parse, this, args)
  })
  return { texts, [Symbol.dispose]: () => recording.mock.restore() }
}

/** A database whose tables have certain statistics. */
interface WithStatistics {
  readonly statistics: string
  readonly client: Client
  readonly database: PostgresDatabase
}

const [few, many] = [20, 2_000] as const

/** How the tables of a database are filled and analyzed. Emptied ones keep their pages: the planner expects no row in any of them. */
const states: Readonly<Record<string, (url: string) => Promise<void>>> = {
  'never analyzed': async () => {},
  'analyzed while empty': (url) => analyze(url),
  'analyzed after all rows were deleted': async (url) => {
    await fillTables(url, many)
    await inEachTable(url, 'delete from %I')
    await analyze(url)
  },
  'analyzed with few rows': async (url) => {
    await fillTables(url, few)
    await analyze(url)
  },
  'analyzed with many rows': async (url) => {
    await fillTables(url, many)
    await analyze(url)
  },
}

/** The states of `npm test`: those in which the planner expects the fewest rows, the most, and what it assumes by itself. */
const someStates = ['never analyzed', 'analyzed after all rows were deleted', 'analyzed with many rows']

/** Opens a database for each state of the statistics, the last one with many rows. */
export async function openStatistics() {
  const resources = new AsyncDisposableStack()
  const databases: WithStatistics[] = []
  for (const [statistics, prepare] of Object.entries(states)) {
    if (!runsAll && !someStates.includes(statistics)) continue
    const database = resources.use(await startPostgres())
    await migratePostgres({ servers: serversAt(database.url, 'url') })
    await stopAutovacuum(database.url)
    await prepare(database.url)
    const options = Object.entries(plannerSettings).map(([name, value]) => `-c ${name}=${value}`)
    const client = new Client({ connectionString: database.url, options: options.join(' ') })
    await client.connect()
    resources.defer(() => client.end())
    databases.push({ statistics, client, database })
  }
  const last = databases.at(-1)
  const columnsOf = last === undefined ? new Map<string, readonly string[]>() : await readIndexes(last.client)
  return {
    /** The scans of some tables that a statement has with some statistics only, each with these; none if its plan is always the same. */
    async differencesOf(text: string, isCompared: (table: string) => boolean): Promise<string[]> {
      const states = new Map<string, string[]>()
      for (const { client, statistics } of databases) {
        const { rows } = await client.query(`explain (generic_plan, format json) ${text}`)
        const counted = Map.groupBy(scansIn(rows[0]['QUERY PLAN'][0].Plan, columnsOf), (scan) => scan)
        for (const [scan, { length }] of counted) {
          const times = `${length} × ${scan}`
          states.set(times, [...(states.get(times) ?? []), statistics])
        }
      }
      return [...states].flatMap(([scan, of]) => {
        const [, , table = ''] = scan.split(' ')
        return of.length < databases.length && isCompared(table) ? [`${scan}: ${of.join(', ')}`] : []
      })
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Alias?: string
  readonly Plans?: readonly PlanNode[]
}

/**
 * The scans of a plan: the table, and the columns by which they find its rows. The names of indexes that begin alike do not matter, as
 * long as a scan uses nothing but their common beginning.
 */
function scansIn(plan: PlanNode, columnsOf: ReadonlyMap<string, readonly string[]>): string[] {
  const { 'Relation Name': table, 'Index Name': index = '', 'Index Cond': condition = '', Alias: alias = '' } = plan
  const type = plan['Node Type']
  const isScan = table !== undefined && type !== 'ModifyTable'
  const found = (columnsOf.get(index) ?? []).map((column) => (condition.includes(column) ? column : ''))
  const beginning = found.slice(0, found.includes('') ? found.indexOf('') : undefined)
  const way = beginning.length > 0 ? `by ${beginning.join(', ')}` : `by ${index === '' ? type : `all of ${index}`}`
  // Beside a subquery of the same name, such as one whose rows are kept for the next look-up, the table gets a number.
  const own = isScan ? [`${table} ${alias.replace(/_\d+$/, '')} ${way}`] : []
  return [...own, ...(plan.Plans ?? []).flatMap((child) => scansIn(child, columnsOf))]
}

/** The columns of each index, as they are in conditions. */
async function readIndexes(client: Client): Promise<Map<string, readonly string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname as name,
      array(select btrim(pg_get_indexdef(c.oid, n, true), '()') from generate_series(1, i.indnkeyatts) n) as columns
    from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = current_schema()::regnamespace`)
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

const analyze = async (url: string): Promise<void> => {
  await execute(url, 'analyze')
}

async function inEachTable(url: string, statement: string): Promise<void> {
  await execute(
    url,
    `do $$ declare t text; begin
      set session_replication_role = replica;
      for t in select tablename from pg_tables where schemaname = current_schema() and tablename <> 'schema_migrations' loop
        execute format('${statement}', t);
      end loop;
    end $$`,
  )
}

/** Fills every table with rows of twenty directories. References and triggers are off; rows that break a unique index are left out. */
async function fillTables(url: string, rows: number): Promise<void> {
  const tables = await execute(
    url,
    `select c.relname as table, json_agg(json_build_object('name', a.attname, 'type', a.atttypid::regtype,
        'isUnique', exists (
          select from pg_index i where i.indrelid = c.oid and i.indisunique and i.indnatts = 1 and i.indkey[0] = a.attnum))
      order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c')
      and c.relname <> 'schema_migrations'
    group by c.relname`,
  )
  const inserts = tables.map(({ table, columns }) => {
    const all = columns as readonly Column[]
    const names = all.map(({ name }) => name).join(', ')
    return `insert into ${table} (${names}) select ${all.map(valueIn).join(', ')}
      from generate_series(1, ${rows}) n on conflict do nothing`
  })
  await execute(url, ['set session_replication_role = replica', ...inserts].join(';'))
}

interface Column {
  readonly name: string
  readonly type: string
  readonly isUnique: boolean
}

/** The value of a column in the row `n`. Ids, names and the like differ, other texts and flags do not. */
function valueIn({ name, type, isUnique }: Column): string {
  if (name === 'directory_id' && !isUnique) return `'directory-' || n % 20`
  if (type === 'text')
    return isUnique || /(^|_)id$|name|digest|email|term|subject/.test(name) ? `'text-' || n` : `'text-' || n % 7`
  if (type === 'integer' || type === 'smallint') return isUnique ? 'n' : 'n % 2'
  if (type === 'bytea') return `'x'::bytea`
  return type === 'bigint' ? 'n' : 'now()'
}
