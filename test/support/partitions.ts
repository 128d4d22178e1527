import { readMigrations } from '../../src/store/migrations.ts'
import { execute, startPostgres } from './postgres.ts'

/** As many as show what partitions change: a database of tests has hundreds of files already. */
const partitions = 3

/** A table of the migrations: its name, its columns and constraints, and its storage parameters. */
const createTable = /^create table (\w+) \((.*?)^\)( with \([^)]*\))?;/gms

/** Tables that name a directory, but belong to no directory. */
const whole: ReadonlySet<string> = new Set(['setup_links'])

/**
 * The schema of the migrations, with each table that has a `directory_id` in hash partitions by it, as
 * docs/scaling.md describes. Storage parameters belong to the partitions.
 */
export function partitionedSchema(): { readonly sql: string; readonly tables: readonly string[] } {
  const tables: string[] = []
  const migrations = readMigrations(new URL('../../src/store/postgres/migrations/', import.meta.url))
  const parts = migrations.map(({ sql }) =>
    sql.replace(createTable, (all: string, table: string, columns: string, storage = '') => {
      if (!/^ {2}directory_id /m.test(columns) || whole.has(table)) return all
      tables.push(table)
      const ofTable = Array.from(
        { length: partitions },
        (_, n) =>
          `create table ${table}_${n} partition of ${table} for values with (modulus ${partitions}, remainder ${n})${storage};`,
      )
      return [`create table ${table} (${columns}) partition by hash (directory_id);`, ...ofTable].join('\n')
    }),
  )
  const applied = migrations.map(({ number, name }) => `(${number}, '${name}')`).join(', ')
  const record = `
    create table schema_migrations (number integer primary key, name text not null, applied_at timestamptz not null default now());
    insert into schema_migrations (number, name) values ${applied};`
  return { sql: [...parts, record].join('\n'), tables }
}

let template: Promise<string> | undefined

/** A database with partitions; the first one is the template of the others. */
export async function startPartitioned() {
  template ??= createTemplate()
  return startPostgres({ template: await template })
}

async function createTemplate(): Promise<string> {
  const { url } = await startPostgres({ isEmpty: true })
  await execute(url, partitionedSchema().sql)
  return new URL(url).pathname.slice(1)
}

/** Drops the template, which outlives a run on a server of one's own. */
export async function dropTemplate(): Promise<void> {
  const name = await template
  if (name === undefined) return
  const { url, [Symbol.asyncDispose]: dispose } = await startPostgres()
  await execute(url, `drop database ${name}`)
  await dispose()
}
