import type { Group } from '../../directory/group.ts'
import { groupFrom } from '../../directory/group.ts'
import { resourceOf } from '../../directory/user.ts'
import { createGroup, replaceGroup } from '../../provisioning/groups.ts'
import { ScimError } from '../../scim/errors.ts'
import type { JsonObject } from '../../scim/json.ts'
import type { JsonText } from '../../scim/json-text.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import { parseResource } from '../../scim/resource/parse-resource.ts'
import { groupType } from '../../scim/schema/resource-type.ts'
import type { GoogleGroup } from '../client/items.ts'
import { groupBody } from '../mapping/group.ts'
import type { Context } from './context.ts'
import { isSame } from './is-same.ts'
import { eventsOf } from './writer.ts'

/**
 * Creates a group as Google has it, or brings the stored one up to date; its members stay as they are.
 *
 * @param stored the group as it is stored; undefined when it is not
 */
export async function keepGroup(context: Context, group: GoogleGroup, stored: Group | undefined): Promise<void> {
  const raw = rawOf(group)
  if (raw === undefined) context.leaveOut(group.id)
  else if (stored === undefined) await create(context, group.id, resourceOf(fromJsonText(raw)))
  else if (!isSame(stored.raw, raw)) await replace(context, group.id, resourceOf(fromJsonText(raw)))
}

async function create({ provisioning, write, cause, tally }: Context, id: string, body: JsonObject): Promise<void> {
  const parts = { ...provisioning, newId: () => id }
  await write(async (directory) => eventsOf(await createGroup(parts, directory, body, cause())))
  tally.count('created')
}

async function replace({ provisioning, write, cause, tally }: Context, id: string, body: JsonObject): Promise<void> {
  const parts = { ...provisioning, newId: () => id }
  const events = await write(async (directory) =>
    eventsOf(await replaceGroup(parts, directory, id, body, undefined, cause())),
  )
  if (events.length > 0) tally.count('updated')
}

/** The resource that a group is to be, as it would be stored; undefined when we cannot keep it. */
function rawOf(group: GoogleGroup): JsonText<JsonObject> | undefined {
  try {
    const resource = parseResource(groupType, groupBody(group))
    return groupFrom(resource, { id: group.id, version: 1, createdAt: 0, updatedAt: 0 }).raw
  } catch (error) {
    if (error instanceof ScimError) return undefined
    throw error
  }
}
