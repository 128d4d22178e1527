import type { Committed, MembersCommitted } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { Group } from '../directory/group.ts'
import { groupFrom, groupViewText } from '../directory/group.ts'
import type { JsonObject } from '../scim/json.ts'
import { fromJsonText } from '../scim/json-text.ts'
import { applyPatch } from '../scim/patch/apply.ts'
import type { MemberChanges, SplitOperations } from '../scim/patch/members.ts'
import { foldMemberOperations } from '../scim/patch/members.ts'
import { groupTypes } from '../scim/schema/resource-type.ts'
import type { ResourceKind } from './changes.ts'
import { decideCreation, decideUpdate, deletionEvent, isUnchanged } from './changes.ts'
import type { Provisioning, Target, WriteContext } from './lifecycle.ts'
import { changeStored, isConditional, notFound, requireCurrentDirectory } from './lifecycle.ts'
import { isFoldable, resolveMemberOperations } from './member-operations.ts'
import type { Upserted } from './users.ts'

const groupKind: ResourceKind<Group> = {
  name: 'group',
  read: (store, directoryId, id) => store.getGroup(directoryId, id),
  from: groupFrom,
  viewText: groupViewText,
}

/** A group to store: its resource as `parseResource` returns it, and its members; undefined keeps the present ones. */
export interface GroupInput {
  readonly resource: JsonObject
  readonly members: MemberChanges | undefined
}

/** A group after a change, the events of the change, and the member ids that no user or group has. */
export type ProvisionedGroup = MembersCommitted

const noMemberChanges: MemberChanges = { kind: 'delta', add: new Set(), remove: new Set() }

/**
 * Creates a group with its members (RFC 7644 §3.3).
 *
 * @throws ScimError 400 or 413 when the resource exceeds a limit
 * @throws DirectoryError `group-name-taken`
 * @throws DirectoryChangedError
 */
export async function createGroup(
  { store }: Provisioning,
  { directory, cause }: WriteContext,
  id: string,
  { resource, members = noMemberChanges }: GroupInput,
): Promise<ProvisionedGroup> {
  const { after, event } = decideCreation(groupKind, id, resource, cause.at)
  const outcome = requireCurrentDirectory(await store.createGroup(directory, after, members, event, cause))
  if (outcome === 'group-name-taken') throw nameTaken()
  return outcome
}

/**
 * Replaces a group (RFC 7644 §3.5.1).
 *
 * @throws ScimError 400 or 413 when the resource exceeds a limit
 * @throws DirectoryError `resource-not-found`, `version-mismatch`, `group-name-taken`
 * @throws DirectoryChangedError
 */
export function replaceGroup(
  provisioning: Provisioning,
  context: WriteContext,
  target: Target,
  { resource, members = noMemberChanges }: GroupInput,
): Promise<ProvisionedGroup> {
  return changeGroup(provisioning, context, target, {
    attributes: () => resource,
    members: async () => members,
    dependsOnMembers: false,
  })
}

/**
 * Applies all operations of a PATCH request to a group, or none of them (RFC 7644 §3.5.2). The cost of adding and removing
 * members does not grow with the group.
 *
 * @throws ScimError 400 when an operation does not fit the group, 413
 * @throws DirectoryError `resource-not-found`, `version-mismatch`, `group-name-taken`
 * @throws DirectoryChangedError
 */
export function patchGroup(
  provisioning: Provisioning,
  context: WriteContext,
  target: Target,
  { members: operations, others }: SplitOperations,
): Promise<ProvisionedGroup> {
  const foldable = operations.filter(isFoldable)
  const dependsOnMembers = foldable.length < operations.length
  if (others.length === 0 && !isConditional(target) && !dependsOnMembers) {
    return changeMembers(provisioning, context, target.id, foldMemberOperations(foldable))
  }
  const { store } = provisioning
  const type = groupTypes[context.directory.scimProfile ?? 'tolerant']
  return changeGroup(provisioning, context, target, {
    attributes: (before) => (others.length === 0 ? before : applyPatch(type, before, others)),
    members: () => resolveMemberOperations(store, context.directory.id, target.id, operations),
    dependsOnMembers,
  })
}

/**
 * Changes the members of a group without reading the group or its other members.
 *
 * @throws DirectoryError `resource-not-found`
 * @throws DirectoryChangedError
 */
export async function changeMembers(
  { store }: Provisioning,
  { directory, cause }: WriteContext,
  id: string,
  members: MemberChanges,
): Promise<ProvisionedGroup> {
  const outcome = requireCurrentDirectory(await store.changeMembers(directory, id, members, undefined, cause))
  if (typeof outcome === 'string') throw notFound('group')
  return outcome
}

interface GroupChange {
  readonly attributes: (before: JsonObject) => JsonObject
  readonly members: () => Promise<MemberChanges>
  /** Whether the change depends on the present members, which makes it valid for one version of the group only. */
  readonly dependsOnMembers: boolean
}

function changeGroup(
  provisioning: Provisioning,
  context: WriteContext,
  target: Target,
  { attributes, members, dependsOnMembers }: GroupChange,
): Promise<ProvisionedGroup> {
  const { store } = provisioning
  const { directory, cause } = context
  return changeStored(provisioning, groupKind, context, target, async (before) => {
    const memberChanges = await members()
    const update = decideUpdate(groupKind, { ...before, resource: fromJsonText(before.raw) }, attributes, cause.at)
    const version = dependsOnMembers || isConditional(target) ? before.version : undefined
    const outcome =
      update === undefined
        ? await store.changeMembers(directory, before.id, memberChanges, version, cause)
        : await store.replaceGroup(directory, before, update.after, memberChanges, update.event, cause)
    if (outcome === 'group-not-found') throw notFound('group')
    if (outcome === 'group-name-taken') throw nameTaken()
    return outcome
  })
}

/**
 * Creates a group without members, or replaces the stored one and keeps its members. An identical group is not read or
 * written again.
 *
 * @param stored the group as it was last read; undefined when it does not exist
 * @throws ScimError 400 or 413 when the resource exceeds a limit
 * @throws DirectoryError `resource-not-found`
 * @throws DirectoryChangedError
 */
export async function upsertGroup(
  provisioning: Provisioning,
  context: WriteContext,
  id: string,
  resource: JsonObject,
  stored: Group | undefined,
): Promise<Upserted> {
  const input: GroupInput = { resource, members: undefined }
  if (stored === undefined) {
    const { events } = await createGroup(provisioning, context, id, input)
    return { outcome: 'created', events }
  }
  if (isUnchanged(groupKind, stored, resource)) return { outcome: 'unchanged', events: [] }
  const { events } = await replaceGroup(provisioning, context, { id }, input)
  return { outcome: events.length === 0 ? 'unchanged' : 'updated', events }
}

/**
 * Deletes a group (RFC 7644 §3.6). Its memberships end without events of their own.
 *
 * @throws DirectoryError `resource-not-found`, `version-mismatch`
 * @throws DirectoryChangedError
 */
export function deleteGroup(provisioning: Provisioning, context: WriteContext, target: Target): Promise<Committed> {
  const { directory, cause } = context
  return changeStored(provisioning, groupKind, context, target, (group) =>
    provisioning.store.deleteGroup(directory, group, deletionEvent(groupKind, group), cause),
  )
}

function nameTaken(): DirectoryError {
  const message =
    'Another group of this directory has this displayName (in any letter case), and its group names are unique.'
  return new DirectoryError('group-name-taken', message)
}
