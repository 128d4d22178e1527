import type { JsonObject } from '../../scim/json.ts'
import type { Asked } from './classify.ts'
import { GoogleFailure } from './failure.ts'
import type { GoogleGroup, GoogleMember, GooglePage, GoogleUser } from './items.ts'
import { groupFields, parseGroup } from './parse-group.ts'
import { memberFields, parseIsMember, parseMember } from './parse-member.ts'
import type { ListForm } from './parse-page.ts'
import { parsePage } from './parse-page.ts'
import { parseUser, userFields } from './parse-user.ts'
import type { Ask, Question, RequestOptions } from './request.ts'
import { createAsk } from './request.ts'
import type { Workspace } from './workspace.ts'

export interface WorkspaceOptions extends RequestOptions {
  /** The only domain to list; the whole customer when undefined. */
  readonly domain: string | undefined
}

/** The largest pages that Google gives. */
const maxResults = { users: 500, groups: 200, members: 200 } as const

const users: ListForm<GoogleUser> = { name: 'users', parse: parseUser }
const groups: ListForm<GoogleGroup> = { name: 'groups', parse: parseGroup }
const members: ListForm<GoogleMember> = { name: 'members', parse: parseMember }

/** Without the kind, an empty page could not be told from nothing. */
const pageFields = (name: string, fields: string) => `kind,nextPageToken,${name}(${fields})`

/** The Workspace behind the tokens, read through Google's own library. Made for one sync run. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const ask = createAsk(options)
  const whose = options.domain === undefined ? { customer: 'my_customer' } : { domain: options.domain }

  return {
    listUsers(pageToken) {
      const fields = pageFields('users', userFields)
      const params = { ...whose, maxResults: maxResults.users, projection: 'basic', fields, ...tokenOf(pageToken) }
      return askPage(ask, users, pageToken, (api, call) => api.users.list(params, call))
    },
    listGroups(pageToken) {
      const fields = pageFields('groups', groupFields)
      const params = { ...whose, maxResults: maxResults.groups, fields, ...tokenOf(pageToken) }
      return askPage(ask, groups, pageToken, (api, call) => api.groups.list(params, call))
    },
    listMembers(groupKey, pageToken) {
      const fields = pageFields('members', memberFields)
      const params = { groupKey, maxResults: maxResults.members, fields, ...tokenOf(pageToken) }
      return askPage(ask, members, pageToken, (api, call) => api.members.list(params, call))
    },
    getUser(userKey) {
      const params = { userKey, projection: 'basic', fields: userFields }
      return askItem(ask, 'a user', withId(userKey, parseUser), (api, call) => api.users.get(params, call))
    },
    getGroup(groupKey) {
      const params = { groupKey, fields: groupFields }
      return askItem(ask, 'a group', withId(groupKey, parseGroup), (api, call) => api.groups.get(params, call))
    },
    async hasMember(groupKey, memberKey) {
      const asked: Asked = { subject: 'a membership', hasPageToken: false }
      const call: Call = (api, options) => api.members.hasMember({ groupKey, memberKey }, options)
      return unless(ask({ ...asked, parse: parseIsMember, call }), ['refused', 'forbidden', 'not-found'], 'unknown')
    },
  }
}

type Call = Question<unknown>['call']

const tokenOf = (pageToken: string | undefined) => (pageToken === undefined ? {} : { pageToken })

const subjects = { users: 'the users', groups: 'the groups', members: 'the members of a group' } as const

/** @throws GoogleFailure `unavailable` also when the page leads to itself: the list would have no end */
async function askPage<T>(
  ask: Ask,
  form: ListForm<T>,
  pageToken: string | undefined,
  call: Call,
): Promise<GooglePage<T>> {
  const asked: Asked = { subject: subjects[form.name], hasPageToken: pageToken !== undefined }
  const page = await ask({ ...asked, call, parse: (body) => parsePage(body, form) })
  if (page.nextPageToken === undefined || page.nextPageToken !== pageToken) return page
  throw new GoogleFailure('unavailable', `Google's list of ${asked.subject} leads from a page to the same page.`)
}

/** One resource; undefined when it is not there. */
function askItem<T>(ask: Ask, subject: string, parse: Question<T>['parse'], call: Call): Promise<T | undefined> {
  return unless(ask({ subject, hasPageToken: false, parse, call }), ['not-found'], undefined)
}

/** Reads a resource only when it is the one that was asked for. */
function withId<T extends { readonly id: string }>(id: string, parse: (body: JsonObject) => T | undefined) {
  return (body: JsonObject): T | undefined => {
    const item = parse(body)
    return item?.id === id ? item : undefined
  }
}

/** The answer, or the other value when it fails in one of those ways. */
async function unless<T, U>(answer: Promise<T>, kinds: readonly GoogleFailure['kind'][], other: U): Promise<T | U> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof GoogleFailure && kinds.includes(error.kind)) return other
    throw error
  }
}
