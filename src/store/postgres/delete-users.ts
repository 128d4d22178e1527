import type { DirectoryRevision } from '../../directory/directory.ts'
import type { IndexedUser } from '../../directory/user.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { Database } from './database.ts'
import type { DeletionOutcome } from './deletion.ts'
import { deletionText, runDeletions } from './deletion.ts'
import { emailArrays } from './user-rows.ts'

/** A user to delete and the event that tells of it. */
export interface UserDeletion {
  readonly user: IndexedUser
  readonly event: UnnumberedEvent
}

const text = deletionText({
  table: 'users',
  leaving: '',
  alsoGone: `gone_emails as (
    delete from user_emails e
    using unnest((select $11::text[]), (select $12::text[])) as a (user_id, email) join gone g on g.id = a.user_id
    where e.directory_id = $1 and e.email = a.email and e.user_id = a.user_id
  )`,
})

/** Deletes users with their events; they leave their groups. */
export function deleteUsers(
  database: Database,
  directory: DirectoryRevision,
  inputs: readonly UserDeletion[],
): Promise<DeletionOutcome[]> {
  const deletions = inputs.map(({ user: { id, version }, event }) => ({ id, version, event }))
  const more = emailArrays(inputs.map(({ user }) => user))
  return runDeletions(database, directory, text, deletions, more)
}
