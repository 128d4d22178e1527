import type { DatabaseSync } from 'node:sqlite'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { limitOf } from '../../directory/removal-limit.ts'
import type { ProvisioningWrites } from '../mappings.ts'
import type { ProvisioningParts } from './directory-writes.ts'
import { createWriteDirectory } from './directory-writes.ts'
import { createGroupRows } from './group-rows.ts'
import { sqliteGroups } from './groups.ts'
import type { LargeChangeParts } from './large-changes.ts'
import { createLargeChanges } from './large-changes.ts'
import type { ListCounts } from './list-counts.ts'
import { createMembers } from './members.ts'
import { createRemovalCounts } from './removals.ts'
import { createSearchTerms } from './search-terms.ts'
import type { RunStatement } from './sql-database.ts'
import { sqliteUsers } from './users.ts'
import type { CommitParts } from './write/commit.ts'

interface Parts extends LargeChangeParts {
  readonly counts: ListCounts
  readonly run: RunStatement
  readonly commitParts: CommitParts
  /** The limit of directories without one of their own. */
  readonly removalLimit: RemovalLimit | null
}

/** Provisioning on SQLite: every call is one write of the group commit. */
export function sqliteProvisioning(
  db: DatabaseSync,
  { counts, run, commitParts, removalLimit, ...largeParts }: Parts,
): ProvisioningWrites {
  const { commits, gate } = largeParts
  const parts: ProvisioningParts = {
    db,
    write: createWriteDirectory(db, commits, gate.whenOpen),
    counts,
    members: createMembers(db),
    removed: createRemovalCounts(db, run),
    limitOf: (revision) => limitOf(revision, removalLimit),
  }
  const rows = createGroupRows(db, createSearchTerms(db))
  const large = createLargeChanges(parts, rows, { ...largeParts, commitParts, run })
  large.recover()
  return {
    ...sqliteUsers(parts, commitParts, large),
    ...sqliteGroups(parts, commitParts, rows, large),
  }
}
