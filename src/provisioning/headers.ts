import { locationOf } from '../directory/representation.ts'
import type { ResourceType } from '../scim/schema/resource-type.ts'

/** The headers of an answer that shows one resource: where it is, and its tag (RFC 7643 §3.1, RFC 7644 §3.3, §3.14). */
export function resourceHeaders(
  endpoint: ResourceType['endpoint'],
  id: string,
  scimUrl: string,
  tag: string,
  status: 200 | 201,
): Readonly<Record<string, string>> {
  const location = locationOf(endpoint, id, scimUrl)
  return status === 201
    ? { etag: tag, 'content-location': location, location }
    : { etag: tag, 'content-location': location }
}
