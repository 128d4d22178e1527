import { TextInput } from '@mantine/core'
import { useTexts } from '../texts/texts.ts'
import type { AddressFilters } from './address-filters.ts'

/** The inputs for the tenant and the product of a list over many directories. */
export function ScopeInputs({ filters, set }: Pick<AddressFilters<'tenant' | 'product'>, 'filters' | 'set'>) {
  const texts = useTexts()
  return (['tenant', 'product'] as const).map((name) => (
    <TextInput
      key={name}
      type="search"
      aria-label={texts.directories[name]}
      placeholder={texts.directories[name]}
      value={filters[name]}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
    />
  ))
}
