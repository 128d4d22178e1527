import { changesBetween } from '../directory/changes.ts'
import type { Directory } from '../directory/directory.ts'
import type { Cause, EventDraft, StoredEvent } from '../directory/event.ts'
import type { Group } from '../directory/group.ts'
import { groupFrom, groupViewText } from '../directory/group.ts'
import { isFoldable, resolveFilters } from '../directory/group-members.ts'
import type { DirectoryChanged, DirectoryReads } from '../directory/store.ts'
import { resourceOf } from '../directory/user.ts'
import { ScimError } from '../scim/errors.ts'
import type { JsonObject } from '../scim/json.ts'
import { fromJsonText, toJsonText } from '../scim/json-text.ts'
import { applyPatch } from '../scim/patch/apply.ts'
import type { MemberChanges } from '../scim/patch/members.ts'
import { foldMemberOperations, splitMemberOperations } from '../scim/patch/members.ts'
import type { PatchOperation } from '../scim/patch/operation.ts'
import { parsePatch } from '../scim/patch/parse.ts'
import { membersOf, parseMemberValues } from '../scim/resource/members.ts'
import { parseResource } from '../scim/resource/parse-resource.ts'
import { groupType } from '../scim/schema/resource-type.ts'
import type { IfMatch, Provisioning } from './users.ts'
import { requireTag } from './users.ts'

/** A group as a request left it, the events of the change, and the member ids that nobody in the directory has. */
export interface ProvisionedGroup {
  readonly group: Group
  readonly events: readonly StoredEvent[]
  readonly skipped: readonly string[]
}

const noMembers: MemberChanges = { kind: 'delta', add: new Map(), remove: new Set() }

/**
 * Creates a group with its members (RFC 7644 §3.3); it and its events are on disk when this resolves.
 *
 * @throws ScimError 400 for a body that is not a group
 */
export async function createGroup(
  { store, newId }: Provisioning,
  directory: Directory,
  body: unknown,
  cause: Cause,
): Promise<ProvisionedGroup | DirectoryChanged> {
  const resource = parseResource(groupType, body)
  const group = groupFrom(resource, { id: newId(), version: 1, createdAt: cause.at, updatedAt: cause.at })
  const event: EventDraft = { eventType: 'group.created', data: groupViewText(group) }
  return store.createGroup(directory, group, listedMembers(body) ?? noMembers, event, cause)
}

/**
 * Replaces a group (RFC 7644 §3.5.1). A body without `members` leaves the members alone; an empty list removes them.
 *
 * @throws ScimError 400 for a body that is not a group, 404, 412
 */
export async function replaceGroup(
  parts: Provisioning,
  directory: Directory,
  id: string,
  body: unknown,
  ifMatch: IfMatch,
  cause: Cause,
): Promise<ProvisionedGroup | DirectoryChanged> {
  const resource = parseResource(groupType, body)
  const members = listedMembers(body) ?? noMembers
  return changeGroup(parts, directory, id, ifMatch, cause, async () => ({ resource, members, dependsOnMembers: false }))
}

function listedMembers(body: unknown): MemberChanges | undefined {
  const listed = membersOf(body)
  if (listed === undefined) return undefined
  return foldMemberOperations([{ op: 'replace', members: parseMemberValues(listed) }])
}

/**
 * Changes parts of a group, all of them or none (RFC 7644 §3.5.2). Members are added and removed as a set, without
 * reading the others: the cost does not grow with the group.
 *
 * @throws ScimError 400 for a request that is not a PATCH or does not fit the group, 404, 412
 */
export async function patchGroup(
  parts: Provisioning,
  directory: Directory,
  id: string,
  body: unknown,
  ifMatch: IfMatch,
  cause: Cause,
): Promise<ProvisionedGroup | DirectoryChanged> {
  const { members: operations, others } = splitMemberOperations(parsePatch(body, groupType))
  const foldable = operations.filter(isFoldable)
  if (others.length === 0 && ifMatch === undefined && foldable.length === operations.length) {
    return changeMembers(parts, directory, id, foldMemberOperations(foldable), cause)
  }
  return changeGroup(parts, directory, id, ifMatch, cause, async (before) => ({
    resource: patched(before, others),
    members: foldMemberOperations(await resolveFilters(parts.store, directory.id, id, operations)),
    dependsOnMembers: foldable.length < operations.length,
  }))
}

