import type { DatabaseSync } from 'node:sqlite'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { limitOf } from '../../directory/removal-limit.ts'
import type { ProvisioningWrites } from '../mappings.ts'
import type { ProvisioningParts } from './directory-writes.ts'
import { createWriteDirectory } from './directory-writes.ts'
import { sqliteGroups } from './groups.ts'
import type { LargeChangeParts } from './large-changes.ts'
import { createLargeChanges } from './large-changes.ts'
import { createMembers } from './members.ts'
import type { RunStatement } from './sql-database.ts'
import { sqliteUsers } from './users.ts'
import type { CommitParts } from './write/commit.ts'

interface Parts extends LargeChangeParts {
  readonly run: RunStatement
  readonly commitParts: CommitParts
  /** The limit of directories without one of their own. */
  readonly removalLimit: RemovalLimit | null
}

/** Provisioning on SQLite: every call is one write of the group commit. */
export function sqliteProvisioning(
  db: DatabaseSync,
  { run, commitParts, removalLimit, ...largeParts }: Parts,
): ProvisioningWrites {
  const { commits, gate } = largeParts
  const parts: ProvisioningParts = {
    db,
    write: createWriteDirectory(db, commits, gate.whenOpen),
    members: createMembers(db),
    limitOf: (revision) => limitOf(revision, removalLimit),
  }
  const large = createLargeChanges(parts, { ...largeParts, commitParts, run })
  large.recover()
  return {
    ...sqliteUsers(parts, commitParts, large),
    ...sqliteGroups(parts, commitParts, large),
  }
}
