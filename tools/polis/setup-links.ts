import { pageOf } from './directory-sync.ts'
import type { PolisReply, PolisRequest } from './http.ts'
import { failure } from './http.ts'
import type { PolisControllers } from './library.ts'

const service = 'dsync'

/** Answers `/api/v1/dsync/setuplinks…`. */
export async function setupLinkRoute(
  { setupLinkController }: PolisControllers,
  request: PolisRequest,
): Promise<PolisReply> {
  const { method, query, body, path } = request
  const { id, tenant, product } = query
  if (method === 'POST') return { status: 201, body: { data: await setupLinkController.create({ ...body, service }) } }
  if (path[4] === 'product') {
    if (product === undefined) return failure(500, 'Please provide a product')
    return { status: 200, body: await setupLinkController.filterBy({ service, product, ...pageOf(request) }) }
  }
  if (method === 'DELETE') {
    if (id !== undefined) await setupLinkController.remove({ id })
    else if (tenant !== undefined && product !== undefined)
      await setupLinkController.remove({ tenant, product, service })
    return { status: 200, body: { data: {} } }
  }
  if (id !== undefined) return { status: 200, body: { data: await setupLinkController.get(id) } }
  if (tenant === undefined || product === undefined)
    return failure(400, 'Please provide either id or tenant and product')
  const { data } = await setupLinkController.filterBy({ tenant, product, service })
  return { status: 200, body: { data: data[0] } }
}
