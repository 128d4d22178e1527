import type { StoredValue } from './encryption.ts'
import { PolisSourceError } from './errors.ts'
import type { IndexEntry, NamespacePattern, PolisPage, PolisRecordStore, PolisRow } from './record-store.ts'
import { longValue, rowsPerPage } from './record-store.ts'

/** A row of a result; the columns are read as text or numbers. */
export type SqlRow = Readonly<Record<string, unknown>>

/** A database with Polis' tables. It only runs queries, each in a read-only transaction of its own. */
export interface SqlDatabase {
  /** Runs a query; names are in double quotes, and a question mark stands for each parameter. */
  query(text: string, parameters: readonly string[]): Promise<readonly SqlRow[]>
  /** An expression for the Unix milliseconds of a column that Polis declares as a timestamp. */
  milliseconds(column: string): string
  close(): Promise<void>
}

/** The beginning of lists in the order of creation. */
const firstTime = '1970-01-02 00:00:00'

/**
 * Reads Polis' tables `jackson_store` and `jackson_index`. The order of an index is that of its own ids; `+ 0` keeps
 * databases from walking the primary key for it, which passes the rows of all directories.
 */
export function createSqlRecordStore(database: SqlDatabase): PolisRecordStore {
  const columns = `
    s."key" as "key", s."iv" as "iv", s."tag" as "tag", ${database.milliseconds('s."createdAt"')} as "created_at",
    case when octet_length(s."value") <= ${longValue} then s."value" end as "value"`

  /** Makes rows of records, and reads the long values that a page leaves out. */
  async function readRows(found: readonly SqlRow[]): Promise<PolisRow[]> {
    const rows: PolisRow[] = []
    for (const { key, value, iv, tag, created_at } of found) {
      // An entry of the index whose record is gone.
      if (key === null) continue
      const text = typeof value === 'string' ? value : await readValue(keyOf(key))
      if (text !== undefined)
        rows.push({ key: keyOf(key), value: text, iv: textOf(iv), tag: textOf(tag), createdAt: timeOf(created_at) })
    }
    return rows
  }

  /** Reads a value; undefined if its record is gone, empty if it is no text, which then cannot be opened. */
  async function readValue(key: string): Promise<string | undefined> {
    const [row] = await database.query('select "value" as "value" from "jackson_store" where "key" = ?', [key])
    return row && (textOf(row['value']) ?? '')
  }

  return {
    async readIndex(indexKey, from) {
      const found = await database.query(
        `select i."id" as "position", ${columns}
         from (
           select "id", "storeKey" from "jackson_index" where "key" = ? and "id" + 0 > ?
           order by "id" + 0 limit ${rowsPerPage}
         ) i left join "jackson_store" s on s."key" = i."storeKey"
         order by i."id" + 0`,
        [indexKey, from ?? '0'],
      )
      return pageOf(await readRows(found), found, ({ position }) => String(position))
    },
    async readNamespace(namespace, from) {
      const [time, key] = from === undefined ? [firstTime, ''] : splitPosition(from)
      const found = await database.query(
        `select cast(k."createdAt" as char(26)) as "time", ${columns}
         from (
           select "key", "createdAt" from "jackson_store"
           where ("namespace" = ? or ("namespace" is null and "key" like ? escape '!'))
             and ("createdAt" > ? or ("createdAt" = ? and "key" > ?))
           order by "createdAt", "key" limit ${rowsPerPage}
         ) k join "jackson_store" s on s."key" = k."key"
         order by k."createdAt", k."key"`,
        [namespace, likeOf([namespace]), time, time, key],
      )
      return pageOf(await readRows(found), found, (last) => `${String(last['time']).trim()}|${last['key']}`)
    },
    async walk(pattern, from) {
      const found = await database.query(
        `select ${columns} from "jackson_store" s where s."key" like ? escape '!' and s."key" > ?
         order by s."key" limit ${rowsPerPage}`,
        [likeOf(pattern), from ?? ''],
      )
      return pageOf(await readRows(found), found, ({ key }) => String(key))
    },
    async findEntries(entries) {
      if (entries.length === 0) return []
      // A join probes the index once for each pair; two lists of values would be probed in all combinations.
      const pairs = ['select ? as "index_key", ? as "record_key"', ...entries.slice(1).map(() => 'select ?, ?')]
      const found = await database.query(
        `select i."key" as "key", i."storeKey" as "store_key"
         from (${pairs.join(' union all ')}) p
         join "jackson_index" i on i."key" = p."index_key" and i."storeKey" = p."record_key"`,
        entries.flatMap(({ indexKey, key }) => [indexKey, key]),
      )
      return found.map(({ key, store_key }): IndexEntry => ({ indexKey: String(key), key: String(store_key) }))
    },
    async findExisting(keys) {
      if (keys.length === 0) return new Set()
      const text = `select "key" as "key" from "jackson_store" where "key" in (${listOf(keys)})`
      return new Set((await database.query(text, keys)).map(({ key }) => String(key)))
    },
    async sampleEncrypted() {
      const text = `select ${columns} from "jackson_store" s where s."iv" is not null and s."key" like ? escape '!' limit 5`
      return (await readRows(await database.query(text, ['dsync:%']))) satisfies StoredValue[]
    },
    close: () => database.close(),
  }
}

function pageOf(rows: readonly PolisRow[], found: readonly SqlRow[], positionOf: (last: SqlRow) => string): PolisPage {
  const last = found.length < rowsPerPage ? undefined : found.at(-1)
  return { rows, next: last && positionOf(last) }
}

function splitPosition(from: string): [string, string] {
  const end = from.indexOf('|')
  return [from.slice(0, end), from.slice(end + 1)]
}

/** A pattern of `like` for the keys of namespaces, in which `!` escapes. */
function likeOf(pattern: NamespacePattern): string {
  return `${pattern.map((part) => (part === undefined ? '%' : part.replaceAll(/[!%_]/g, '!$&'))).join(':')}:%`
}

function listOf(parameters: readonly string[]): string {
  return parameters.map(() => '?').join(', ')
}

/** @throws PolisSourceError if the column is not of the type that Polis declares */
function keyOf(value: unknown): string {
  if (typeof value === 'string') return value
  throw new PolisSourceError('The keys in the table jackson_store are not texts: name the database that Polis uses.')
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function timeOf(value: unknown): number | undefined {
  const time = value === null ? Number.NaN : Math.floor(Number(value))
  return Number.isFinite(time) ? time : undefined
}
