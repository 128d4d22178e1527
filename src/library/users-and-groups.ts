import type { JsonObject } from '../scim/json.ts'
import type { LibraryParts, ListQuery, OneQuery } from './parts.ts'
import { listResult, objectResult } from './result.ts'

/** A user as the API returns it. */
export interface UserView {
  readonly id: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly active: boolean
  readonly raw: JsonObject
}

/** A group as the API returns it. */
export interface GroupView {
  readonly id: string
  readonly name: string
  readonly raw: JsonObject
}

export interface GroupWithMembersView extends GroupView {
  readonly members: readonly { readonly group_id: string; readonly user_id: string }[]
}

/** Reads users. */
export function userCalls({ reads }: LibraryParts) {
  return {
    /** All users of a scope, or those with an `email` or `user_name`. */
    list: (query: ListQuery & { readonly email?: string; readonly user_name?: string }) =>
      listResult<UserView>(() => reads.users(query)),
    get: ({ id, ...scope }: OneQuery) => objectResult<UserView>(() => reads.user(id, scope)),
  }
}

/** Reads groups and their members. */
export function groupCalls({ reads }: LibraryParts) {
  return {
    /** All groups of a scope, or those with a `name`. */
    list: (query: ListQuery & { readonly name?: string }) => listResult<GroupView>(() => reads.groups(query)),
    get: ({ id, ...scope }: OneQuery) => objectResult<GroupWithMembersView>(() => reads.group(id, scope)),
    members: ({ id, ...query }: ListQuery & { readonly id: string }) =>
      listResult<{ readonly user_id: string }>(() => reads.members(id, query)),
  }
}
