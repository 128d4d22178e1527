import { DirectoryError } from '../../directory/errors.ts'
import type { User } from '../../directory/user.ts'
import { deleteUser, replaceUser, upsertUser } from '../../provisioning/users.ts'
import { ScimError } from '../../scim/errors.ts'
import type { Json, JsonObject } from '../../scim/json.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import { parseResource } from '../../scim/resource/parse-resource.ts'
import { userType } from '../../scim/schema/resource-type.ts'
import type { GoogleUser } from '../client/items.ts'
import { managerEmailOf, storedManager, storedManagerEmail, userBody } from '../mapping/user.ts'
import type { SyncContext } from './context.ts'
import { withoutLimit } from './write.ts'

/**
 * Creates a user or updates the stored one. A user that cannot be stored is counted as skipped.
 *
 * @param stored undefined if the user is not stored yet
 */
export async function syncUser(
  context: SyncContext,
  user: GoogleUser,
  stored: User | undefined,
): Promise<'done' | 'user-name-taken'> {
  const { provisioning, write, tally } = context
  try {
    const resource = parseResource(userType, userBody(user, unchangedManager(user, stored)))
    const { outcome } = await write((to) => upsertUser(provisioning, to, user.id, resource, stored))
    if (outcome !== 'unchanged') tally.count(outcome)
  } catch (error) {
    if (error instanceof DirectoryError && error.code === 'user-name-taken') return error.code
    if (!(error instanceof ScimError)) throw error
    context.skip(user.id)
  }
  return 'done'
}

/** Keeps the manager if the email address is the same; it is resolved again when all users are stored. */
function unchangedManager(user: GoogleUser, stored: User | undefined): Json | undefined {
  if (stored === undefined) return undefined
  const raw = fromJsonText(stored.raw)
  return storedManagerEmail(raw) === managerEmailOf(user) ? storedManager(raw) : undefined
}

export async function replaceStoredUser(
  { provisioning, write, tally }: SyncContext,
  id: string,
  body: JsonObject,
): Promise<void> {
  const resource = parseResource(userType, body)
  const { events } = await write((to) => replaceUser(provisioning, to, { id }, resource))
  if (events.length > 0) tally.count('updated')
}

/**
 * @param isApproved an approved deletion does not count towards the removal limit, so that nobody has to approve it
 * twice
 */
export async function deleteStoredUser(
  { provisioning, write }: SyncContext,
  id: string,
  isApproved: boolean,
): Promise<void> {
  await write((to) => deleteUser(provisioning, isApproved ? withoutLimit(to) : to, { id }))
}
