import type { DirectoryReads } from '../../directory/directory-store.ts'
import type { Group } from '../../directory/group.ts'
import type { Returned, StoredResource } from '../../directory/resource.ts'
import type { NamedResource } from '../../directory/search-store.ts'
import type { User } from '../../directory/user.ts'
import { changingFieldsOf } from '../../directory/user.ts'
import { fold } from '../../scim/fold.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import type { LoggedRequest, RequestFilter, RequestLogStore } from '../requests/request-log-store.ts'
import { firstRefusal, foldedSubject, newestRequest } from '../requests/request-log-store.ts'
import type { TraceStore } from '../trace/trace-store.ts'
import type { ResourceFacts } from './facts.ts'
import { isLookup, isRefused } from './refusal.ts'

/** The maximum number of requests that are examined, and of deleted or renamed users that they lead to. */
export const maxRequests = 50
const maxGone = 5

/** The number of characters of an id. */
const idLength = 36

export type SubjectStore = Pick<DirectoryReads, 'getUser' | 'getGroup'> &
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

/** The subject of a query that nothing is known about. */
export const nobody: Subject = { id: undefined, type: undefined, resource: undefined, requests: [] }

/**
 * Finds the users and groups of a directory that a query may mean: those that are stored, those that requests under this
 * name led to, and those that were only looked up or refused. Empty when nothing is known.
 *
 * @param named the stored ones with this name or id
 */
export async function findSubjects(
  store: SubjectStore,
  directoryId: string,
  asked: string,
  named: readonly Pick<NamedResource, 'type' | 'id'>[],
): Promise<readonly Subject[]> {
  const subject = foldedSubject(asked)
  const [resources, found, lastRefused] = await Promise.all([
    Promise.all(
      named.map(({ type, id }) => storedResource(store, directoryId, type === 'user' ? 'User' : 'Group', id)),
    ),
    requestsAbout(store, directoryId, { subject, resourceId: asked.length === idLength ? asked : undefined }),
    lastRefusal(store, directoryId, subject),
  ])
  const requests = merged([...found, ...lastRefused])
  const byName = requests.filter((request) => request.subject !== null && foldedSubject(request.subject) === subject)
  const stored = resources.filter((resource) => resource !== undefined)
  const others = await formerlyNamed(store, directoryId, stored, requests)
  const withId = [...stored.map((resource) => ({ ...subjectOf(resource), requests: [] })), ...others]
  const exact = withId.filter(({ id }) => id === asked)
  const subjects = exact.length > 0 ? exact : withId
  const complete = await Promise.all(subjects.map((one) => withRequests(store, directoryId, asked, one, byName)))
  const unassigned = exact.length > 0 ? [] : nameless(byName, subjects)
  if (complete.length > 0 || unassigned.length > 0) return [...complete, ...unassigned]
  return deletedSubject(store, directoryId, asked)
}

/** Returns whether the identity provider sent, or tried to send, the subject; it may only have looked it up. */
export function isKnown({ id, requests }: Subject): boolean {
  return id !== undefined || requests.some((request) => isRefused(request) && !isLookup(request))
}

/** The time of the newest record of a subject; 0 without any. */
export function lastRecordAt({ resource, requests }: Subject): number {
  return Math.max(resource?.updatedAt ?? 0, requests[0]?.at ?? 0)
}

type IdentifiedSubject = Subject & { readonly id: string; readonly type: 'User' | 'Group' }

function subjectOf(resource: ResourceFacts): IdentifiedSubject {
  return { id: resource.id, type: resource.type, resource, requests: [] }
}

/**
 * The users and groups that requests under a name or id led to: they have another name now, or were deleted. A deleted one
 * whose name another one has is left out.
 */
async function formerlyNamed(
  store: SubjectStore,
  directoryId: string,
  stored: readonly ResourceFacts[],
  requests: readonly LoggedRequest[],
): Promise<IdentifiedSubject[]> {
  const known = new Set(stored.map(({ id }) => id))
  const newest = new Map<string, LoggedRequest>()
  for (const request of requests) {
    const { resourceId, resourceType } = request
    if (resourceId !== null && resourceType !== null && !known.has(resourceId) && !newest.has(resourceId))
      newest.set(resourceId, request)
  }
  const found = await Promise.all(
    [...newest].slice(0, maxGone).map(async ([id, { resourceType: type, subject }]) => {
      if (type === null) return []
      const resource = await storedResource(store, directoryId, type, id)
      if (resource !== undefined) return [subjectOf(resource)]
      const isReplaced = stored.some((one) => one.type === type && fold(one.name) === fold(subject ?? ''))
      return isReplaced ? [] : [{ id, type, resource: undefined, requests: [] }]
    }),
  )
  return found.flat()
}

