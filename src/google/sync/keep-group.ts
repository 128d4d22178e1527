import type { Group } from '../../directory/group.ts'
import { upsertGroup } from '../../provisioning/groups.ts'
import { ScimError } from '../../scim/errors.ts'
import { parseResource } from '../../scim/resource/parse-resource.ts'
import { groupType } from '../../scim/schema/resource-type.ts'
import type { GoogleGroup } from '../client/items.ts'
import { groupBody } from '../mapping/group.ts'
import type { Context } from './context.ts'

/**
 * Creates a group as Google has it, or brings the stored one up to date; its members stay as they are.
 *
 * @param stored the group as it is stored; undefined when it is not
 */
export async function keepGroup(context: Context, group: GoogleGroup, stored: Group | undefined): Promise<void> {
  const { provisioning, write, cause, tally } = context
  try {
    const resource = parseResource(groupType, groupBody(group))
    const { outcome } = await write((directory) =>
      upsertGroup(provisioning, { directory, cause: cause() }, group.id, resource, stored),
    )
    if (outcome !== 'unchanged') tally.count(outcome)
  } catch (error) {
    if (!(error instanceof ScimError)) throw error
    context.leaveOut(group.id)
  }
}
