import type { InTurn } from '../concurrency/keyed-mutex.ts'
import { changesBetween } from '../directory/changes.ts'
import type { Directory } from '../directory/directory.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { Cause, EventDraft, StoredEvent } from '../directory/event.ts'
import type { DirectoryChanged, DirectoryReads, ProvisioningStore } from '../directory/store.ts'
import type { IndexedUser, User } from '../directory/user.ts'
import { indexedUser, resourceOf, userFrom, userViewText } from '../directory/user.ts'
import { matchesVersion } from '../scim/entity-tag.ts'
import { ScimError } from '../scim/errors.ts'
import type { JsonObject } from '../scim/json.ts'
import { fromJsonText, toJsonText } from '../scim/json-text.ts'
import { applyPatch } from '../scim/patch/apply.ts'
import { parsePatch } from '../scim/patch/parse.ts'
import { parseResource } from '../scim/resource/parse-resource.ts'
import { userType } from '../scim/schema/resource-type.ts'

export interface Provisioning {
  readonly store: ProvisioningStore & DirectoryReads
  readonly newId: () => string
  readonly inTurn: InTurn
}

/** A user as a request left it, and the events that tell of the change; none when nothing changed. */
export interface ProvisionedUser {
  readonly user: User
  readonly events: readonly StoredEvent[]
}

/** What a request asks of the resource's version: the value of its `If-Match` header (RFC 7644 §3.14). */
export type IfMatch = string | undefined

/**
 * Creates a user (RFC 7644 §3.3); it and its event are on disk when this resolves.
 *
 * @throws ScimError 400 for a body that is not a user
 * @throws DirectoryError `user-name-taken`
 */
export async function createUser(
  { store, newId }: Provisioning,
  directory: Directory,
  body: unknown,
  cause: Cause,
): Promise<ProvisionedUser | DirectoryChanged> {
  const resource = parseResource(userType, body)
  const user = userFrom(resource, { id: newId(), version: 1, createdAt: cause.at, updatedAt: cause.at })
  const event: EventDraft = { eventType: 'user.created', data: userViewText(user) }
  const outcome = await store.createUser(directory, user, event, cause)
  if (outcome === 'user-name-taken') throw nameTaken()
  return outcome === 'directory-changed' ? outcome : { user, events: outcome.events }
}

/**
 * Replaces a user (RFC 7644 §3.5.1). `active` stays as it is when the body leaves it out.
 *
 * @throws ScimError 400 for a body that is not a user, 404, 412
 * @throws DirectoryError `user-name-taken`
 */
export async function replaceUser(
  parts: Provisioning,
  directory: Directory,
  id: string,
  body: unknown,
  ifMatch: IfMatch,
  cause: Cause,
): Promise<ProvisionedUser | DirectoryChanged> {
  const resource = parseResource(userType, body)
  return changeUser(parts, directory, id, ifMatch, cause, (before) => {
    const active = before['active'] ?? true
    return { ...resource, active: resource['active'] ?? active }
  })
}

/**
 * Changes parts of a user, all of them or none (RFC 7644 §3.5.2).
 *
 * @throws ScimError 400 for a request that is not a PATCH or does not fit the user, 404, 412
 * @throws DirectoryError `user-name-taken`
 */
export async function patchUser(
  parts: Provisioning,
  directory: Directory,
  id: string,
  body: unknown,
  ifMatch: IfMatch,
  cause: Cause,
): Promise<ProvisionedUser | DirectoryChanged> {
  const operations = parsePatch(body, userType)
  return changeUser(parts, directory, id, ifMatch, cause, (before) => applyPatch(userType, before, operations))
}

/** Reads, changes and stores a user; again when another change came in between. */
function changeUser(
  { store, inTurn }: Provisioning,
  directory: Directory,
  id: string,
  ifMatch: IfMatch,
  cause: Cause,
  changed: (resource: JsonObject) => JsonObject,
): Promise<ProvisionedUser | DirectoryChanged> {
  return inTurn(`${directory.id}/${id}`, async () => {
    for (;;) {
      const before = await readUser(store, directory, id, ifMatch)
      const change = decideUserChange(before, changed, cause.at)
      if (change === undefined) return { user: before, events: [] }
      const outcome = await store.replaceUser(directory, before, change.after, change.event, cause)
      if (outcome === 'user-name-taken') throw nameTaken()
      if (outcome === 'directory-changed') return outcome
      if (outcome !== 'version-mismatch') return { user: change.after, events: outcome.events }
    }
  })
}

/** The user after a change and the event that tells of it; undefined when it changes nothing. Pure. */
function decideUserChange(
  before: IndexedUser,
  changed: (resource: JsonObject) => JsonObject,
  at: number,
): { after: IndexedUser; event: EventDraft } | undefined {
  const stored = fromJsonText(before.raw)
  const { id, createdAt } = before
  const after = userFrom(changed(resourceOf(stored)), { id, version: before.version + 1, createdAt, updatedAt: at })
  const changes = changesBetween(stored, fromJsonText(after.raw))
  if (Object.keys(changes).length === 0) return undefined
  return { after, event: { eventType: 'user.updated', data: userViewText(after), changes: toJsonText(changes) } }
}

/**
 * Deletes a user (RFC 7644 §3.6); it leaves its groups silently.
 *
 * @throws ScimError 404, 412
 */
export function deleteUser(
  { store, inTurn }: Provisioning,
  directory: Directory,
  id: string,
  ifMatch: IfMatch,
  cause: Cause,
): Promise<readonly StoredEvent[] | DirectoryChanged> {
  return inTurn(`${directory.id}/${id}`, async () => {
    for (;;) {
      const user = await readUser(store, directory, id, ifMatch)
      const event: EventDraft = { eventType: 'user.deleted', data: userViewText(user) }
      const outcome = await store.deleteUser(directory, user, event, cause)
      if (outcome === 'directory-changed') return outcome
      if (outcome !== 'version-mismatch') return outcome.events
    }
  })
}

async function readUser(
  store: DirectoryReads,
  directory: Directory,
  id: string,
  ifMatch: IfMatch,
): Promise<IndexedUser> {
  const user = await store.getUser(directory.id, id)
  if (user === undefined) throw new ScimError(404, undefined, 'There is no user with this id.')
  requireTag(ifMatch, user.version)
  return indexedUser(user)
}

/** @throws ScimError 412 when the request asks for another version (RFC 7644 §3.14) */
export function requireTag(ifMatch: IfMatch, version: number): void {
  if (ifMatch === undefined || matchesVersion(ifMatch, version)) return
  throw new ScimError(412, undefined, 'The resource has changed since: read it again, then repeat the change.')
}

function nameTaken(): DirectoryError {
  return new DirectoryError('user-name-taken', 'Another user of this directory has this userName (in any letter case).')
}
