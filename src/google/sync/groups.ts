import type { Group } from '../../directory/group.ts'
import { deleteGroup, upsertGroup } from '../../provisioning/groups.ts'
import { ScimError } from '../../scim/errors.ts'
import { parseResource } from '../../scim/resource/parse-resource.ts'
import { groupType } from '../../scim/schema/resource-type.ts'
import type { GoogleGroup } from '../client/items.ts'
import { groupBody } from '../mapping/group.ts'
import type { SyncContext } from './context.ts'
import { withoutLimit } from './write.ts'

/**
 * Creates a group or updates the stored one, without its members. A group that cannot be stored is counted as skipped.
 *
 * @param stored undefined if the group is not stored yet
 */
export async function syncGroup(context: SyncContext, group: GoogleGroup, stored: Group | undefined): Promise<void> {
  const { provisioning, write, tally } = context
  try {
    const resource = parseResource(groupType, groupBody(group))
    const { outcome } = await write((to) => upsertGroup(provisioning, to, group.id, resource, stored))
    if (outcome !== 'unchanged') tally.count(outcome)
  } catch (error) {
    if (!(error instanceof ScimError)) throw error
    context.skip(group.id)
  }
}

/** @param isApproved as for `deleteStoredUser` */
export async function deleteStoredGroup(
  { provisioning, write }: SyncContext,
  id: string,
  isApproved: boolean,
): Promise<void> {
  await write((to) => deleteGroup(provisioning, isApproved ? withoutLimit(to) : to, { id }))
}
