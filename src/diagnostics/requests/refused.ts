import type { Directory, DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryListPart } from '../../directory/directory-store.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { defaultPageLimit, ScopeInput, TokenPagingInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { Page } from '../../reads/page.ts'
import { isText, isWhole, pageTokens } from '../../reads/page.ts'
import { parseQuery } from '../../reads/paging.ts'
import { statusRange } from './listing.ts'
import type { RequestRecorder } from './recorder.ts'
import type { RefusedPosition, RefusedRequest, RequestLogStore } from './request-log-store.ts'
import { requestView } from './view.ts'

const refusedTokens = pageTokens<RefusedPosition>({
  newestAt: isWhole,
  directory: isText,
  batch: isWhole,
  before: isWhole,
})

/** The directories whose refused requests to list: one, those of a tenant, of a product, of both, or all; and the statuses. */
export const RefusedListInput = Type.Object({
  ...ScopeInput.properties,
  status: Type.Optional(
    Type.String({
      ...{ pattern: '^([45][0-9]{2}|[45][xX]{2})$', examples: ['4xx'] },
      description: 'status: a status code such as 409, or a class: 4xx or 5xx.',
    }),
  ),
  ...TokenPagingInput.properties,
})

export interface RefusedListParts {
  readonly store: Pick<RequestLogStore, 'refusedRequests'>
  readonly recorder: Pick<RequestRecorder, 'flush'>
  readonly directories: { page(scope: DirectoryScope, part: DirectoryListPart): Promise<Directory[]> }
}

/** A refused request in a list over several directories. */
export type RefusedRequestView = ReturnType<typeof refusedView>

/** The refused requests of many directories. Queries have the field names of the API and are validated here. */
export type RefusedRequests = ReturnType<typeof createRefusedRequests>

export function createRefusedRequests({ store, recorder, directories }: RefusedListParts) {
  /** The scope of a directory is its tenant and product as well, by which the store finds it. */
  async function completed(scope: DirectoryScope): Promise<DirectoryScope> {
    if (scope.directoryId === undefined) return scope
    const [directory] = await directories.page(scope, { limit: 1 })
    if (directory === undefined) throw new DirectoryError('directory-not-found', 'There is no such directory.')
    return { tenant: directory.tenant, product: directory.product, directoryId: directory.id }
  }

  return {
    /**
     * A page, newest first, of 100 requests unless the query has another limit. It may have fewer, or none, and still a
     * token, when many were read that have another status.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found` for a directory outside of the tenant or product
     */
    async list(query: unknown): Promise<Page<RefusedRequestView>> {
      const fields = parseQuery(RefusedListInput, query)
      const { pageLimit: limit = defaultPageLimit, pageToken, status = 'refused', ...scope } = fields
      const after = refusedTokens.read(pageToken)
      const asked = await completed(scope)
      await recorder.flush()
      const part = { after, limit: limit + 1 }
      const { requests, next } = await store.refusedRequests(asked, statusRange(status.toLowerCase()), part)
      const rows = requests.slice(0, limit)
      const following = requests.length > limit ? rows.at(-1)?.place : next
      return { rows: inOrder(rows).map(refusedView), pageToken: following && refusedTokens.write(following) }
    },
  }
}

/** The directories write their requests in turns of half a second: within a page, the time decides. */
function inOrder(requests: readonly RefusedRequest[]): RefusedRequest[] {
  return requests.toSorted((a, b) => b.request.at - a.request.at)
}

function refusedView({ directory, request }: RefusedRequest) {
  const { id: directory_id, name, tenant, product } = directory
  return { directory_id, name, tenant, product, ...requestView(request) }
}
