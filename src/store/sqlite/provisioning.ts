import type { DatabaseSync } from 'node:sqlite'
import type { ProvisioningStore } from '../../directory/store.ts'
import { createWriteDirectory } from './directory-writes.ts'
import { createRecordEvents } from './events.ts'
import { sqliteGroups } from './groups.ts'
import type { LargeChangeParts } from './large-changes.ts'
import type { ListCounts } from './list-counts.ts'
import { createMembers } from './members.ts'
import { sqliteUsers } from './users.ts'

/** Provisioning on SQLite: every call is one write of the group commit. */
export function sqliteProvisioning(
  db: DatabaseSync,
  counts: ListCounts,
  largeParts: LargeChangeParts,
): ProvisioningStore {
  const { commits, gate } = largeParts
  const parts = {
    db,
    write: createWriteDirectory(db, commits, gate.whenOpen),
    record: createRecordEvents(db),
    counts,
    members: createMembers(db, counts),
  }
  return { ...sqliteUsers(parts), ...sqliteGroups(parts, largeParts) }
}
