import type { DatabaseSync } from 'node:sqlite'
import type { Group } from '../../directory/group.ts'
import { fold } from '../../scim/fold.ts'
import type { GroupRow } from '../resource-rows.ts'
import { groupColumns } from '../resource-rows.ts'
import type { NumberedDirectory } from './row-key.ts'
import { rowKey } from './row-key.ts'

/** The statements on `groups`. Each runs in the transaction that the caller has open. */
export function groupStatements(db: DatabaseSync) {
  const insert = db.prepare(`
    insert into groups (row_key, directory_id, id, sequence, version, created_at, updated_at, name, name_folded, external_id, raw)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const update = db.prepare(`
    update groups set version = ?, updated_at = ?, name = ?, name_folded = ?, external_id = ?, raw = ?
    where directory_id = ? and id = ? and version = ?`)
  const touch = db.prepare('update groups set version = version + 1, updated_at = ? where directory_id = ? and id = ?')
  const remove = db.prepare(
    'delete from groups where directory_id = ? and id = ? and version = ? returning sequence as sequence',
  )
  const byId = db.prepare(`select ${groupColumns} from groups g where g.directory_id = ? and g.id = ?`)

  return {
    /** Inserts a group that the event of that sequence number made. */
    insertGroup({ id: directoryId, number }: NumberedDirectory, group: Group, sequence: number): void {
      const { id, version, createdAt, updatedAt, name, externalId, raw } = group
      const key = rowKey(number, sequence)
      insert.run(
        key,
        directoryId,
        id,
        sequence,
        version,
        createdAt,
        updatedAt,
        name,
        fold(name),
        externalId ?? null,
        raw,
      )
    },
    /** Stores `after` over `before`; false when the stored version is another. */
    updateGroup(directoryId: string, before: Group, after: Group): boolean {
      const { version, updatedAt, name, externalId, raw } = after
      const values = [version, updatedAt, name, fold(name), externalId ?? null, raw] as const
      return update.run(...values, directoryId, before.id, before.version).changes === 1
    },
    /** Gives a group its next version because its members changed. */
    touchGroup(directoryId: string, id: string, updatedAt: number): void {
      touch.run(updatedAt, directoryId, id)
    },
    /** Deletes a group; answers the sequence number that it had in the list, undefined when the version is another. */
    deleteGroup(directoryId: string, { id, version }: Pick<Group, 'id' | 'version'>): number | undefined {
      const row = remove.get(directoryId, id, version)
      return row === undefined ? undefined : Number(row['sequence'])
    },
    /** The row of a group. */
    groupRow(directoryId: string, id: string): GroupRow | undefined {
      return byId.get(directoryId, id) as unknown as GroupRow | undefined
    },
  }
}
