import type { DirectoryReads } from '../directory/directory-store.ts'
import type { Changes, EventDraft } from '../directory/event.ts'
import type { StoredResource, VersionInfo } from '../directory/resource.ts'
import { resourceOf } from '../directory/resource.ts'
import type { JsonObject } from '../scim/json.ts'
import { own, sameJson } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import { fromJsonText, toJsonText } from '../scim/json-text.ts'

/** Reads users or groups, builds them from a resource, and represents them in events. */
export interface ResourceKind<T extends StoredResource> {
  readonly name: 'user' | 'group'
  readonly read: (store: DirectoryReads, directoryId: string, id: string) => Promise<T | undefined>
  /** @throws ScimError 400 or 413 when the resource exceeds a limit */
  readonly from: (resource: JsonObject, version: VersionInfo) => T
  readonly viewText: (stored: T) => JsonText<JsonObject>
}

/** A resource after a change, and the event that reports the change. */
export interface Decision<T> {
  readonly after: T
  readonly event: EventDraft
}

/** The first version of a resource. */
export function decideCreation<T extends StoredResource>(
  kind: ResourceKind<T>,
  id: string,
  resource: JsonObject,
  at: number,
): Decision<T> {
  const after = kind.from(resource, { id, version: 1, createdAt: at, updatedAt: at })
  return { after, event: { eventType: `${kind.name}.created`, data: kind.viewText(after) } }
}

/**
 * The next version of a stored resource; undefined when nothing but `schemas` would differ.
 *
 * @param before its version, and the resource, with or without the `id`
 * @param change returns the new resource with all stored attributes except the `id`
 */
export function decideUpdate<T extends StoredResource>(
  kind: ResourceKind<T>,
  before: VersionInfo & { readonly resource: JsonObject },
  change: (resource: JsonObject) => JsonObject,
  at: number,
): Decision<T> | undefined {
  const { id, version, createdAt, returnedFrom, accountId } = before
  const stored = resourceOf(before.resource)
  const changed = change(stored)
  const after = kind.from(changed, { id, version: version + 1, createdAt, updatedAt: at, returnedFrom, accountId })
  const changes = changesBetween(stored, changed)
  if (isEmpty(changes)) return undefined
  const data = kind.viewText(after)
  return { after, event: { eventType: `${kind.name}.updated`, data, changes: toJsonText(changes) } }
}

/** The event that reports a deletion, with the last state of the resource. */
export function deletionEvent<T extends StoredResource>(kind: ResourceKind<T>, stored: T): EventDraft {
  return { eventType: `${kind.name}.deleted`, data: kind.viewText(stored) }
}

/**
 * Returns whether replacing a stored resource by another would change nothing.
 *
 * @throws ScimError 400 or 413 when the resource exceeds a limit
 */
export function isUnchanged(
  { from }: Pick<ResourceKind<StoredResource>, 'from'>,
  stored: StoredResource,
  resource: JsonObject,
): boolean {
  const { raw } = from(resource, stored)
  return raw === stored.raw || isEmpty(changesBetween(fromJsonText(stored.raw), fromJsonText(raw)))
}

/** The top-level attributes that differ, without `schemas`, which only follows from them. */
function changesBetween(before: JsonObject, after: JsonObject): Changes {
  const changes: Changes = {}
  const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name))
  for (const name of [...Object.keys(before), ...added]) {
    const [from, to] = [own(before, name), own(after, name)]
    if (name !== 'schemas' && !sameJson(from, to)) changes[name] = { from: from ?? null, to: to ?? null }
  }
  return changes
}

function isEmpty(changes: Changes): boolean {
  return Object.keys(changes).length === 0
}
