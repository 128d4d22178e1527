import type { Client } from 'pg'
import type { Migration } from '../migrations.ts'
import { integer } from '../row.ts'

/** The most hash partitions that a table may have. */
export const maxPartitions = 64

/** A table of the migrations: its name, its columns and constraints, and its storage parameters. */
// Not linear: it only reads the migrations.
const createTable = /^create table (\w+) \((.*?)^\)( with \([^)]*\))?;/gms

/** A change of the storage parameters of a table. */
// Linear: neither a name nor what is in parentheses contains another beginning.
const setParameters = /^alter table (\w+) (set|reset) \([^()]*\);/gm

/** Tables that name a directory, but belong to no directory. */
const whole: ReadonlySet<string> = new Set(['setup_links'])

/** The names of the tables that are partitioned: all whose rows belong to a directory. */
export function directoryTables(migrations: readonly Migration[]): readonly string[] {
  const created = migrations.flatMap(({ sql }) => [...sql.matchAll(createTable)])
  return created.flatMap(([, table = '', columns = '']) => (belongsToDirectory(table, columns) ? [table] : []))
}

function belongsToDirectory(table: string, columns: string): boolean {
  return /^ {2}directory_id /m.test(columns) && !whole.has(table)
}

/**
 * The SQL of a migration for a database whose tables are hash partitioned by `directory_id`. Storage parameters belong to the
 * partitions; every other statement is the same, because PostgreSQL applies it to all partitions.
 *
 * @param tables all tables that are partitioned, those of earlier migrations included
 */
export function partitionedSql(sql: string, tables: readonly string[], partitions: number): string {
  const each = (write: (n: number) => string) => Array.from({ length: partitions }, (_, n) => write(n))
  return sql
    .replace(createTable, (statement: string, table: string, columns: string, storage = '') => {
      if (!tables.includes(table)) return statement
      const ofTable = each(
        (n) =>
          `create table ${table}_${n} partition of ${table} for values with (modulus ${partitions}, remainder ${n})${storage};`,
      )
      return [`create table ${table} (${columns}) partition by hash (directory_id);`, ...ofTable].join('\n')
    })
    .replace(setParameters, (statement: string, table: string) => {
      if (!tables.includes(table)) return statement
      return each((n) => statement.replace(`alter table ${table} `, `alter table ${table}_${n} `)).join('\n')
    })
}

/** The number of partitions of each table in a database that has been migrated; undefined when its tables are whole. */
export async function readPartitions(client: Client): Promise<number | undefined> {
  const { rows } = await client.query(
    `select count(*)::int4 as partitions from pg_inherits where inhparent = to_regclass('users')`,
  )
  const partitions = integer(rows[0], 'partitions')
  return partitions === 0 ? undefined : partitions
}
