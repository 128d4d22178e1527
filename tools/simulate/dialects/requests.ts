import type { JsonObject } from '../../../src/scim/json.ts'
import type { LinkedGroup, LinkedUser } from '../dialect.ts'
import type { CallKind, ScimRequest } from '../scim-request.ts'
import { patchBody, quoted } from '../scim-request.ts'

/** A PATCH of a user with these operations. */
export function patchUser(kind: CallKind, { id }: LinkedUser, ...operations: JsonObject[]): ScimRequest {
  return { kind, method: 'PATCH', path: `/Users/${id}`, body: patchBody(...operations) }
}

/** A PATCH of a group with these operations. */
export function patchGroup(kind: CallKind, { id }: LinkedGroup, ...operations: JsonObject[]): ScimRequest {
  return { kind, method: 'PATCH', path: `/Groups/${id}`, body: patchBody(...operations) }
}

/** A user as a member of a group, in the shortest form. */
export function referenceTo({ id }: LinkedUser): JsonObject {
  return { value: id }
}

/** The operation that removes one member by a value filter. */
export function removalOf({ id }: LinkedUser): JsonObject {
  return { op: 'remove', path: `members[value eq ${quoted(id)}]` }
}

/** What setting `active` counts as. */
export function activationKind(active: boolean): CallKind {
  return active ? 'reactivate user' : 'deactivate user'
}
