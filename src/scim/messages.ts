import { ScimError } from './errors.ts'
import { isObject } from './json.ts'
import type { ScimProfile } from './schema/resource-type.ts'

/** The URNs of SCIM messages (RFC 7644 §8.2). */
export const messageUrns = {
  listResponse: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  searchRequest: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  patchOp: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  bulkRequest: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
  bulkResponse: 'urn:ietf:params:scim:api:messages:2.0:BulkResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const

/**
 * Requires the `schemas` of a message in the strict profile; the tolerant one reads a message without them.
 *
 * @throws ScimError 400 `invalidSyntax`
 */
export function requireMessage(body: unknown, urn: string, profile: ScimProfile): void {
  if (profile === 'tolerant') return
  const key = isObject(body) ? Object.keys(body).find((name) => name.toLowerCase() === 'schemas') : undefined
  const listed = isObject(body) && key !== undefined ? body[key] : undefined
  const isListed = Array.isArray(listed) && listed.length === 1 && String(listed[0]).toLowerCase() === urn.toLowerCase()
  if (!isListed) throw new ScimError(400, 'invalidSyntax', `The body needs "schemas": ["${urn}"].`)
}

/** A list response with all resources on one page (RFC 7644 §3.4.2). */
export function listResponse<Resource>(resources: readonly Resource[]) {
  return {
    schemas: [messageUrns.listResponse],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

/** The size and position of a page (RFC 7644 §3.4.2, RFC 9865 §2). */
export interface PageInfo {
  /** The number of matches in total. */
  readonly totalResults: number
  /** The number of resources on this page. */
  readonly itemsPerPage: number
  readonly position:
    | { readonly startIndex: number }
    /** Absent on the last page. */
    | { readonly nextCursor: string | undefined }
}

/** The JSON text before and after the resources of a page. The resources are JSON texts joined by commas. */
export function listResponseEnvelope({ totalResults, itemsPerPage, position: place }: PageInfo) {
  const numbers = `"totalResults":${totalResults},${positionText(place)}"itemsPerPage":${itemsPerPage}`
  return { before: `{"schemas":["${messageUrns.listResponse}"],${numbers},"Resources":[`, after: ']}' }
}

function positionText(place: PageInfo['position']): string {
  if ('startIndex' in place) return `"startIndex":${place.startIndex},`
  return place.nextCursor === undefined ? '' : `"nextCursor":${JSON.stringify(place.nextCursor)},`
}
