import type { RetentionStore } from '../delivery/event-store.ts'
import type { Directory, DirectoryScope } from '../directory/directory.ts'
import type { DirectoryListPart, DirectoryReads, DirectoryRecords } from '../directory/directory-store.ts'
import { decodeDirectory, decodeListedDirectory, directoryColumns, prefixRange } from './directories.ts'
import type { DirectoryChanges } from './directory-changes.ts'
import { hadEvents } from './directory-changes.ts'
import type { Row } from './row.ts'
import { boolean, integer, text } from './row.ts'
import type { Sealing } from './sealing.ts'
import type { Dialect, SqlDatabase, Statement, Transaction } from './sql-database.ts'
import { hasEvents } from './streams.ts'

const had = `select case when ${hadEvents} then 1 else 0 end as had_events from directory_state where directory_id = $1`

/** From then on, nothing of a deleted directory is kept. */
const forget = 'update directories set leaving = 0, deleted_at = null where id = $1 and deleted = 1'

/**
 * Directories.
 *
 * @param purge starts to purge deleted directories in the background
 * @param onRun called when a change of a directory has begun a run over its users
 */
export function createDirectoryRecords(
  { query, readEach, atomically, transaction, dialect }: SqlDatabase,
  { create, replace, remove }: DirectoryChanges,
  sealing: Sealing,
  purge: () => void,
  onRun: (directory: Directory) => void,
): DirectoryRecords & Pick<DirectoryReads, 'listDirectoriesInScope'> & Pick<RetentionStore, 'forgetDirectories'> {
  const make = <T>({ first, conclude }: Transaction<T>) => transaction(first, conclude)
  const decode = (found: Row) => decodeDirectory(found, sealing)
  const withState = dialect.joinOne('directory_state', 's', 's.directory_id = d.id')
  // The indexes with present directories only are for lists: PostgreSQL uses none of them for this condition on `deleted`.
  const byIdIf = (condition: string) =>
    `select ${directoryColumns} from directories d ${withState} where d.id = $1 and ${condition}`
  const [byId, leavingById] = [byIdIf('d.deleted <> 1'), byIdIf(hasEvents)]
  const leavingOf = `
    select ${directoryColumns} from (
      select * from directories d where d.leaving > 0 and d.tenant between $1 and $1 and d.product between $2 and $2
      order by d.tenant, d.product, d.deleted_at, d.id limit 1000
    ) d ${withState} order by d.deleted_at, d.id`
  // The range and the order leave PostgreSQL the index on ids to choose: others look as good while few directories are analyzed.
  const deletedBefore = `
    select d.id, case when d.endpoint_url is null then 0 else s.last_sequence - coalesce(p.delivered_sequence, 0) end as undelivered
    from (select * from directories d where d.deleted_at < $1 order by d.deleted_at, d.id limit $2) d ${withState}
    ${dialect.leftJoinOne('delivery_streams', 'p', "p.directory_id = d.id and p.target = 'endpoint'")}`
  const readByIds = readEach({
    ...{ shared: 0, input: { id: 'text' } },
    rowsOf: ({ id }) => `
      select ${directoryColumns} from (
        select * from directories d where ${dialect.equals('d.id', id)} and d.deleted <> 1 order by d.id limit 1
      ) d ${withState}`,
  })
  const readByIdsIn = async (ids: readonly string[]) =>
    (
      await readByIds(
        [],
        ids.map((id) => ({ id })),
      )
    )
      .flat()
      .map(decode)
  return {
    async createDirectory(directory, audit, maxPerScope, event) {
      return make(create(directory, audit, maxPerScope, event))
    },
    async replaceDirectory(directory, audit, options) {
      const outcome = await make(replace(directory, audit, options))
      if (outcome === 'replaced' && options?.run !== undefined) onRun(directory)
      return outcome
    },
    async deleteDirectory(id, at, audit, event) {
      if (id.includes('\0')) return false
      const isDeleted = await make(remove(id, at, audit, event))
      if (isDeleted) purge()
      return isDeleted
    },
    async forgetDirectories(before, limit) {
      const found = await query({ text: deletedBefore, values: [before, limit] })
      if (found.length > 0) await atomically(found.map((row) => ({ text: forget, values: [text(row, 'id')] })))
      if (found.length > 0) purge()
      return found.map((row) => ({ id: text(row, 'id'), undelivered: integer(row, 'undelivered') }))
    },
    async getDirectory(id, which) {
      const [found] = await query({ text: which === 'leaving' ? leavingById : byId, values: [id] })
      return found && decode(found)
    },
    leavingDirectories: async ({ tenant, product }) =>
      (await query({ text: leavingOf, values: [tenant, product] })).map(decode),
    getDirectories: async (ids) => new Map((await readByIdsIn(ids)).map((directory) => [directory.id, directory])),
    async listDirectories(scope, part) {
      return (await query(listStatement(dialect, directoryColumns, scope, part))).map(decode)
    },
    async listDirectoriesInScope(scope, part) {
      const found = await query(listStatement(dialect, 'd.id, d.tenant, d.created_at', scope, part))
      return found.map(decodeListedDirectory)
    },
    async findDirectories(scope, prefix, limit) {
      const found = await Promise.all(
        (['name_folded', 'tenant_folded'] as const).map((column) => query(findStatement(column, scope, prefix, limit))),
      )
      const ids = new Set(found.flat().map((row) => text(row, 'directory_id')))
      const directories = await readByIdsIn([...ids])
      return directories.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)).slice(0, limit)
    },
    async hadEvents(id) {
      const [found] = await query({ text: had, values: [id] })
      return found !== undefined && boolean(found, 'had_events')
    },
  }
}

