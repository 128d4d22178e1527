import type { DatabaseSync } from 'node:sqlite'
import type { ProvisioningWrites } from '../provisioning.ts'
import { createWriteDirectory } from './directory-writes.ts'
import { sqliteGroups } from './groups.ts'
import type { LargeChangeParts } from './large-changes.ts'
import { createLargeChanges } from './large-changes.ts'
import { createMembers } from './members.ts'
import type { RunStatement } from './sql-database.ts'
import { sqliteUsers } from './users.ts'
import type { CommitParts, ProvisioningParts } from './write/commit.ts'
import { createBatched } from './write/commit.ts'

interface Parts extends LargeChangeParts {
  readonly run: RunStatement
  readonly commitParts: CommitParts
}

/** Provisioning on SQLite: writes of one kind that wait for the same commit share a batch. */
export function sqliteProvisioning(db: DatabaseSync, { run, commitParts, ...largeParts }: Parts): ProvisioningWrites {
  const { commits, gate } = largeParts
  const batched = createBatched(createWriteDirectory(db, commits, gate.whenOpen), commitParts)
  const parts: ProvisioningParts = { db, batched, members: createMembers(db) }
  const large = createLargeChanges(parts, { ...largeParts, commitParts, run })
  large.recover()
  return { ...sqliteUsers(parts, large), ...sqliteGroups(parts, large) }
}
