import type { DatabaseSync } from 'node:sqlite'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { limitOf } from '../../directory/removal-limit.ts'
import type { MappedRevision } from '../mapped-users.ts'
import type { ProvisioningWrites } from '../mappings.ts'
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
  /** The limit of directories without one of their own. */
  readonly removalLimit: RemovalLimit | null
}

/** Provisioning on SQLite: writes of one kind that wait for the same commit share a batch. */
export function sqliteProvisioning(
  db: DatabaseSync,
  { run, commitParts, removalLimit, ...largeParts }: Parts,
): ProvisioningWrites {
  const { commits, gate } = largeParts
  const written = (revision: MappedRevision) => ({ ...revision, removalLimit: limitOf(revision, removalLimit) })
  const batched = createBatched(createWriteDirectory(db, commits, gate.whenOpen), commitParts, written)
  const parts: ProvisioningParts = { db, commitParts, batched, members: createMembers(db), written }
  const large = createLargeChanges(parts, { ...largeParts, commitParts, run })
  large.recover()
  return { ...sqliteUsers(parts, large), ...sqliteGroups(parts, large) }
}
