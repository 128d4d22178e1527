import type { AuditChanges, AuditEntry } from '../../directory/audit.ts'
import type { DirectoryRecords } from '../../directory/directory-store.ts'
import type { AuditStore } from './audit-store.ts'
import { parseExact } from './personal-fields.ts'

/** What the API says about the directory of an entry in addition to its id. */
export interface DirectoryName {
  /** The present name, or the last one of a deleted directory; null when it is not known. */
  readonly name: string | null
  readonly is_deleted: boolean
}

export type NameStore = Pick<AuditStore, 'listAudit'> & Pick<DirectoryRecords, 'getDirectories'>

const directoriesPerRead = 200

/** The names of the directories that entries are about, by id. */
export async function directoryNames(store: NameStore, entries: readonly AuditEntry[]) {
  const isNamed = ({ targetKind, targetId }: AuditEntry) => targetKind === 'directory' && targetId !== undefined
  const ids = [...new Set(entries.filter(isNamed).map(({ targetId = '' }) => targetId))]
  const names = new Map<string, DirectoryName>()
  while (ids.length > 0) {
    const part = ids.splice(0, directoriesPerRead)
    const present = await store.getDirectories(part)
    for (const id of part) {
      const name = present.get(id)?.name
      names.set(id, { name: name ?? (await lastName(store, id)), is_deleted: name === undefined })
    }
  }
  return names
}

/** The name that a deleted directory had: one of the last entries about it is that of its deletion. */
async function lastName({ listAudit }: NameStore, targetId: string): Promise<string | null> {
  const entries = await listAudit({ targetId }, Number.MAX_SAFE_INTEGER, 20)
  const { changes = '' } = entries.find(({ action }) => action === 'directory.deleted') ?? {}
  const { name } = (parseExact(changes) ?? {}) as Partial<AuditChanges>
  return typeof name?.from === 'string' ? name.from : null
}
