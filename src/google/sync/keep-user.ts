import { DirectoryError } from '../../directory/errors.ts'
import type { User } from '../../directory/user.ts'
import { replaceUser, upsertUser } from '../../provisioning/users.ts'
import { ScimError } from '../../scim/errors.ts'
import type { Json, JsonObject } from '../../scim/json.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import { parseResource } from '../../scim/resource/parse-resource.ts'
import { userType } from '../../scim/schema/resource-type.ts'
import type { GoogleUser } from '../client/items.ts'
import { managerOf, storedManagerEmail } from '../mapping/stored-manager.ts'
import { managerEmailOf, userBody } from '../mapping/user.ts'
import type { Context } from './context.ts'

/** How an attempt to keep a user as Google has it ends; `left-out` is counted. */
export type Kept = 'kept' | 'left-out' | 'user-name-taken'

/**
 * Creates a user as Google has it, or brings the stored one up to date; an identical one costs no write.
 *
 * @param stored the user as it is stored; undefined when it is not
 */
export async function keepUser(context: Context, user: GoogleUser, stored: User | undefined): Promise<Kept> {
  const { provisioning, write, cause, tally } = context
  try {
    const resource = parseResource(userType, userBody(user, keptManager(user, stored)))
    const { outcome } = await write((directory) =>
      upsertUser(provisioning, { directory, cause: cause() }, user.id, resource, stored),
    )
    if (outcome !== 'unchanged') tally.count(outcome)
    return 'kept'
  } catch (error) {
    if (error instanceof DirectoryError && error.code === 'user-name-taken') return error.code
    if (!(error instanceof ScimError)) throw error
    context.leaveOut(user.id)
    return 'left-out'
  }
}

/** Stores another body for a user that is stored. */
export async function replace(context: Context, id: string, body: JsonObject): Promise<void> {
  const { provisioning, write, cause, tally } = context
  const resource = parseResource(userType, body)
  const { events } = await write((directory) =>
    replaceUser(provisioning, { directory, cause: cause() }, { id }, resource),
  )
  if (events.length > 0) tally.count('updated')
}

/** The manager as it was looked up for the same address: whether it is still right is found out when all users are known. */
function keptManager(user: GoogleUser, stored: User | undefined): Json | undefined {
  if (stored === undefined) return undefined
  const raw = fromJsonText(stored.raw)
  return storedManagerEmail(raw) === managerEmailOf(user) ? managerOf(raw) : undefined
}
