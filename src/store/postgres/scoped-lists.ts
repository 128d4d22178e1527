import type { DirectoryScope } from '../../directory/directory.ts'
import type {
  InDirectory,
  Listed,
  ListPart,
  MemberId,
  NamedDirectory,
  ViewPage,
} from '../../directory/directory-store.ts'
import { maxListedBytes } from '../../directory/listed.ts'
import { decodeInDirectory, decodeListed } from '../lists.ts'
import { decodeMemberIds } from '../members.ts'
import type { Row } from '../row.ts'
import { boolean, integer, optionalText, text } from '../row.ts'
import { bucketAt } from './list-counts.ts'
import type { ListPlace, ListStatements, ListTable } from './lists.ts'
import { inScope, listInOrder, listPart, withTables } from './lists.ts'
import { memberIdsColumn } from './member-columns.ts'
import type { Reader } from './reader.ts'
import { isNamed, rowInDirectories, rowInDirectory } from './scoped-reads.ts'

const namedDirectory = `
  select d.id as directory_id, d.created_at as directory_created_at from directories d where ${isNamed}`

/** The directory of the tenant `$1` and product `$2`; no row when there are several. */
const onlyDirectory = `
  select min(d.id) as directory_id, min(d.created_at) as directory_created_at from (
    select id, created_at from directories where deleted = 0 and tenant = $1 and product = $2
    order by created_at, id limit 2
  ) d
  having count(*) = 1`

/** The parameters of `namedDirectory`. */
function namedKeys({ directoryId, tenant, product }: NamedDirectory) {
  return [directoryId, tenant ?? null, product ?? null]
}

/**
 * Makes the read of a list in a directory, if the scope contains that. One statement looks at both; only when it finds
 * nothing, a second one says whether there is such a directory.
 */
export function scopedList<T>({ rows, row }: Reader, table: ListTable, decode: (row: Row) => T) {
  const statements = listInOrder(table, inScope(namedDirectory, 3))
  return async (scope: NamedDirectory, part: ListPart): Promise<InDirectory<Listed<T>[]> | undefined> => {
    const found = await rows(listPart(statements, namedKeys(scope), part))
    const directory = found[0] ?? (await row({ text: namedDirectory, values: namedKeys(scope) }))
    return directory && decodeInDirectory(directory, () => found.map((one) => decodeListed(one, decode)))
  }
}

/**
 * As `scopedList`, for a page as text, and also for the only directory of a scope. The database composes the page, which saves
 * sending and decoding the columns of each row.
 *
 * @param view the JSON text of a row
 * @param partial 1 if that text does not contain all of the row `v`, else 0
 */
export function scopedViewPage(
  { row }: Reader,
  { table, alias }: Omit<ListTable, 'columns'>,
  view: string,
  partial = '0',
) {
  const isLarge = `octet_length(${alias}.raw) > ${maxListedBytes}`
  const columns = `${alias}.directory_id, ${alias}.id, ${alias}.sequence, (${isLarge})::int4 as is_large,
    case when ${isLarge} then null else ${view} end as view`
  const statementsIn = (place: ListPlace) =>
    listInOrder(
      { table, alias, columns },
      { ...place, columns: '' },
      (list) => `
    select s.directory_id, s.directory_created_at, p.*, (
      exists (select from ${table} n where n.directory_id = s.directory_id and n.sequence > p.sequence))::int4 as is_followed
    from scope s cross join (
      select string_agg(v.view, ',') as views, coalesce(max(greatest(v.is_large, ${partial})), 0) as is_partial, max(v.sequence) as sequence,
        (array_agg(v.id))[count(*)] as id
      from (${list}) v) p`,
    )
  const [inNamed, inOnly] = [statementsIn(inScope(namedDirectory, 3)), statementsIn(inScope(onlyDirectory, 2))]
  return async (scope: DirectoryScope, part: ListPart): Promise<InDirectory<ViewPage> | undefined> => {
    const { directoryId, tenant = null, product = null } = scope
    const statement =
      directoryId === undefined
        ? listPart(inOnly, [tenant, product], part)
        : listPart(inNamed, namedKeys({ ...scope, directoryId }), part)
    const found = await row(statement)
    return found && decodeInDirectory(found, decodeViewPage)
  }
}

function decodeViewPage(row: Row): ViewPage {
  return {
    text: boolean(row, 'is_partial') ? undefined : (optionalText(row, 'views') ?? ''),
    last: boolean(row, 'is_followed') ? { sequence: integer(row, 'sequence'), id: text(row, 'id') } : undefined,
  }
}

/** As `scopedList`, for the members of a group that is in any directory of a scope; without their names. */
export function scopedMemberList({ row }: Reader) {
  const group: ListTable = { table: 'groups', alias: 'g', columns: 'g.id' }
  const [inOne, inAny] = [memberIds(rowInDirectory(group, '$4'), 4), memberIds(rowInDirectories(group, '$3'), 3)]
  return async (
    { directoryId, tenant, product }: DirectoryScope,
    groupId: string,
    part: ListPart,
  ): Promise<InDirectory<Listed<MemberId>[]> | undefined> => {
    const scope = [tenant ?? null, product ?? null, groupId]
    const statement =
      directoryId === undefined ? listPart(inAny, scope, part) : listPart(inOne, [directoryId, ...scope], part)
    const found = await row(statement)
    return found && decodeInDirectory(found, decodeMemberIds)
  }
}

/** The members of the group that a query finds, whose id is its last parameter: one row when there is such a group. */
function memberIds(group: string, keys: number): ListStatements {
  const { tables, directory } = inScope(group, keys)
  const parameter = (number: number) => `$${keys + number}`
  const offset = `${parameter(1)}::int8`
  const groupId = parameter(0)
  const members = `
    select member_id, member_type, sequence from members
    where directory_id = ${directory} and group_id || '' = ${groupId}`
  const statement = (page: string, ...others: readonly string[]) => `
    ${withTables(...tables, ...others)}
    select s.directory_id, s.directory_created_at, (select ${memberIdsColumn} from (${page}) m) as members from scope s`
  return {
    after: statement(`
      ${members} and (sequence, member_id) > (${parameter(1)}, ${parameter(2)})
      order by sequence, member_id limit ${parameter(3)}`),
    fromOffset: statement(
      `
      ${members} and sequence >= (select sequence from bucket)
      order by sequence, member_id limit ${parameter(2)} offset ${offset} - (select before from bucket)`,
      `bucket as materialized (${bucketAt(groupId, offset, directory)})`,
    ),
  }
}
