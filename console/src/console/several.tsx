import { Button, Checkbox, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { dsync, send, useAction } from '../api/queries.ts'
import type { OneOfSeveral } from '../api/types.ts'
import { useTexts } from '../texts/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { isolated } from '../ui/isolated.ts'
import type { Column } from '../ui/table.tsx'

/** The API changes so many directories in one call. */
const maxSelected = 100

/** Directories that are selected in a list. */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  return {
    ids: [...selected],
    has: (id: string) => selected.has(id),
    clear: () => setSelected(new Set()),
    set: (id: string, isSelected: boolean) =>
      setSelected((before) => new Set(isSelected ? [...before, id] : [...before].filter((other) => other !== id))),
  }
}

type Selection = ReturnType<typeof useSelection>

/** The column in which rows of directories are selected. */
export function useSelectionColumn<T>(
  selection: Selection,
  directoryOf: (row: T) => { readonly id: string; readonly name: string },
): Column<T> {
  const texts = useTexts()
  return {
    title: texts.several.select,
    cell: (row) => {
      const { id, name } = directoryOf(row)
      return (
        <Checkbox
          size="xs"
          aria-label={texts.several.selectOne(isolated(name))}
          checked={selection.has(id)}
          disabled={!selection.has(id) && selection.ids.length >= maxSelected}
          onChange={({ currentTarget }) => selection.set(id, currentTarget.checked)}
        />
      )
    },
  }
}

/** What can be done with the selected directories at once. */
export function SeveralActions({ selection }: { readonly selection: Selection }) {
  const texts = useTexts()
  const { ids } = selection
  const act = useAction(
    ({ verb, since }: { readonly verb: 'resume' | 'replay'; readonly since?: string }) =>
      send<readonly OneOfSeveral[]>('POST', `${dsync}/delivery/${verb}`, { directory_ids: ids, since }),
    [dsync],
  )
  if (ids.length === 0) return null
  const done = (answers: readonly OneOfSeveral[]) => {
    const refused = answers.filter(({ error }) => error !== null)
    notifications.show({ message: texts.several.done(answers.length - refused.length), color: 'teal' })
    for (const { error } of refused) notifications.show({ message: error?.message, color: 'red' })
    selection.clear()
  }
  return (
    <Group mb="md" gap="xs" role="group" aria-label={texts.several.selected(ids.length)}>
      <Text size="sm">{texts.several.selected(ids.length)}</Text>
      <Confirm
        label={texts.several.resume}
        icon="play"
        title={texts.several.resumeTitle(ids.length)}
        consequences={texts.several.resumeText}
        act={async () => done(await act.mutateAsync({ verb: 'resume' }))}
      />
      <Confirm
        label={texts.several.replay}
        icon="replay"
        title={texts.several.replayTitle(ids.length)}
        consequences={texts.several.replayText}
        reason={texts.several.since}
        inputType="datetime-local"
        act={async (since) =>
          done(await act.mutateAsync({ verb: 'replay', since: new Date(`${since}Z`).toISOString() }))
        }
      />
      <Button size="xs" variant="subtle" onClick={selection.clear}>
        {texts.several.clear}
      </Button>
    </Group>
  )
}