/** Completes a subject with the requests about it: those with its id, and those that only name it. */
async function withRequests(
  store: SubjectStore,
  directoryId: string,
  asked: string,
  subject: IdentifiedSubject,
  byName: readonly LoggedRequest[],
): Promise<Subject> {
  const { id, resource } = subject
  const isRenamed = resource !== undefined && foldedSubject(resource.name) !== foldedSubject(asked)
  const about = { resourceId: id, subject: isRenamed ? foldedSubject(resource.name) : undefined }
  const found = [...(await requestsAbout(store, directoryId, about)), ...byName]
  return {
    ...subject,
    requests: merged(found.filter((request) => request.resourceId === id || mayBeAbout(request, subject))),
  }
}

/** Returns whether a request without a resource may be about a user or group of this type. */
function mayBeAbout({ resourceId, resourceType }: LoggedRequest, { type }: Pick<Subject, 'type'>): boolean {
  return resourceId === null && (resourceType === null || resourceType === type)
}

/** The subjects that requests name, none of which exists or ever did. */
function nameless(byName: readonly LoggedRequest[], subjects: readonly IdentifiedSubject[]): Subject[] {
  const unassigned = byName.filter((request) => !subjects.some((subject) => mayBeAbout(request, subject)))
  return (['User', 'Group'] as const).flatMap((type) => {
    const requests = merged(
      unassigned.filter(({ resourceId, resourceType }) => resourceId === null && resourceType === type),
    )
    return requests.length === 0 ? [] : [{ id: undefined, type, resource: undefined, requests }]
  })
}

/** A user or group without any requests, but with events: its id after a sync deleted it. */
async function deletedSubject(store: SubjectStore, directoryId: string, asked: string): Promise<readonly Subject[]> {
  const [event] = await store.eventsOfResource(directoryId, asked, Number.MAX_SAFE_INTEGER, 1)
  if (event === undefined) return []
  const type = event.eventType.startsWith('group.') ? 'Group' : 'User'
  return [{ id: asked, type, resource: undefined, requests: [] }]
}

async function storedResource(
  store: SubjectStore,
  directoryId: string,
  type: 'User' | 'Group',
  id: string,
): Promise<ResourceFacts | undefined> {
  if (type === 'User') {
    const user = await store.getUser(directoryId, id)
    return user && userFacts(user)
  }
  const group = await store.getGroup(directoryId, id)
  return group && groupFacts(group)
}

function userFacts(user: StoredResource & Returned & Pick<User, 'domainAllowed'>): ResourceFacts {
  const { userName, active } = changingFieldsOf(fromJsonText(user.raw))
  const { id, createdAt, updatedAt, domainAllowed } = user
  const returnedFrom = user.returnedFrom && fromJsonText(user.returnedFrom)
  return { type: 'User', id, name: userName, active, createdAt, updatedAt, returnedFrom, domainAllowed }
}

function groupFacts({ id, name, createdAt, updatedAt }: Omit<Group, 'raw' | 'externalId'>): ResourceFacts {
  return { type: 'Group', id, name, active: true, createdAt, updatedAt }
}

async function requestsAbout(
  { listRequests }: SubjectStore,
  directoryId: string,
  about: RequestFilter['about'],
): Promise<readonly LoggedRequest[]> {
  return (await listRequests(directoryId, { about }, { before: newestRequest, limit: maxRequests })).requests
}

/** The last refused request with a subject, in the whole log. */
async function lastRefusal({ listRequests }: SubjectStore, directoryId: string, subject: string) {
  const filter = { about: { subject }, status: { from: firstRefusal, to: 599 } }
  return (await listRequests(directoryId, filter, { before: newestRequest, limit: 1 })).requests
}

/** Merges the requests without duplicates, newest first. */
function merged(requests: readonly LoggedRequest[]): LoggedRequest[] {
  const byPosition = new Map(requests.map((request) => [request.position, request]))
  return [...byPosition.values()].toSorted((a, b) => b.position - a.position).slice(0, maxRequests)
}