function patched(before: JsonObject, operations: readonly PatchOperation[]): JsonObject {
  return operations.length === 0 ? before : applyPatch(groupType, before, operations)
}

async function changeMembers(
  { store }: Provisioning,
  directory: Directory,
  id: string,
  members: MemberChanges,
  cause: Cause,
): Promise<ProvisionedGroup | DirectoryChanged> {
  const outcome = await store.changeMembers(directory, id, members, undefined, cause)
  if (outcome === 'group-not-found' || outcome === 'version-mismatch') throw groupNotFound()
  return outcome
}

interface GroupChange {
  readonly resource: JsonObject
  readonly members: MemberChanges
  /** Whether the members that the group had were looked at, so that the change holds for that version only. */
  readonly dependsOnMembers: boolean
}

/** Reads, changes and stores a group; again when another change came in between. */
function changeGroup(
  { store, inTurn }: Provisioning,
  directory: Directory,
  id: string,
  ifMatch: IfMatch,
  cause: Cause,
  changed: (resource: JsonObject) => Promise<GroupChange>,
): Promise<ProvisionedGroup | DirectoryChanged> {
  return inTurn(`${directory.id}/${id}`, async () => {
    for (;;) {
      const before = await readGroup(store, directory, id, ifMatch)
      const { resource, members, dependsOnMembers } = await changed(resourceOf(fromJsonText(before.raw)))
      const change = decideGroupChange(before, resource, cause.at)
      const version = dependsOnMembers || ifMatch !== undefined ? before.version : undefined
      const outcome =
        change === undefined
          ? await store.changeMembers(directory, id, members, version, cause)
          : await store.replaceGroup(directory, before, change.after, members, change.event, cause)
      if (outcome === 'group-not-found') throw groupNotFound()
      if (outcome !== 'version-mismatch') return outcome
    }
  })
}

/** The group after a change and the event that tells of it; undefined when its own attributes stay. Pure. */
function decideGroupChange(
  before: Group,
  resource: JsonObject,
  at: number,
): { after: Group; event: EventDraft } | undefined {
  const { id, createdAt, version } = before
  const after = groupFrom(resource, { id, version: version + 1, createdAt, updatedAt: at })
  const changes = changesBetween(fromJsonText(before.raw), fromJsonText(after.raw))
  if (Object.keys(changes).length === 0) return undefined
  return { after, event: { eventType: 'group.updated', data: groupViewText(after), changes: toJsonText(changes) } }
}

/**
 * Deletes a group (RFC 7644 §3.6); its members leave it silently.
 *
 * @throws ScimError 404, 412
 */
export function deleteGroup(
  { store, inTurn }: Provisioning,
  directory: Directory,
  id: string,
  ifMatch: IfMatch,
  cause: Cause,
): Promise<readonly StoredEvent[] | DirectoryChanged> {
  return inTurn(`${directory.id}/${id}`, async () => {
    for (;;) {
      const group = await readGroup(store, directory, id, ifMatch)
      const event: EventDraft = { eventType: 'group.deleted', data: groupViewText(group) }
      const outcome = await store.deleteGroup(directory, group, event, cause)
      if (outcome === 'directory-changed') return outcome
      if (outcome !== 'version-mismatch') return outcome.events
    }
  })
}

async function readGroup(store: DirectoryReads, directory: Directory, id: string, ifMatch: IfMatch): Promise<Group> {
  const group = await store.getGroup(directory.id, id)
  if (group === undefined) throw groupNotFound()
  requireTag(ifMatch, group.version)
  return group
}

function groupNotFound(): ScimError {
  return new ScimError(404, undefined, 'There is no group with this id.')
}
