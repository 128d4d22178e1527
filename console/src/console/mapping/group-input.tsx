import type { TextInputProps } from '@mantine/core'
import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { dsync, useData } from '../../api/queries.ts'
import type { Group } from '../../api/types.ts'
import { Icon } from '../../ui/icons.tsx'
import { SuggestingInput } from '../../ui/suggesting-input.tsx'
import { usePlace } from './place.tsx'

interface GroupInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'children'> {
  readonly value: string
  readonly onValue: (value: string) => void
}

/** The first groups whose names begin with a text. */
function useGroups(text: string): readonly Group[] {
  const { groups } = usePlace()
  const [search] = useDebouncedValue(text.trim(), 200)
  const found = useData<readonly Group[]>(`${dsync}/groups`, { ...groups, search, pageLimit: 8 })
  // Until the answer to this text is there, that to an earlier one is shown as far as it matches.
  const wanted = text.trim().toLowerCase()
  return (found.data ?? []).filter(({ name }) => name.toLowerCase().includes(wanted))
}

/** A field for the name of a group, which is searched for while it is typed. */
export function GroupNameInput({ value, onValue, ...field }: GroupInputProps) {
  const found = useGroups(value)
  // Groups of several directories may have the same name.
  const names = [...new Set(found.map(({ name }) => name))].filter((name) => name !== value)
  return (
    <SuggestingInput
      {...field}
      value={value}
      onText={onValue}
      suggestions={names}
      keyOf={(name) => name}
      onChoose={onValue}
      opensOnFocus
    >
      {(name) => <GroupSuggestion name={name} />}
    </SuggestingInput>
  )
}

/** The name of the group with an id; undefined while it is read, and when there is none. */
export function useGroupName(id: string): string | undefined {
  const { groups } = usePlace()
  const group = useData<Group>(`${dsync}/groups/${id}`, { ...groups, members: 'false' }, { enabled: id !== '' })
  return group.isPlaceholderData ? undefined : group.data?.name
}

/** A field for the id of a group, which shows its name: the name is typed and the group chosen, or the id is entered. */
export function GroupIdInput({ value, onValue, ...field }: GroupInputProps) {
  const [typed, setTyped] = useState<string>()
  const name = useGroupName(value)
  const found = useGroups(typed ?? '')
  return (
    <SuggestingInput
      {...field}
      description={value === '' || name === undefined ? field.description : <code>{value}</code>}
      value={typed ?? name ?? value}
      onText={setTyped}
      suggestions={found}
      keyOf={({ id }) => id}
      onChoose={({ id }) => {
        setTyped(undefined)
        onValue(id)
      }}
      onBlurCapture={() => {
        if (typed !== undefined) onValue(typed.trim())
        setTyped(undefined)
      }}
      opensOnFocus
    >
      {(group) => <GroupSuggestion name={group.name} id={group.id} />}
    </SuggestingInput>
  )
}

function GroupSuggestion({ name, id }: { readonly name: string; readonly id?: string }) {
  return (
    <>
      <Icon name="group" />
      <div>
        <Text size="sm" fw={550} truncate title={name}>
          <bdi>{name}</bdi>
        </Text>
        {id === undefined ? null : (
          <Text size="xs" c="dimmed" truncate>
            {id}
          </Text>
        )}
      </div>
    </>
  )
}
