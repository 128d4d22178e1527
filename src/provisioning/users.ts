import { refuseOutside } from '../directory/allowed-domains.ts'
import type { Committed, DirectoryReads, FoundUser } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { StoredEvent } from '../directory/event.ts'
import type { IndexedUser, ReplacedUser, User } from '../directory/user.ts'
import { changingFieldsOf, indexedUser, userFrom, userViewText } from '../directory/user.ts'
import type { JsonObject } from '../scim/json.ts'
import { own } from '../scim/json.ts'
import { fromJsonText } from '../scim/json-text.ts'
import { applyPatch } from '../scim/patch/apply.ts'
import type { PatchOperation } from '../scim/patch/operation.ts'
import { userTypes } from '../scim/schema/resource-type.ts'
import type { ResourceKind } from './changes.ts'
import { decideCreation, decideUpdate, deletionEvent, isUnchanged } from './changes.ts'
import type { Provisioning, Target, WriteContext } from './lifecycle.ts'
import { changeStored, requireCurrentDirectory } from './lifecycle.ts'

const userKind: ResourceKind<IndexedUser> = {
  name: 'user',
  async read(store, directoryId, id) {
    const user = await store.getUser(directoryId, id)
    return user && indexedUser(user)
  },
  from: userFrom,
  viewText: userViewText,
}

/** A user to change: one read returns everything that deciding, storing and responding require. */
interface ChangeableUser extends FoundUser, ReplacedUser {
  readonly resource: JsonObject
}

const changeableUser = (withGroups: boolean): Pick<ResourceKind<ChangeableUser>, 'name' | 'read'> => ({
  name: 'user',
  async read(store, directoryId, id) {
    const user = await foundUser(store, directoryId, id, withGroups)
    if (user === undefined) return undefined
    const resource = fromJsonText(user.raw)
    return { ...user, resource, ...changingFieldsOf(resource) }
  },
})

/** A user with its first groups, or without groups. */
export async function foundUser(
  store: DirectoryReads,
  directoryId: string,
  id: string,
  withGroups: boolean,
): Promise<FoundUser | undefined> {
  if (withGroups) return store.getUserWithGroups(directoryId, id)
  const user = await store.getUser(directoryId, id)
  return user && { ...user, groups: [] }
}

/** The user to change. */
export interface UserTarget extends Target {
  /** Whether the user is returned with its first groups; by default it has none. */
  readonly withGroups?: boolean
}

/** A user after a change, with its first groups on request, and the events of the change; none when nothing changed. */
export interface ProvisionedUser {
  readonly user: FoundUser
  readonly events: readonly StoredEvent[]
}

/**
 * Creates a user (RFC 7644 §3.3).
 *
 * @param resource as `parseResource` returns it
 * @throws ScimError 400 or 413 when the resource exceeds a limit
 * @throws DirectoryError `user-name-taken`
 * @throws DirectoryChangedError
 */
export async function createUser(
  { store, recognize }: Provisioning,
  { directory, cause }: WriteContext,
  id: string,
  resource: JsonObject,
): Promise<ProvisionedUser> {
  const { after: user, event } = decideCreation(userKind, id, resource, cause.at)
  refuseOutside(directory.domains, undefined, user)
  const recognizable = { ...user, recognition: recognize?.(directory.id, user, cause.at) }
  const outcome = requireCurrentDirectory(await store.createUser(directory, recognizable, event, cause))
  if (outcome === 'user-name-taken') throw nameTaken()
  return { user: { ...user, groups: [] }, events: outcome.events }
}

/**
 * Replaces a user (RFC 7644 §3.5.1). Without a userName, it keeps the present one.
 *
 * @param resource as `parseReplacement` or `parseResource` returns it
 * @throws ScimError 400 or 413 when the resource exceeds a limit
 * @throws DirectoryError `resource-not-found`, `version-mismatch`, `user-name-taken`
 * @throws DirectoryChangedError
 */
