import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useSearchParams } from 'react-router'
import { useTexts } from '../texts/texts.ts'

type Filter = Readonly<Record<'tenant' | 'product' | 'status', string>>

/** The filters of a list over many directories, which the address has; `settled` follows when typing pauses. */
export function useScopeFilter() {
  const [parameters, setParameters] = useSearchParams()
  const read = (name: keyof Filter) => parameters.get(name) ?? ''
  const filter: Filter = { tenant: read('tenant'), product: read('product'), status: read('status') }
  const [text] = useDebouncedValue(`${filter.tenant.trim()}\n${filter.product.trim()}`, 250)
  const [tenant, product] = text.split('\n')
  const set = (changed: Partial<Filter>) => {
    const filled = Object.entries({ ...filter, ...changed }).filter(([, value]) => value !== '')
    setParameters(Object.fromEntries(filled), { replace: true })
  }
  return { filter, settled: { tenant, product }, set }
}

/** The inputs for tenant and product. */
export function ScopeInputs({ filter, set }: Pick<ReturnType<typeof useScopeFilter>, 'filter' | 'set'>) {
  const texts = useTexts()
  return (['tenant', 'product'] as const).map((name) => (
    <TextInput
      key={name}
      type="search"
      aria-label={texts.directories[name]}
      placeholder={texts.directories[name]}
      value={filter[name]}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
    />
  ))
}
