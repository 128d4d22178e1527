import type { DatabaseSync } from 'node:sqlite'
import type { ProvisioningStore } from '../../directory/directory-store.ts'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { limitOf } from '../../directory/removal-limit.ts'
import type { EngineHolds } from '../holds.ts'
import type { AppendAudit } from './audit.ts'
import type { ProvisioningParts } from './directory-writes.ts'
import { createWriteDirectory } from './directory-writes.ts'
import { createRecordEvents } from './events.ts'
import { createGroupRows } from './group-rows.ts'
import { sqliteGroups } from './groups.ts'
import { sqliteHolds } from './holds.ts'
import type { LargeChangeParts } from './large-changes.ts'
import { createLargeChanges } from './large-changes.ts'
import type { ListCounts } from './list-counts.ts'
import type { MappedUsers } from './mapped-users.ts'
import { createMembers } from './members.ts'
import { createRemovalCounts } from './removals.ts'
import { createSearchTerms } from './search-terms.ts'
import type { RunStatement } from './sql-database.ts'
import { sqliteUsers } from './users.ts'
import { createCommitParts } from './write/commit.ts'

interface Parts extends LargeChangeParts {
  readonly counts: ListCounts
  readonly run: RunStatement
  readonly appendAudit: AppendAudit
  readonly mapped: MappedUsers
  /** The limit of directories without one of their own. */
  readonly removalLimit: RemovalLimit | null
}

/** Provisioning, and the ends of the holds that it begins, on SQLite: every call is one write of the group commit. */
export function sqliteProvisioning(
  db: DatabaseSync,
  { counts, run, appendAudit, removalLimit, mapped, ...largeParts }: Parts,
): ProvisioningStore & EngineHolds {
  const { commits, gate } = largeParts
  const removed = createRemovalCounts(db, run)
  const parts: ProvisioningParts = {
    db,
    write: createWriteDirectory(db, commits, gate.whenOpen),
    record: createRecordEvents(db),
    counts,
    members: createMembers(db, counts),
    removed,
    terms: createSearchTerms(db),
    mapped,
    limitOf: (revision) => limitOf(revision, removalLimit),
  }
  const commitParts = createCommitParts(db, run)
  const rows = createGroupRows(db, parts.terms)
  const large = createLargeChanges(parts, rows, largeParts)
  large.recover()
  return {
    ...sqliteUsers({ ...parts, commitParts, large, commits, run }),
    ...sqliteGroups(parts, commitParts, rows, large, commits),
    ...sqliteHolds(db, commits, { run, appendAudit, gate, large }),
  }
}
