import { Link } from 'react-router'
import { withQuery } from '../api/http.ts'
import { useTexts } from '../texts/texts.ts'
import { useSession } from './session.tsx'

/** The address of the page of a product's mapping. */
export function productMappingPage(product: string): string {
  return withQuery('/roles', { product })
}

/** The way to the mapping of the product that a page is filtered by; nothing without one, and for whoever only sees one tenant. */
export function ProductMappingLink({ product }: { readonly product: string }) {
  const texts = useTexts()
  const { scope } = useSession()
  const name = scope.product ?? product
  if (name === '' || scope.tenant !== null) return null
  return <Link to={productMappingPage(name)}>{texts.roles.ofProduct(name)}</Link>
}
