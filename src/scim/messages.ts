/** The URNs of the messages that are not resources (RFC 7644 §8.2). */
export const messageUrns = {
  listResponse: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  searchRequest: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  patchOp: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  bulkRequest: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
  bulkResponse: 'urn:ietf:params:scim:api:messages:2.0:BulkResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const

/** The answer to a query whose resources are all at hand (RFC 7644 §3.4.2), on one page. */
export function listResponse<Resource>(resources: readonly Resource[]) {
  return {
    schemas: [messageUrns.listResponse],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

/** The numbers of a page, and where it is: from an index on, or before a cursor (RFC 7644 §3.4.2, RFC 9865 §2). */
export interface PageInfo {
  /** How many resources match, on all pages together. */
  readonly totalResults: number
  /** How many this page holds. */
  readonly itemsPerPage: number
  readonly position:
    | { readonly startIndex: number }
    /** Absent on the last page. */
    | { readonly nextCursor: string | undefined }
}

/** The text of a page before and after its resources, which are JSON text with commas between them. */
export function listResponseEnvelope({ totalResults, itemsPerPage, position: place }: PageInfo) {
  const numbers = `"totalResults":${totalResults},${positionText(place)}"itemsPerPage":${itemsPerPage}`
  return { before: `{"schemas":["${messageUrns.listResponse}"],${numbers},"Resources":[`, after: ']}' }
}

function positionText(place: PageInfo['position']): string {
  if ('startIndex' in place) return `"startIndex":${place.startIndex},`
  return place.nextCursor === undefined ? '' : `"nextCursor":${JSON.stringify(place.nextCursor)},`
}
