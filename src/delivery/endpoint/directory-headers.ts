import type { Directory } from '../../directory/directory.ts'

/**
 * The headers that name the directory of a request, so that one handler can find the secret of each. A tenant or product may
 * have characters that a header cannot: both are percent-encoded.
 */
export function directoryHeaders({ id, tenant, product }: Pick<Directory, 'id' | 'tenant' | 'product'>) {
  return {
    'rollcall-directory-id': id,
    'rollcall-tenant': encodeURIComponent(tenant.toWellFormed()),
    'rollcall-product': encodeURIComponent(product.toWellFormed()),
  }
}
