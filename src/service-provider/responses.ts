import type { StoredEvent } from '../directory/event.ts'
import { locationOf } from '../directory/references.ts'
import type { ResourceType } from '../scim/schema/resource-type.ts'
import type { OperationContext, ScimResponse } from './request.ts'

/** A response with one resource: its address and entity tag in the headers (RFC 7643 §3.1, RFC 7644 §3.3, §3.14). */
export function resourceResponse(
  { scimUrl }: OperationContext,
  { endpoint }: ResourceType,
  id: string,
  tag: string,
  body: ScimResponse['body'],
  status: 200 | 201,
  events: readonly StoredEvent[] = [],
): ScimResponse {
  const location = locationOf(endpoint, id, scimUrl)
  const headers =
    status === 201 ? { etag: tag, 'content-location': location, location } : { etag: tag, 'content-location': location }
  return { status, headers, body, events }
}

/** The response when the client already has the current version (RFC 7644 §3.14). */
export function notModified(tag: string, resourceName: string): ScimResponse {
  return { status: 304, headers: { etag: tag }, body: undefined, events: [], resourceName }
}
