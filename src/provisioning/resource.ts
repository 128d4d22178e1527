import type { Committed } from '../directory/store.ts'
import type { ListQuery } from '../scim/list-query.ts'
import { parseListQuery, parseSearchRequest } from '../scim/list-query.ts'
import type { Projection } from '../scim/projection.ts'
import { parseProjection } from '../scim/projection.ts'
import type { ResourceType } from '../scim/schema/resource-type.ts'
import type { ScimRequest, ScimResponse } from './request.ts'

type Answer = Promise<ScimResponse>
type Change = (id: string, body: unknown, ifMatch: string | undefined, projection: Projection | undefined) => Answer

/** What can be done with one kind of resource on behalf of a request. */
export interface ResourceActions {
  readonly resourceType: ResourceType
  search(query: ListQuery): Promise<ScimResponse>
  create(body: unknown, projection: Projection | undefined): Answer
  read(id: string, projection: Projection | undefined, ifNoneMatch: string | undefined): Promise<ScimResponse>
  readonly replace: Change
  readonly patch: Change
  remove(id: string, ifMatch: string | undefined): Promise<Committed>
}

/**
 * Answers a request by what it asks for (RFC 7644 §3.2). Which attributes it wants to see is read before anything is
 * changed: a request that is refused changes nothing.
 */
export async function answerWith(actions: ResourceActions, request: ScimRequest): Answer {
  const { method, resourceId: id, query, body, ifMatch } = request
  if (id === undefined) {
    if (method === 'GET') return actions.search(parseListQuery(query))
    if (request.isSearch) return actions.search(parseSearchRequest(body))
    return actions.create(body, parseProjection(query, actions.resourceType))
  }
  if (method === 'DELETE') return removed(await actions.remove(id, ifMatch))
  const projection = parseProjection(query, actions.resourceType)
  if (method === 'GET') return actions.read(id, projection, request.ifNoneMatch)
  const change = method === 'PUT' ? actions.replace : actions.patch
  return change(id, body, ifMatch, projection)
}

function removed({ events }: Committed): ScimResponse {
  return { status: 204, headers: {}, body: undefined, events }
}
