import type { JsonObject } from '../../scim/json.ts'
import type { GoogleFailureKind } from './failure.ts'
import { GoogleFailure, isFailure } from './failure.ts'
import type { GoogleGroup, GoogleMember, GooglePage, GoogleUser } from './items.ts'
import type { ListForm } from './parse.ts'
import {
  groupFields,
  memberFields,
  parseCustomerId,
  parseGroup,
  parseIsMember,
  parseMember,
  parsePage,
  parseUser,
  userFields,
} from './parse.ts'
import type { ApiRequest, RequestOptions, SendRequest } from './request.ts'
import { createSendRequest } from './request.ts'

/**
 * A customer's Google Workspace, or one domain of it, as a sync run reads it. Calls are paced and retried, and renew the
 * token if necessary.
 *
 * Every call may throw GoogleFailure, or the reason of the run's signal.
 */
export interface Workspace {
  /** A page of the users; the first one without a token. May contain users outside the configured domain. */
  listUsers(pageToken?: string): Promise<GooglePage<GoogleUser>>
  listGroups(pageToken?: string): Promise<GooglePage<GoogleGroup>>
  /**
   * The direct members of a group.
   *
   * @throws GoogleFailure also `not-found` or `forbidden` for this group alone
   */
  listMembers(groupId: string, pageToken?: string): Promise<GooglePage<GoogleMember>>
  /** Undefined if there is no such user (any more). */
  getUser(id: string): Promise<GoogleUser | undefined>
  /** A group by its id or one of its addresses. */
  getGroup(key: string): Promise<GoogleGroup | undefined>
  /** Returns whether a user is a direct or nested member of a group; `unknown` if Google does not answer. */
  hasMember(groupId: string, userId: string): Promise<boolean | 'unknown'>
}

export interface WorkspaceOptions extends RequestOptions {
  /** The only domain to list; all domains of the customer if undefined. */
  readonly domain: string | undefined
  /** Called with Google's id of the customer for each listed user. */
  readonly onCustomer?: (id: string) => void
}

/** The largest page sizes that Google allows. */
const maxResults = { users: 500, groups: 200, members: 200 } as const

const groups: ListForm<GoogleGroup> = { name: 'groups', parse: parseGroup }
const members: ListForm<GoogleMember> = { name: 'members', parse: parseMember }

/** Without `kind`, an empty page would look like an empty response. */
const pageFields = (name: string, fields: string) => `kind,nextPageToken,${name}(${fields})`

/** Creates the Workspace of one sync run. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const send = createSendRequest(options)
  const users: ListForm<GoogleUser> = {
    name: 'users',
    parse(item) {
      const customer = parseCustomerId(item)
      if (customer !== undefined) options.onCustomer?.(customer)
      return parseUser(item)
    },
  }
  const scope = options.domain === undefined ? { customer: 'my_customer' } : { domain: options.domain }

  return {
    listUsers(pageToken) {
      const fields = pageFields('users', `${userFields},customerId`)
      const query = { ...scope, maxResults: maxResults.users, projection: 'basic', fields, ...tokenOf(pageToken) }
      return readPage(send, users, pageToken, { path: ['users'], query })
    },
    listGroups(pageToken) {
      const fields = pageFields('groups', groupFields)
      const query = { ...scope, maxResults: maxResults.groups, fields, ...tokenOf(pageToken) }
      return readPage(send, groups, pageToken, { path: ['groups'], query })
    },
    listMembers(groupKey, pageToken) {
      const fields = pageFields('members', memberFields)
      const query = { maxResults: maxResults.members, fields, ...tokenOf(pageToken) }
      return readPage(send, members, pageToken, { path: ['groups', groupKey, 'members'], query })
    },
    getUser(userKey) {
      const query = { projection: 'basic', fields: userFields }
      return readItem(send, 'a user', withId(userKey, parseUser), { path: ['users', userKey], query })
    },
    getGroup(groupKey) {
      const query = { fields: groupFields }
      const parse = groupKey.includes('@') ? parseGroup : withId(groupKey, parseGroup)
      return readItem(send, 'a group', parse, { path: ['groups', groupKey], query })
    },
    async hasMember(groupKey, memberKey) {
      const target = { subject: 'a membership', hasPageToken: false }
      const path = ['groups', groupKey, 'hasMember', memberKey]
      const isMember = send({ ...target, parse: parseIsMember, path, query: {} })
      return replaceFailure(isMember, ['refused', 'forbidden', 'not-found'], 'unknown')
    },
  }
}

type Call = Pick<ApiRequest<unknown>, 'path' | 'query'>

const tokenOf = (pageToken: string | undefined) => (pageToken === undefined ? {} : { pageToken })

const subjects = { users: 'the users', groups: 'the groups', members: 'the members of a group' } as const

/** @throws GoogleFailure `unavailable` also if the next page token is the current one, which would never end */
async function readPage<T>(
  send: SendRequest,
  form: ListForm<T>,
  pageToken: string | undefined,
  call: Call,
): Promise<GooglePage<T>> {
  const target = { subject: subjects[form.name], hasPageToken: pageToken !== undefined }
  const page = await send({ ...target, ...call, parse: (body) => parsePage(body, form) })
  if (page.nextPageToken === undefined || page.nextPageToken !== pageToken) return page
  throw new GoogleFailure('unavailable', `A page of Google's list of ${target.subject} names itself as the next page.`)
}

/** One resource; undefined if it does not exist. */
function readItem<T>(send: SendRequest, subject: string, parse: ApiRequest<T>['parse'], call: Call) {
  return replaceFailure(send({ subject, hasPageToken: false, parse, ...call }), ['not-found'], undefined)
}

/** Accepts a resource only if it has the requested id. */
function withId<T extends { readonly id: string }>(id: string, parse: (body: JsonObject) => T | undefined) {
  return (body: JsonObject): T | undefined => {
    const item = parse(body)
    return item?.id === id ? item : undefined
  }
}

/** Resolves to the replacement if the request fails with one of these kinds. */
async function replaceFailure<T, U>(
  result: Promise<T>,
  kinds: readonly GoogleFailureKind[],
  replacement: U,
): Promise<T | U> {
  try {
    return await result
  } catch (error) {
    if (isFailure(error, ...kinds)) return replacement
    throw error
  }
}