function listStatement(
  { joinOne }: Dialect,
  columns: string,
  scope: DirectoryScope,
  { after, offset = 0, limit }: DirectoryListPart,
): Statement {
  const { conditions, values } = scopeConditions(scope)
  const statement = `
    select ${columns} from (
      select * from directories d where ${conditions} limit $3 offset $4
    ) d ${joinOne('directory_state', 's', 's.directory_id = d.id')} order by d.created_at, d.id`
  return { text: statement, values: [after?.createdAt ?? 0, after?.id ?? '', limit, offset, ...values] }
}

/** The conditions on a directory `d` after the position `$1`, `$2`, and the order. They leave one index to choose. */
function scopeConditions({ tenant, product, directoryId }: DirectoryScope): {
  readonly conditions: string
  readonly values: readonly (string | null)[]
} {
  const position = 'd.created_at, d.id'
  if (directoryId !== undefined) {
    const ofScope = 'd.tenant = coalesce($6, d.tenant) and d.product = coalesce($7, d.product)'
    const conditions = `d.id = $5 and ${ofScope} and d.deleted <> 1 and (${position}) > ($1, $2)`
    return { conditions, values: [directoryId, tenant ?? null, product ?? null] }
  }
  if (product === undefined) {
    const ofTenant = tenant === undefined ? '' : ' and d.tenant = $5'
    const conditions = `(${position}) > ($1, $2) and d.deleted = 0${ofTenant} order by ${position}`
    return { conditions, values: tenant === undefined ? [] : [tenant] }
  }
  // The rows of an index are compared as a whole, up to the end of the scope: with equalities, PostgreSQL would choose by statistics.
  const [columns, names, upTo, values] =
    tenant === undefined
      ? ['d.product', '$5', 'd.product <= $5', [product]]
      : ['d.tenant, d.product', '$5, $6', 'd.tenant <= $5 and d.product <= $6', [tenant, product]]
  const after = `(${columns}, ${position}) > (${names}, $1, $2)`
  return { conditions: `${after} and ${upTo} and d.deleted = 0 order by ${columns}, ${position}`, values }
}

/** Finds directories whose name or tenant begins with a text, by the indexes of lists of their health. */
function findStatement(
  column: 'name_folded' | 'tenant_folded',
  { tenant, product }: DirectoryScope,
  prefix: string,
  limit: number,
): Statement {
  const { from, to } = prefixRange(prefix)
  const values: unknown[] = [from, to, limit]
  const is = (name: string, value: string | undefined) =>
    value === undefined ? '' : ` and h.${name} = $${values.push(value)}`
  return {
    text: `
      select h.directory_id from directory_health h
      where h.${column} >= $1 and h.${column} >= '' and h.${column} < $2${is('tenant', tenant)}${is('product', product)}
      order by h.${column}, h.directory_id limit $3`,
    values,
  }
}
