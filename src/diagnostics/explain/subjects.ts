import { isComplete } from '../../directory/abridged.ts'
import type { DirectoryReads } from '../../directory/directory-store.ts'
import type { Group } from '../../directory/group.ts'
import { listStart } from '../../directory/list.ts'
import type { StoredResource } from '../../directory/resource.ts'
import { changingFieldsOf } from '../../directory/user.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import type { LoggedRequest, RequestLogStore } from '../requests/request-log-store.ts'
import { foldedSubject, newestRequest } from '../requests/request-log-store.ts'
import type { TraceStore } from '../trace/trace-store.ts'
import type { ResourceFacts } from './facts.ts'

/** The maximum number of users or groups with the same name, and of requests, that are examined. */
const maxOfOneName = 10
export const maxRequests = 50

export type SubjectStore = Pick<DirectoryReads, 'getUser' | 'getGroup' | 'findUsers' | 'findGroups'> &
  Pick<RequestLogStore, 'listRequests'> &
  Pick<TraceStore, 'eventsOfResource'>

/** A user or group that matches a name or id, and the requests about it, newest first. */
export interface Subject {
  /** Undefined when no request had a resource. */
  readonly id: string | undefined
  readonly type: 'User' | 'Group' | undefined
  /** Undefined when it does not exist (any more). */
  readonly resource: ResourceFacts | undefined
  readonly requests: readonly LoggedRequest[]
}

/**
 * Finds the user or group with this id, userName, email address, external id, or displayName of a group. Of several,
 * the one that changed last is returned.
 */
export async function findSubject(store: SubjectStore, directoryId: string, asked: string): Promise<Subject> {
  const [resources, byName] = await Promise.all([
    storedResources(store, directoryId, asked),
    requestsNaming(store, directoryId, asked),
  ])
  const resource = resources.toSorted((a, b) => b.updatedAt - a.updatedAt)[0]
  const byId = await requestsOf(store, directoryId, asked)
  const gone = [...byId, ...byName].toSorted((a, b) => b.at - a.at).find(({ resourceId }) => resourceId !== null)
  const isGoneLater = gone !== undefined && (resource === undefined || gone.at > resource.updatedAt)
  const id = resource !== undefined && !isGoneLater ? resource.id : (gone?.resourceId ?? resource?.id)
  const chosen = resources.find((one) => one.id === id) ?? (await renamedResource(store, directoryId, id))
  const [ofResource, byItsName] = await Promise.all([
    id === undefined ? [] : requestsOf(store, directoryId, id),
    chosen === undefined ? [] : requestsNaming(store, directoryId, chosen.name),
  ])
  const type = chosen?.type ?? gone?.resourceType ?? undefined
  if (id === undefined)
    return (
      (await deletedSubject(store, directoryId, asked)) ?? { id, type, resource: undefined, requests: merged(byName) }
    )
  return { id, type, resource: chosen, requests: merged([...ofResource, ...byName, ...byItsName, ...byId]) }
}

/** The user or group that a request created under this name, and that has another name now. */
async function renamedResource(store: SubjectStore, directoryId: string, id: string | undefined) {
  return id === undefined ? undefined : (await resourcesWithId(store, directoryId, id))[0]
}

async function resourcesWithId(store: SubjectStore, directoryId: string, id: string): Promise<ResourceFacts[]> {
  const [user, group] = await Promise.all([store.getUser(directoryId, id), store.getGroup(directoryId, id)])
  return [...(user === undefined ? [] : [userFacts(user)]), ...(group === undefined ? [] : [groupFacts(group)])]
}

/** A user or group without any requests, but with events: its id after a sync deleted it. */
async function deletedSubject(store: SubjectStore, directoryId: string, asked: string): Promise<Subject | undefined> {
  const [event] = await store.eventsOfResource(directoryId, asked, Number.MAX_SAFE_INTEGER, 1)
  if (event === undefined) return undefined
  const type = event.eventType.startsWith('group.') ? 'Group' : 'User'
  return { id: asked, type, resource: undefined, requests: [] }
}

async function storedResources(store: SubjectStore, directoryId: string, asked: string): Promise<ResourceFacts[]> {
  const part = { from: listStart, limit: maxOfOneName }
  const users = async (attribute: 'userName' | 'email' | 'externalId') => {
    const found = await store.findUsers(directoryId, [{ attribute, value: asked }], part)
    return Promise.all(found.map(({ item }) => (isComplete(item) ? item : store.getUser(directoryId, item.id))))
  }
  const groups = (attribute: 'displayName' | 'externalId') =>
    store.findGroups(directoryId, [{ attribute, value: asked }], part)
  const [withId, foundUsers, foundGroups] = await Promise.all([
    resourcesWithId(store, directoryId, asked),
    Promise.all([users('userName'), users('email'), users('externalId')]),
    Promise.all([groups('displayName'), groups('externalId')]),
  ])
  return [
    ...withId,
    ...foundUsers.flat().flatMap((user) => (user !== undefined && isComplete(user) ? [userFacts(user)] : [])),
    ...foundGroups.flat().map(({ item }) => groupFacts(item)),
  ]
}

function userFacts(user: StoredResource): ResourceFacts {
  const { userName, active } = changingFieldsOf(user.id, fromJsonText(user.raw))
  const { id, createdAt, updatedAt } = user
  return { type: 'User', id, name: userName, active, createdAt, updatedAt }
}

function groupFacts({ id, name, createdAt, updatedAt }: Omit<Group, 'raw' | 'externalId'>): ResourceFacts {
  return { type: 'Group', id, name, active: true, createdAt, updatedAt }
}

async function requestsNaming({ listRequests }: SubjectStore, directoryId: string, name: string) {
  const subject = { folded: foldedSubject(name), isPrefix: false }
  return (await listRequests(directoryId, { subject }, { before: newestRequest, limit: maxRequests })).requests
}

async function requestsOf({ listRequests }: SubjectStore, directoryId: string, resourceId: string) {
  return (await listRequests(directoryId, { resourceId }, { before: newestRequest, limit: maxRequests })).requests
}

/** Merges the requests without duplicates, newest first. */
function merged(requests: readonly LoggedRequest[]): LoggedRequest[] {
  const byPosition = new Map(requests.map((request) => [request.position, request]))
  return [...byPosition.values()].toSorted((a, b) => b.position - a.position).slice(0, maxRequests)
}
