import { Alert, Button, Checkbox, Group, Progress, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Query } from '../api/http.ts'
import { request, withQuery } from '../api/http.ts'
import { dsync, send, useAction } from '../api/queries.ts'
import type { ListedHealth, OneOfSeveral } from '../api/types.ts'
import { useTexts } from '../texts/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { isolated } from '../ui/isolated.ts'
import { Name } from '../ui/name.tsx'
import { Failure } from '../ui/states.tsx'
import type { Column } from '../ui/table.tsx'
import { useMayWrite } from './session.tsx'

/** The number of directories that are changed in one call: progress shows after each. */
const perCall = 25

interface Selected {
  /** Whether all directories of the list are selected, except those that are named; else those that are named. */
  readonly isAll: boolean
  /** The names of directories by their ids. */
  readonly named: ReadonlyMap<string, string>
}

const none: Selected = { isAll: false, named: new Map() }
const all: Selected = { isAll: true, named: new Map() }

/** The directories that are selected in a list. With another filter, nothing is selected. @param total the length of the list */
export function useSelection(filter: Query, total = 0, isFiltered = false) {
  const key = JSON.stringify(filter)
  const [state, setState] = useState({ key, selected: none })
  const selected = state.key === key ? state.selected : none
  const { isAll, named } = selected
  const select = (chosen: Selected) => setState({ key, selected: chosen })
  return {
    ...{ filter, total, isFiltered, selected, select },
    count: isAll ? total - named.size : named.size,
    has: (id: string) => isAll !== named.has(id),
    toggle(id: string, name: string) {
      const others = [...named].filter(([other]) => other !== id)
      select({ isAll, named: new Map(named.has(id) ? others : [...named, [id, name]]) })
    },
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
          onChange={() => selection.toggle(id, name)}
        />
      )
    },
  }
}

/** The names of selected directories, a few at a time. A list is read in an order that does not depend on what is changed. */
async function* partsOf(filter: Query, { isAll, named }: Selected): AsyncGenerator<ReadonlyMap<string, string>> {
  const rest = [...named]
  while (!isAll && rest.length > 0) yield new Map(rest.splice(0, perCall))
  for (let pageToken: string | undefined = ''; isAll && pageToken !== undefined; ) {
    const path = withQuery(`${dsync}/health`, { ...filter, sort: 'created', pageLimit: perCall, pageToken })
    const page: { data: ListedHealth[]; pageToken?: string } = await request('GET', path)
    const directories = page.data.filter(({ directory_id: id }) => !named.has(id))
    if (directories.length > 0) yield new Map(directories.map(({ directory_id: id, name }) => [id, name]))
    pageToken = page.pageToken
  }
}

/** The button that had the focus is gone while the directories are changed, and so is their progress afterwards. */
const takeFocus = (element: HTMLElement | null) => element?.focus()

interface Run {
  readonly of: number
  readonly outcomes: readonly (OneOfSeveral & { readonly name: string | undefined })[]
}

/** What can be done with the selected directories at once, or with all; how far it is, and what has failed. */
export function SeveralActions({ selection }: { readonly selection: Selection }) {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const { filter, count, select, total, isFiltered } = selection
  const [run, setRun] = useState<Run>()
  const [selected, n] = count > 0 ? [selection.selected, count] : [all, total]
  const act = useAction(
    async ({ verb, since }: { readonly verb: 'resume' | 'replay'; readonly since?: string }) => {
      let outcomes: Run['outcomes'] = []
      for await (const names of partsOf(filter, selected)) {
        const body = { directory_ids: [...names.keys()], since }
        const answers = await send<OneOfSeveral[]>('POST', `${dsync}/delivery/${verb}`, body)
        outcomes = [...outcomes, ...answers.map((one) => ({ ...one, name: names.get(one.directory_id) }))]
        setRun({ of: n, outcomes })
      }
      select(none)
    },
    [dsync],
  )
  if (!mayWrite) return null
  if (act.isPending && run !== undefined) {
    const done = run.outcomes.length
    return (
      <Group mb="md" gap="sm" ref={takeFocus} tabIndex={-1}>
        <Progress className="grow" value={(100 * done) / run.of} aria-label={texts.several.running} />
        <Text size="sm" role="status">
          {texts.several.progress(done, run.of)}
        </Text>
      </Group>
    )
  }
  const begin = (change: Parameters<typeof act.mutate>[0]) => {
    setRun({ of: n, outcomes: [] })
    act.mutate(change)
  }
  return (
    <>
      {act.error === null ? null : <Failure error={act.error} />}
      {run === undefined ? null : <Outcomes {...run} close={() => setRun(undefined)} />}
      {n === 0 ? null : (
        <Group mb="md" gap="xs" role="group" aria-label={texts.several.selected(count)}>
          {count === 0 ? null : <Text size="sm">{texts.several.selected(count)}</Text>}
          {count === 0 && !isFiltered ? null : (
            <Confirm
              label={count > 0 ? texts.several.resume : texts.several.resumeAll(n)}
              icon="play"
              title={texts.several.resumeTitle(n)}
              consequences={texts.several.resumeText}
              act={async () => begin({ verb: 'resume' })}
            />
          )}
          {count === 0 ? null : (
            <Confirm
              label={texts.several.replay}
              icon="replay"
              title={texts.several.replayTitle(n)}
              consequences={texts.several.replayText}
              reason={texts.several.since}
              inputType="datetime-local"
              act={async (since) => begin({ verb: 'replay', since: new Date(`${since}Z`).toISOString() })}
            />
          )}
          {total > count ? (
            <Button size="xs" variant="subtle" onClick={() => select(all)}>
              {texts.several.selectAll(total)}
            </Button>
          ) : null}
          {count === 0 ? null : (
            <Button size="xs" variant="subtle" onClick={() => select(none)}>
              {texts.several.clear}
            </Button>
          )}
        </Group>
      )}
    </>
  )
}

/** The number of directories that were changed, and those that were not, with the reason. */
function Outcomes({ outcomes, of, close }: Run & { readonly close: () => void }) {
  const texts = useTexts()
  const failed = outcomes.filter(({ error }) => error !== null)
  return (
    <Alert
      ref={takeFocus}
      tabIndex={-1}
      color={failed.length === 0 ? 'teal' : 'red'}
      title={texts.several.done(outcomes.length - failed.length, of)}
      {...{ mb: 'md', role: 'status', withCloseButton: true, onClose: close, closeButtonLabel: texts.forms.close }}
    >
      {failed.map(({ directory_id: id, name = id, error }) => (
        <div key={id}>
          <Link to={`/directories/${id}`}>
            <Name>{name}</Name>
          </Link>
          {error === null ? null : `: ${texts.errors[error.reason]}`}
        </div>
      ))}
    </Alert>
  )
}
