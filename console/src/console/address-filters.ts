import { useDebouncedValue } from '@mantine/hooks'
import { startTransition, useOptimistic } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

/** How long a list waits for further typing before it is read, in milliseconds. */
const typingMs = 250

type Filters<Name extends string> = Readonly<Record<Name, string>>

export interface AddressFilters<Name extends string> {
  /** The typed and chosen values; empty texts for the others. */
  readonly filters: Filters<Name>
  /** The filters by which the list is read: they follow when typing pauses. */
  readonly settled: Filters<Name>
  set(changed: Partial<Filters<Name>>): void
  clear(): void
}

/**
 * The filters that the address of the page has. The router renders a new address at low priority: without the optimistic
 * state, letters typed until then would be lost, and the next choice would undo the one before.
 */
export function useAddressFilters<Name extends string>(names: readonly Name[]): AddressFilters<Name> {
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const [address, showAddress] = useOptimistic(parameters.toString())
  const [settled] = useDebouncedValue(address, typingMs)
  const set = (changed: Partial<Filters<Name>>) =>
    startTransition(async () => {
      const search = withFilters(address, changed)
      showAddress(search)
      await navigate({ search }, { replace: true })
    })
  const clear = () => set(Object.fromEntries(names.map((name) => [name, ''])) as Filters<Name>)
  return { filters: read(address, names), settled: read(settled, names, (value) => value.trim()), set, clear }
}

function read<Name extends string>(address: string, names: readonly Name[], adapt = (value: string) => value) {
  const parameters = new URLSearchParams(address)
  return Object.fromEntries(names.map((name) => [name, adapt(parameters.get(name) ?? '')])) as Filters<Name>
}

function withFilters(address: string, changed: Partial<Filters<string>>): string {
  const parameters = new URLSearchParams(address)
  for (const [name, value = ''] of Object.entries(changed)) {
    if (value === '') parameters.delete(name)
    else parameters.set(name, value)
  }
  return parameters.toString()
}