export function replaceUser(
  provisioning: Provisioning,
  context: WriteContext,
  target: UserTarget,
  resource: JsonObject,
): Promise<ProvisionedUser> {
  const replace = ({ userName: present = null }: JsonObject) => {
    return { ...resource, userName: own(resource, 'userName') ?? present }
  }
  return changeUser(provisioning, context, target, replace)
}

/**
 * Applies all operations of a PATCH request to a user, or none of them (RFC 7644 §3.5.2).
 *
 * @throws ScimError 400 when an operation does not fit the user, 413
 * @throws DirectoryError `resource-not-found`, `version-mismatch`, `user-name-taken`
 * @throws DirectoryChangedError
 */
export function patchUser(
  provisioning: Provisioning,
  context: WriteContext,
  target: UserTarget,
  operations: readonly PatchOperation[],
): Promise<ProvisionedUser> {
  const type = userTypes[context.directory.scimProfile ?? 'tolerant']
  return changeUser(provisioning, context, target, (before) => applyPatch(type, before, operations))
}

/** Changes a user. A new state without `active` keeps the present value: removing `active` never activates a user. */
function changeUser(
  provisioning: Provisioning,
  context: WriteContext,
  target: UserTarget,
  change: (resource: JsonObject) => JsonObject,
): Promise<ProvisionedUser> {
  const { directory, cause } = context
  const kind = changeableUser(target.withGroups === true)
  return changeStored(provisioning, kind, context, target, async (before) => {
    const changeButActive = (resource: JsonObject) => ({ active: before.active, ...change(resource) })
    const update = decideUpdate(userKind, before, changeButActive, cause.at)
    if (update === undefined) return { user: before, events: [] }
    refuseOutside(directory.domains, before, update.after)
    const outcome = await provisioning.store.replaceUser(directory, before, update.after, update.event, cause)
    if (outcome === 'user-name-taken') throw nameTaken()
    return typeof outcome === 'string'
      ? outcome
      : { user: { ...update.after, groups: before.groups }, events: outcome.events }
  })
}

/** The result of an upsert. */
export interface Upserted {
  readonly outcome: 'created' | 'updated' | 'unchanged'
  readonly events: readonly StoredEvent[]
}

/**
 * Creates a user or replaces the stored one. An identical user is not read or written again.
 *
 * @param stored the user as it was last read; undefined when it does not exist
 * @throws ScimError 400 or 413 when the resource exceeds a limit
 * @throws DirectoryError `resource-not-found`, `user-name-taken`
 * @throws DirectoryChangedError
 */
export async function upsertUser(
  provisioning: Provisioning,
  context: WriteContext,
  id: string,
  resource: JsonObject,
  stored: User | undefined,
): Promise<Upserted> {
  if (stored === undefined) {
    const { events } = await createUser(provisioning, context, id, resource)
    return { outcome: 'created', events }
  }
  if (isUnchanged(userKind, stored, resource)) return { outcome: 'unchanged', events: [] }
  const { events } = await replaceUser(provisioning, context, { id }, resource)
  return { outcome: events.length === 0 ? 'unchanged' : 'updated', events }
}

/**
 * Deletes a user (RFC 7644 §3.6). The end of its memberships causes no further events.
 *
 * @throws DirectoryError `resource-not-found`, `version-mismatch`
 * @throws DirectoryChangedError
 */
export function deleteUser(provisioning: Provisioning, context: WriteContext, target: Target): Promise<Committed> {
  const { directory, cause } = context
  return changeStored(provisioning, userKind, context, target, (user) => {
    const recognition = provisioning.recognize?.(directory.id, user, cause.at)
    return provisioning.store.deleteUser(directory, { ...user, recognition }, deletionEvent(userKind, user), cause)
  })
}

function nameTaken(): DirectoryError {
  return new DirectoryError('user-name-taken', 'Another user of this directory has this userName (in any letter case).')
}
