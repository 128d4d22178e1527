import { DirectoryError } from '../../directory/errors.ts'
import type { User } from '../../directory/user.ts'
import { resourceOf, userFrom } from '../../directory/user.ts'
import { createUser, replaceUser } from '../../provisioning/users.ts'
import { ScimError } from '../../scim/errors.ts'
import type { Json, JsonObject } from '../../scim/json.ts'
import type { JsonText } from '../../scim/json-text.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import { parseResource } from '../../scim/resource/parse-resource.ts'
import { userType } from '../../scim/schema/resource-type.ts'
import type { GoogleUser } from '../client/items.ts'
import { managerOf, storedManagerEmail } from '../mapping/stored-manager.ts'
import { managerEmailOf, userBody } from '../mapping/user.ts'
import type { Context } from './context.ts'
import { isSame } from './is-same.ts'
import { eventsOf } from './writer.ts'

/** How an attempt to keep a user as Google has it ends; `left-out` is counted. */
export type Kept = 'kept' | 'left-out' | 'user-name-taken'

/**
 * Creates a user as Google has it, or brings the stored one up to date; one that is the same already costs no write.
 *
 * @param stored the user as it is stored; undefined when it is not
 */
export async function keepUser(context: Context, user: GoogleUser, stored: User | undefined): Promise<Kept> {
  const raw = rawOf(user, stored)
  if (raw === undefined) {
    context.leaveOut(user.id)
    return 'left-out'
  }
  if (stored !== undefined && isSame(stored.raw, raw)) return 'kept'
  const resource = resourceOf(fromJsonText(raw))
  try {
    if (stored === undefined) await create(context, user.id, resource)
    else await replace(context, user.id, resource)
    return 'kept'
  } catch (error) {
    if (error instanceof DirectoryError && error.code === 'user-name-taken') return error.code
    throw error
  }
}

/** Stores another body for a user that is stored. */
export async function replace(context: Context, id: string, body: JsonObject): Promise<void> {
  const { provisioning, write, cause, tally } = context
  const parts = { ...provisioning, newId: () => id }
  const events = await write(async (directory) =>
    eventsOf(await replaceUser(parts, directory, id, body, undefined, cause())),
  )
  if (events.length > 0) tally.count('updated')
}

async function create({ provisioning, write, cause, tally }: Context, id: string, body: JsonObject): Promise<void> {
  const parts = { ...provisioning, newId: () => id }
  await write(async (directory) => eventsOf(await createUser(parts, directory, body, cause())))
  tally.count('created')
}

/** The resource that a user is to be, as it would be stored; undefined when we cannot keep it. */
function rawOf(user: GoogleUser, stored: User | undefined): JsonText<JsonObject> | undefined {
  try {
    const resource = parseResource(userType, userBody(user, keptManager(user, stored)))
    return userFrom(resource, { id: user.id, version: 1, createdAt: 0, updatedAt: 0 }).raw
  } catch (error) {
    if (error instanceof ScimError) return undefined
    throw error
  }
}

/** The manager as it was looked up for the same address: whether it is still right is found out when all users are known. */
function keptManager(user: GoogleUser, stored: User | undefined): Json | undefined {
  if (stored === undefined) return undefined
  const raw = fromJsonText(stored.raw)
  return storedManagerEmail(raw) === managerEmailOf(user) ? managerOf(raw) : undefined
}
