import { DatabaseSync } from 'node:sqlite'
import { searchedTypes } from '../../src/directory/search-store.ts'
import { createSealing, directoryLocation } from '../../src/store/sealing.ts'
import { listNumber, sequenceBits } from '../../src/store/search-terms.ts'
import { execute } from '../../test/support/postgres.ts'
import type { EngineName } from '../engines/engine.ts'
import { copiedPrefix, copyPrefix, seededIds } from './plan.ts'

/** The copies of a directory to make, spread over products. */
export interface Copies {
  readonly directories: number
  readonly products: number
  /** Whether the events of the copies get places in the feeds of their products. */
  readonly isInFeed?: boolean
}

/** The tables with rows of a directory, in an order that foreign keys allow. */
const tables = [
  ...[
    'directories',
    'directory_state',
    'directory_health',
    'users',
    'user_emails',
    'groups',
    'members',
    'list_counts',
    'events',
    'search_terms',
  ],
  ...['request_logs', 'request_batches', 'refused_subjects'],
]

/** The SQL that the engines write differently. */
interface Dialect {
  readonly numbers: (count: number) => string
  readonly hex: string
  readonly decimal: string
  readonly columnsOf: (table: string) => string
}

const dialects = {
  sqlite: {
    numbers: (count) =>
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count}) select n from numbers`,
    hex: `printf('%04x', n)`,
    decimal: `printf('%05d', n)`,
    columnsOf: (table) => `select name, lower(type) as type from pragma_table_info('${table}')`,
  },
  postgres: {
    numbers: (count) => `select n from generate_series(1, ${count}::int8) n`,
    hex: `lpad(to_hex(n), 4, '0')`,
    decimal: `lpad(n::text, 5, '0')`,
    columnsOf: (table) =>
      `select column_name as name, data_type as type from information_schema.columns where table_name = '${table}'`,
  },
} satisfies Record<EngineName, Dialect>

/**
 * Copies the database's only directory, whose names and ids begin with `copiedPrefix`, with SQL; no service may be running.
 * What a copy is called begins with its number in place of this prefix: see `copyPrefix`. Every tenth copy is not healthy.
 */
export async function seedCopies(
  engine: EngineName,
  env: Readonly<Record<string, string>>,
  copies: Copies,
): Promise<void> {
  await using database = openDatabase(engine, env['DATABASE_URL'] ?? '')
  const { run } = database
  const dialect: Dialect = dialects[engine]
  await run(`create table copies as ${dialect.numbers(copies.directories)}`)
  await createCopiedLists(run, copies.products)
  for (const table of tables) await copyRows(run, dialect, table, copies)
  await sealSecrets(run, env['ENCRYPTION_KEY'] ?? '', copies)
  await run(`
    update directory_health set check_at = null, severity = case when directory_id like 'u____0-0' then 112 else 200 end`)
  if (copies.isInFeed === true)
    await run(`
      insert into event_volumes (directory_id, minute, events, failed_deliveries)
      select directory_id, 0, 0, 0 from directory_state where last_sequence > 0 on conflict (directory_id, minute) do nothing`)
  await run('drop table copies')
  await run('drop table copied_lists')
  // Otherwise the measured calls would pay for the copies. Not every role may do this.
  if (engine === 'postgres') await run('checkpoint').catch(() => [])
}

type Run = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

function openDatabase(engine: EngineName, url: string): AsyncDisposable & { readonly run: Run } {
  if (engine === 'postgres') return { run: (sql) => execute(url, sql), [Symbol.asyncDispose]: async () => {} }
  const db = new DatabaseSync(url.slice('sqlite:'.length))
  db.exec('pragma synchronous = off; pragma foreign_keys = off')
  return { run: async (sql) => db.prepare(sql).all(), [Symbol.asyncDispose]: async () => db.close() }
}

/** The lists of search terms in the products of copies, by the list that they are copied from and the number of the product. */
async function createCopiedLists(run: Run, products: number): Promise<void> {
  await run('create table copied_lists (source bigint, product bigint, list bigint)')
  const [directory] = await run('select product from directories')
  const source = String(directory?.['product'])
  const rows = Array.from({ length: products }, (_, n) =>
    searchedTypes.map((kind) => `(${listNumber(source, kind)}, ${n}, ${listNumber(`bench-${n}`, kind)})`),
  )
  await run(`insert into copied_lists (source, product, list) values ${rows.flat()}`)
}

async function copyRows(run: Run, dialect: Dialect, table: string, { products }: Copies): Promise<void> {
  const columns = await run(dialect.columnsOf(table))
  const names = columns.map(({ name }) => String(name))
  const values = columns.map(({ name, type }) => copyOf(dialect, String(name), type === 'text', products))
  const key = ['list', 'term', 'row_key'].map((name) => names.indexOf(name) + 1)
  const order = table === 'search_terms' ? ` order by ${key}` : ''
  await run(`insert into ${table} (${names}) select ${values} from copies cross join ${table}${order}`)
}

/** The columns that contain the number of the directory, above so many bits. */
const numbered: Readonly<Record<string, number>> = { number: 0, row_key: sequenceBits }

/** The value of a column in a copy. */
function copyOf({ decimal, hex }: Dialect, column: string, isText: boolean, products: number): string {
  const bits = numbered[column]
  if (bits !== undefined) return `${column} + (n << ${bits})`
  if (column === 'newest_at') return 'newest_at + n'
  if (column === 'list')
    return `(select l.list from copied_lists l where l.source = search_terms.list and l.product = n % ${products})`
  if (column === 'product') return `case when product is null then null else 'bench-' || (n % ${products}) end`
  if (!isText) return column
  const renamed = `replace(${column}, '${copiedPrefix}', 'u' || ${decimal})`
  return `replace(${renamed}, '${seededIds}0000', '${seededIds}' || ${hex})`
}

const sealedAtOnce = 500

/** Secrets are bound to the id of their directory. */
async function sealSecrets(run: Run, encryptionKey: string, { directories }: Copies): Promise<void> {
  const { seal } = createSealing([Buffer.from(encryptionKey, 'base64')])
  for (let first = 1; first <= directories; first += sealedAtOnce) {
    const count = Math.min(sealedAtOnce, directories - first + 1)
    const rows = Array.from({ length: count }, (_, index) => {
      const id = `${copyPrefix(first + index)}-0`
      return `('${id}', '${seal('secret', directoryLocation('scim_secret', id))}')`
    })
    await run(`
      update directories set scim_secret = v.column2 from (values ${rows}) v where directories.id = v.column1`)
  }
}
