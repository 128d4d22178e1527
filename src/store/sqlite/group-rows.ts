import type { DatabaseSync } from 'node:sqlite'
import type { Group } from '../../directory/group.ts'
import { groupTexts, termsOf } from '../../directory/search-terms.ts'
import { fold } from '../../scim/fold.ts'
import type { GroupChange } from '../group-changes.ts'
import { decodeGroup, groupColumns } from '../groups.ts'
import { integer } from '../row.ts'
import type { DirectoryState } from './events.ts'
import { nextRowSequence } from './events.ts'
import { rowKey } from './row-key.ts'
import type { SearchTerms, TermOwner } from './search-terms.ts'

/** The rows of groups. Everything here runs in the transaction of the caller. */
export interface GroupRows {
  find(directoryId: string, id: string): Group | undefined
  /** Whether another group has a folded name. */
  isNameTaken(directoryId: string, name: string, id: string): boolean
  /** The bytes of a group; 0 if there is none. */
  bytes(directoryId: string, id: string): number
  /**
   * Inserts a group with the sequence number of the next event, writes it as a whole, or writes its new version only.
   *
   * @param product that of the directory
   */
  write(directory: DirectoryState, product: string, kind: GroupChange<never>['kind'], group: Group): void
}

export function createGroupRows(db: DatabaseSync, terms: SearchTerms): GroupRows {
  const byId = db.prepare(`select ${groupColumns} from groups g where g.directory_id = ? and g.id = ?`)
  const others = db.prepare('select 1 from groups where directory_id = ? and name_folded = ? and id <> ? limit 1')
  const bytes = db.prepare('select octet_length(raw) as n from groups where directory_id = ? and id = ?')
  const find = (directoryId: string, id: string): Group | undefined => {
    const row = byId.get(directoryId, id)
    return row && decodeGroup(row)
  }
  const writeRow = createWriteGroup(db)
  return {
    find,
    isNameTaken: (directoryId, name, id) => others.get(directoryId, name, id) !== undefined,
    bytes: (directoryId, id) => integer(bytes.get(directoryId, id) ?? { n: 0 }, 'n'),
    write(directory, product, kind, group) {
      const ownerAt = (key: number): TermOwner => ({ product, kind: 'group', rowKey: key })
      if (kind === 'create') {
        terms.create(ownerAt(rowKey(directory.number, nextRowSequence(directory))), termsOf(groupTexts(group)))
      } else if (kind === 'replace') {
        const row = byId.get(directory.id, group.id) ?? {}
        const findOwner = () => ownerAt(rowKey(directory.number, integer(row, 'sequence')))
        terms.change(findOwner, groupTexts(decodeGroup(row)), groupTexts(group))
      }
      writeRow(directory, kind, group)
    },
  }
}

function createWriteGroup(db: DatabaseSync) {
  const insert = db.prepare(`
    insert into groups (directory_id, id, sequence, version, created_at, updated_at, name, name_folded, external_id, raw)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const update = db.prepare(`
    update groups set version = ?, updated_at = ?, name = ?, name_folded = ?, external_id = ?, raw = ?
    where directory_id = ? and id = ?`)
  const updateVersion = db.prepare('update groups set version = ?, updated_at = ? where directory_id = ? and id = ?')
  return (directory: DirectoryState, kind: GroupChange<never>['kind'], group: Group) => {
    const { id, version, createdAt, updatedAt, name, externalId = null, raw } = group
    const { id: directoryId } = directory
    const sequence = nextRowSequence(directory)
    if (kind === 'create') {
      const content = [createdAt, updatedAt, name, fold(name), externalId, raw] as const
      insert.run(directoryId, id, sequence, version, ...content)
    } else if (kind === 'replace') {
      update.run(version, updatedAt, name, fold(name), externalId, raw, directoryId, id)
    } else updateVersion.run(version, updatedAt, directoryId, id)
  }
}
