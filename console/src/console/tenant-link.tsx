import { Link } from 'react-router'
import { withQuery } from '../api/http.ts'
import { Name } from '../ui/name.tsx'

/** The name of a tenant, which leads to its page. */
export function TenantLink({ tenant }: { readonly tenant: string }) {
  return (
    <Link to={withQuery('/tenant', { name: tenant })}>
      <Name>{tenant}</Name>
    </Link>
  )
}
