import type { TimelineEntry } from '../diagnostics/trace/timeline.ts'
import type { ReturnedFrom } from '../directory/resource.ts'
import type { JsonObject } from '../scim/json.ts'
import type { LibraryParts, ListQuery, OneDirectory, OneQuery } from './parts.ts'
import { caller } from './parts.ts'
import { listResult, objectResult, resultOf } from './result.ts'

/** The fields that every user and group has beside those of its events. */
export interface RecordFields {
  /** RFC 3339. */
  readonly created_at: string
  readonly updated_at: string
  /** The tenant, if `product` alone was the scope. */
  readonly tenant?: string
  readonly directory_id: string
}

/** A user as the API returns it. */
export interface UserView extends RecordFields {
  readonly id: string
  /** The account in the product that the user is linked to. */
  readonly account_id: string | null
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly active: boolean
  /** The deleted user as which the user was recognized when it was created. */
  readonly returned_from?: ReturnedFrom
  /** An address is outside the allowed domains of its directory; absent if none is. */
  readonly domain_allowed?: false
  readonly raw: JsonObject
}

/** A group as the API returns it. */
export interface GroupView extends RecordFields {
  readonly id: string
  readonly name: string
  readonly raw: JsonObject
}

export interface GroupWithMembersView extends GroupView {
  readonly members: readonly { readonly group_id: string; readonly user_id: string }[]
}

/** The user or group whose timeline to read, and the part to read. */
export interface TimelineQuery extends OneDirectory, Pick<ListQuery, 'pageLimit' | 'pageToken'> {
  readonly id: string
}

/** The conditions of a list of users, as in the API. */
export interface UserFilters {
  readonly email?: string
  readonly userName?: string
  readonly user_name?: string
  readonly externalId?: string
  /** The account in the product that a user is linked to; within a tenant or directory. */
  readonly account_id?: string
  /** The id of a group. */
  readonly group?: string
  readonly active?: boolean
  /** RFC 3339. */
  readonly updated_since?: string
  readonly search?: string
}

/** The conditions of a list of groups. */
export type GroupFilters = Pick<UserFilters, 'updated_since' | 'search'> & { readonly name?: string }

/** The user and its account from now on; null: none. */
export interface AccountInput extends OneDirectory {
  readonly id: string
  readonly account_id: string | null
}

/** Reads users, and links them to accounts. */
export function userCalls({ reads, accountLinks, timelines }: LibraryParts) {
  return {
    /** All users of a scope, or those that meet the conditions of the query. */
    list: (query: ListQuery & UserFilters) => listResult<UserView>(() => reads.users(query)),
    get: ({ id, ...scope }: OneQuery) => objectResult<UserView>(() => reads.user(id, scope)),
    /** Links a user to an account of the product, or ends the link. */
    setAccount: ({ directoryId, id, ...body }: AccountInput) =>
      resultOf(() => accountLinks.link(directoryId, id, body, caller)),
    /** The timeline of a user, newest first, also after its deletion. */
    timeline: ({ directoryId, id, ...query }: TimelineQuery) =>
      listResult<TimelineEntry>(() => timelines.list(directoryId, { type: 'User', id }, query)),
  }
}

/** Reads groups and their members. */
export function groupCalls({ reads, timelines }: LibraryParts) {
  return {
    /** All groups of a scope, or those that meet the conditions of the query. */
    list: (query: ListQuery & GroupFilters) => listResult<GroupView>(() => reads.groups(query)),
    get: ({ id, ...scope }: OneQuery) => objectResult<GroupWithMembersView>(() => reads.group(id, scope)),
    members: ({ id, ...query }: ListQuery & { readonly id: string }) =>
      listResult<{ readonly user_id: string }>(() => reads.members(id, query)),
    /** The timeline of a group, newest first, also after its deletion. */
    timeline: ({ directoryId, id, ...query }: TimelineQuery) =>
      listResult<TimelineEntry>(() => timelines.list(directoryId, { type: 'Group', id }, query)),
  }
}
