import { Button, Group, NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { dsync, useData } from '../../api/queries.ts'
import type { HealthState } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'

const states: readonly HealthState[] = ['healthy', 'attention', 'failing']
const flags = ['held', 'overdue', 'deactivated'] as const
const names = ['search', 'state', 'reason', 'type', 'product', 'tenant', 'sort', ...flags] as const
type Name = (typeof names)[number]

/** The filters and the order that an address has, as the API takes them. */
export function filtersIn(parameters: URLSearchParams): Partial<Record<Name, string>> {
  const found = names.map((name) => [name, parameters.get(name)?.trim() ?? ''] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== ''))
}

/** Changes the filters of the address. */
function useFilters() {
  const [parameters, setParameters] = useSearchParams()
  const set = (name: Name, value: string) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true },
    )
  return {
    filterOf: (name: Name) => parameters.get(name) ?? '',
    set,
    clear: () => setParameters({}, { replace: true }),
  }
}

/** The filters of the list of directories, and its order. */
export function DirectoryFilters() {
  const texts = useTexts()
  const { filterOf, set, clear } = useFilters()
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
      value={filterOf(name)}
      onChange={(event) => set(name, event.currentTarget.value)}
      {...(name === 'search' ? { className: 'grow' } : {})}
    />
  )
  const choice = (name: 'reason' | 'type' | 'sort', label: string, data: ReturnType<typeof optionsOf>) => (
    <NativeSelect
      aria-label={label}
      value={filterOf(name)}
      data={data}
      onChange={(event) => set(name, event.currentTarget.value)}
    />
  )
  return (
    <>
      <Group mb="sm" gap="sm">
        {text('search', texts.directories.searchLabel)}
        <SegmentedControl
          aria-label={texts.directories.state}
          value={filterOf('state')}
          onChange={(value) => set('state', value)}
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
            checked={filterOf(name) === 'true'}
            onChange={(event) => set(name, event.currentTarget.checked ? 'true' : '')}
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
