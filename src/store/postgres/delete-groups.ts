import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Group } from '../../directory/group.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { Database } from './database.ts'
import type { DeletionOutcome } from './deletion.ts'
import { deletionText, runDeletions } from './deletion.ts'

/** A group to delete and the event that tells of it. */
export interface GroupDeletion {
  readonly group: Pick<Group, 'id' | 'version'>
  readonly event: UnnumberedEvent
}

/** A group that goes together with the one it is in needs no new version of that one. */
const text = deletionText({
  table: 'groups',
  leaving: `
      and m.group_id not in (select id from gone)`,
  alsoGone: `gone_members as (
    delete from members m using gone g where m.directory_id = $1 and m.group_id = g.id
  ),
  forgotten as (
    delete from list_counts c using gone g where c.directory_id = $1 and c.list_name = g.id
  )`,
})

/** Deletes groups with their events; their members leave silently, and they leave the groups that they are in. */
export function deleteGroups(
  database: Database,
  directory: DirectoryRevision,
  inputs: readonly GroupDeletion[],
): Promise<DeletionOutcome[]> {
  const deletions = inputs.map(({ group: { id, version }, event }) => ({ id, version, event }))
  return runDeletions(database, directory, text, deletions)
}
