import type { Directory } from '../../directory/directory.ts'

/**
 * The headers that name the directory of a request, so that one handler can find the secret of each. Tenant and product
 * are percent-encoded, because they may contain characters that headers cannot.
 */
export function directoryHeaders({ id, tenant, product }: Pick<Directory, 'id' | 'tenant' | 'product'>) {
  return {
    'rollcall-directory-id': id,
    'rollcall-tenant': encodeURIComponent(tenant.toWellFormed()),
    'rollcall-product': encodeURIComponent(product.toWellFormed()),
  }
}
