/** The URNs of SCIM messages (RFC 7644 §8.2). */
export const messageUrns = {
  listResponse: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  searchRequest: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  patchOp: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  bulkRequest: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
  bulkResponse: 'urn:ietf:params:scim:api:messages:2.0:BulkResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const

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
