import { Button, Group, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { withQuery } from '../../api/http.ts'
import { useTexts } from '../../texts/texts.ts'
import { isolated } from '../../ui/isolated.ts'
import { PageHeader } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Mapping } from '../mapping/mapping.tsx'
import { placeOfProduct } from '../mapping/place.tsx'
import { useSession } from '../session.tsx'

/** The mapping of a product, which the address names: the default of its directories. */
export function ProductRolesPage() {
  const texts = useTexts()
  const { scope } = useSession()
  const [parameters, setParameters] = useSearchParams()
  const product = scope.product ?? parameters.get('product') ?? ''
  const place = useMemo(() => placeOfProduct(product), [product])
  if (scope.tenant !== null) return <Empty icon="lock" title={texts.states.noPermission} isPage />
  return (
    <>
      <PageHeader
        title={product === '' ? texts.roles.title : texts.roles.ofProduct(product)}
        description={product === '' ? undefined : texts.roles.description(isolated(product))}
        actions={
          product === '' ? undefined : <Link to={withQuery('/directories', { product })}>{texts.roles.back}</Link>
        }
      />
      {product === '' ? (
        <ProductChoice choose={(chosen) => setParameters({ product: chosen })} />
      ) : (
        <Mapping key={product} place={place} />
      )}
    </>
  )
}

function ProductChoice({ choose }: { readonly choose: (product: string) => void }) {
  const texts = useTexts()
  const [product, setProduct] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (product.trim() !== '') choose(product.trim())
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label={texts.roles.product}
          required
          value={product}
          autoComplete="off"
          onChange={({ currentTarget }) => setProduct(currentTarget.value)}
        />
        <Button type="submit">{texts.roles.open}</Button>
      </Group>
    </form>
  )
}
