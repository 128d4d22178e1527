/** The URNs of the messages that are not resources (RFC 7644 §8.2). */
export const messageUrns = {
  listResponse: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  searchRequest: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  patchOp: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const

/** One page of a listing. */
export interface Page<Resource> {
  /** How many resources match, on all pages together. */
  readonly totalResults: number
  /** The place of the page's first resource among them, counted from 1. */
  readonly startIndex: number
  readonly resources: readonly Resource[]
}

/** The numbers of a page whose resources are elsewhere. */
export interface PageSize extends Omit<Page<never>, 'resources'> {
  readonly itemsPerPage: number
}

/** The answer to a query (RFC 7644 §3.4.2); `itemsPerPage` is what this page holds. */
export function listResponse<Resource>({ totalResults, startIndex, resources }: Page<Resource>) {
  return {
    schemas: [messageUrns.listResponse],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

/** The same as text, around resources that are JSON text already. */
export function listResponseText({ totalResults, startIndex, resources }: Page<string>): string {
  const { before, after } = listResponseAround({ totalResults, startIndex, itemsPerPage: resources.length })
  return `${before}${resources.join(',')}${after}`
}

/** What comes before and after the resources, for a page that is sent in pieces; commas go between the resources. */
export function listResponseAround({ totalResults, startIndex, itemsPerPage }: PageSize) {
  const total = `"totalResults":${totalResults},"startIndex":${startIndex},"itemsPerPage":${itemsPerPage}`
  return { before: `{"schemas":["${messageUrns.listResponse}"],${total},"Resources":[`, after: ']}' }
}
