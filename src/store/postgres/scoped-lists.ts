import type { DirectoryScope } from '../../directory/directory.ts'
import type { InDirectory, Listed, ListPart, NamedDirectory } from '../../directory/store.ts'
import { decodeInDirectory, decodeListed } from '../lists.ts'
import type { Row } from '../row.ts'
import { bucketAt } from './list-counts.ts'
import type { ListStatements, ListTable } from './lists.ts'
import { inScope, listInOrder, listPart, withTables } from './lists.ts'
import type { Reader } from './reader.ts'
import { rowInDirectories, rowInDirectory } from './scoped-reads.ts'

/** The directory `$1`, if its tenant and product are `$2` and `$3` or these are null. */
const namedDirectory = `
  select d.id as directory_id, d.created_at as directory_created_at from directories d
  where d.deleted = 0 and d.id = $1 and d.tenant = coalesce($2, d.tenant) and d.product = coalesce($3, d.product)`

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

/** As `scopedList`, for the members of a group that is in any directory of a scope; without their names. */
export function scopedMemberList<T>({ rows, row }: Reader, decode: (row: Row) => T) {
  const group: ListTable = { table: 'groups', alias: 'g', columns: 'g.id' }
  const [ofDirectory, ofScope] = [rowInDirectory(group, '$4'), rowInDirectories(group, '$3')]
  const [inOne, inAny] = [memberIds(ofDirectory, 4), memberIds(ofScope, 3)]
  return async (
    scope: DirectoryScope,
    groupId: string,
    part: ListPart,
  ): Promise<InDirectory<Listed<T>[]> | undefined> => {
    const { directoryId, tenant, product } = scope
    const isNamed = directoryId !== undefined
    const keys = [...(isNamed ? [directoryId] : []), tenant ?? null, product ?? null, groupId]
    const found = await rows(listPart(isNamed ? inOne : inAny, keys, part))
    const directory = found[0] ?? (await row({ text: isNamed ? ofDirectory : ofScope, values: keys }))
    return directory && decodeInDirectory(directory, () => found.map((one) => decodeListed(one, decode)))
  }
}

/** The members of the group that a query finds; its id is the last parameter. */
function memberIds(group: string, keys: number): ListStatements {
  const { tables, columns, directory } = inScope(group, keys)
  const parameter = (number: number) => `$${keys + number}`
  const offset = `${parameter(1)}::int8`
  const groupId = parameter(0)
  const list = `
    select ${columns} m.member_id as id, m.sequence, m.member_type from members m
    where m.directory_id = ${directory} and m.group_id || '' = ${groupId}`
  return {
    after: `
      ${withTables(...tables)}
      ${list} and (m.sequence, m.member_id) > (${parameter(1)}, ${parameter(2)})
      order by m.sequence, m.member_id limit ${parameter(3)}`,
    fromOffset: `
      ${withTables(...tables, `bucket as materialized (${bucketAt(groupId, offset, directory)})`)}
      ${list} and m.sequence >= (select sequence from bucket)
      order by m.sequence, m.member_id limit ${parameter(2)} offset ${offset} - (select before from bucket)`,
  }
}
