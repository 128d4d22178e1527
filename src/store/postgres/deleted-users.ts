import type { ProvisioningStore } from '../../directory/directory-store.ts'
import type { Reader } from './reader.ts'
import { deleteFound } from './sql.ts'

const prune = `
  with gone as (
    ${deleteFound(
      'deleted_users',
      'select directory_id, ctid as row_position from deleted_users where deleted_at < $1 order by deleted_at limit $2',
    )}
  )
  select count(*) as n from gone`

/** Forgets users on PostgreSQL who were deleted long ago. */
export function createPruneDeletedUsers({ number }: Reader): ProvisioningStore['pruneDeletedUsers'] {
  return (before, limit) => number({ text: prune, values: [before, limit] })
}
