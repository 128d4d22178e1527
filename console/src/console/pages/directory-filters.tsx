import { Button, Group, NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core'
import { dsync, useData } from '../../api/queries.ts'
import type { HealthState } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import type { AddressFilters } from '../address-filters.ts'
import { useAddressFilters } from '../address-filters.ts'

const states: readonly HealthState[] = ['healthy', 'attention', 'failing']
const flags = ['held', 'overdue', 'deactivated'] as const
const names = ['search', 'state', 'reason', 'type', 'product', 'tenant', 'sort', ...flags] as const
type Name = (typeof names)[number]

/** The filters and the order of the list of directories, which the address has, as the API takes them. */
export function useDirectoryFilters() {
  return useAddressFilters(names)
}

/** The inputs for the filters of the list of directories, and for its order. */
export function DirectoryFilters({ filters, set, clear }: Omit<AddressFilters<Name>, 'settled'>) {
  const texts = useTexts()
  const providers = useData<Readonly<Record<string, string>>>(`${dsync}/providers`)
  const optionsOf = (labels: object, any?: string) => [
    ...(any === undefined ? [] : [{ value: '', label: any }]),
    ...Object.entries(labels).map(([value, label]) => ({ value, label: String(label) })),
  ]
  const text = (name: 'search' | 'product' | 'tenant', label: string) => (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={name === 'search' ? <Icon name="search" /> : undefined}
      value={filters[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      {...(name === 'search' ? { className: 'grow' } : {})}
    />
  )
  const choice = (name: 'reason' | 'type' | 'sort', label: string, data: ReturnType<typeof optionsOf>) => (
    <NativeSelect
      aria-label={label}
      value={filters[name]}
      data={data}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <>
      <Group mb="sm" gap="sm">
        {text('search', texts.directories.searchLabel)}
        <SegmentedControl
          aria-label={texts.directories.state}
          value={filters.state}
          onChange={(state) => set({ state })}
          data={[
            { value: '', label: texts.lists.all },
            ...states.map((value) => ({ value, label: texts.health.states[value] })),
          ]}
        />
      </Group>
      <Group mb="md" gap="sm">
        {text('product', texts.directories.product)}
        {choice('type', texts.directories.type, optionsOf(providers.data ?? {}, texts.directories.anyType))}
        {choice('reason', texts.directories.reason, optionsOf(texts.health.reasons, texts.directories.anyReason))}
        {flags.map((name) => (
          <Switch
            key={name}
            label={texts.directories[name]}
            checked={filters[name] === 'true'}
            onChange={(event) => set({ [name]: event.currentTarget.checked ? 'true' : '' })}
          />
        ))}
        {choice('sort', texts.directories.sort, [
          ...optionsOf(texts.directories.orders).map((one) => (one.value === 'created' ? { ...one, value: '' } : one)),
        ])}
        <Button variant="subtle" size="compact-sm" onClick={clear}>
          {texts.directories.clear}
        </Button>
      </Group>
    </>
  )
}
