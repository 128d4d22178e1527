import type { DirectoryScope } from '../../directory/directory.ts'
import type { InDirectory, MemberId } from '../../directory/directory-store.ts'
import type { ListPart, ListRow } from '../../directory/list.ts'
import { decodeInDirectory } from '../lists.ts'
import { decodeMemberIds } from '../members.ts'
import type { Row } from '../row.ts'
import { bucketAt } from './list-counts.ts'
import type { ListPlace, ListStatements, ListTable } from './lists.ts'
import { inScope, listPart, withTables } from './lists.ts'
import { memberIdsColumn } from './member-columns.ts'
import type { Reader } from './reader.ts'
import { isNamed, rowInDirectories, rowInDirectory } from './scoped-reads.ts'
import { inScope as inDirectories } from './sql.ts'

const namedDirectory = `
  select d.id as directory_id, d.created_at as directory_created_at from directories d where ${isNamed}`

/** The directory of the tenant `$1` and product `$2`; no row when there are several. */
const onlyDirectory = `
  select min(d.id) as directory_id, min(d.created_at) as directory_created_at from (
    select id, created_at from directories where ${inDirectories('$1', '$2')} order by tenant, product limit 2
  ) d
  having count(*) = 1`

/**
 * Makes the read of a list in the directory that a scope names, or else in the only one of its tenant and product. One statement
 * looks at both; only when it finds nothing, a second one says whether there is such a directory.
 */
export function scopedList<T>(
  { rows, row }: Reader,
  statementsIn: (place: ListPlace) => ListStatements,
  decode: (rows: readonly Row[]) => ListRow<T>[],
) {
  const [inNamed, inOnly] = [statementsIn(inScope(namedDirectory, 3)), statementsIn(inScope(onlyDirectory, 2))]
  return async (scope: DirectoryScope, part: ListPart): Promise<InDirectory<ListRow<T>[]> | undefined> => {
    const { directoryId, tenant = null, product = null } = scope
    const isNamed = directoryId !== undefined
    const keys = isNamed ? [directoryId, tenant, product] : [tenant, product]
    const found = await rows(listPart(isNamed ? inNamed : inOnly, keys, part))
    const directory = found[0] ?? (await row({ text: isNamed ? namedDirectory : onlyDirectory, values: keys }))
    return directory && decodeInDirectory(directory, () => decode(found))
  }
}

/** As `scopedList`, for the members of a group in any directory of a scope, without their names. */
export function scopedMemberList({ row }: Reader) {
  const group: ListTable = { table: 'groups', alias: 'g', columns: 'g.id' }
  const [inOne, inAny] = [memberIds(rowInDirectory(group, '$4'), 4), memberIds(rowInDirectories(group, '$3'), 3)]
  return async (
    { directoryId, tenant, product }: DirectoryScope,
    groupId: string,
    part: ListPart,
  ): Promise<InDirectory<ListRow<MemberId>[]> | undefined> => {
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
