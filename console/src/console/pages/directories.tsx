import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { Link, useSearchParams } from 'react-router'
import { dsync, useData, useRows } from '../../api/queries.ts'
import type { Directory, Health, HealthState, ListedHealth } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { HealthStatus, Status } from '../../ui/status.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useMayWrite } from '../session.tsx'
import { SeveralActions, useSelection, useSelectionColumn } from '../several.tsx'
import { CreateDirectory } from './create-directory.tsx'

const states: readonly HealthState[] = ['healthy', 'attention', 'failing']

/** All directories that the session may see. */
export function DirectoriesPage() {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const [parameters, setParameters] = useSearchParams()
  const search = parameters.get('search') ?? ''
  const [settled] = useDebouncedValue(search.trim(), 250)
  const [opened, { open, close }] = useDisclosure(parameters.has('new'))
  const state = parameters.get('state') ?? ''
  const found = useRows<Directory>(`${dsync}/directories`, { search: settled }, { enabled: settled !== '' })
  const listed = useRows<ListedHealth>(`${dsync}/health`, { state }, { every: 15_000, enabled: settled === '' })
  const rows = settled === '' ? listed.data?.map(listedRow) : found.data?.map(foundRow)
  const selection = useSelection()
  const select = useSelectionColumn<DirectoryRow>(selection, ({ id, name }) => ({ id, name }))
  const directories = { ...(settled === '' ? listed : found), data: rows }
  return (
    <>
      <PageHeader
        title={texts.directories.title}
        description={texts.directories.description}
        actions={
          mayWrite ? (
            <Button size="sm" leftSection={<Icon name="plus" />} onClick={open}>
              {texts.directories.create}
            </Button>
          ) : null
        }
      />
      <Group mb="md" gap="sm">
        <TextInput
          type="search"
          aria-label={texts.directories.searchLabel}
          placeholder={texts.directories.searchLabel}
          leftSection={<Icon name="search" />}
          value={search}
          onChange={(event) =>
            setParameters(event.currentTarget.value === '' ? {} : { search: event.currentTarget.value }, {
              replace: true,
            })
          }
          className="grow"
        />
        <SegmentedControl
          aria-label={texts.directories.state}
          value={state}
          disabled={settled !== ''}
          onChange={(value) => setParameters(value === '' ? {} : { state: value }, { replace: true })}
          data={[
            { value: '', label: texts.lists.all },
            ...states.map((value) => ({ value, label: texts.health.states[value] })),
          ]}
        />
      </Group>
      <SeveralActions selection={selection} />
      <PagedTable
        label={texts.directories.title}
        query={directories}
        keyOf={({ id }) => id}
        columns={[
          ...(mayWrite ? [select] : []),
          { title: texts.directories.name, cell: ({ id, name }) => <Link to={`/directories/${id}`}>{name}</Link> },
          { title: texts.directories.tenant, cell: ({ tenant }) => tenant },
          { title: texts.directories.product, cell: ({ product }) => product },
          { title: texts.directories.type, cell: ({ type }) => <ProviderName type={type} /> },
          { title: texts.directories.state, cell: (directory) => <DirectoryState directory={directory} /> },
          { title: texts.directories.lastRequest, cell: (directory) => <LastRequest directory={directory} /> },
        ]}
        empty={
          settled === '' && state === '' ? (
            <Empty
              icon="directory"
              title={texts.directories.empty}
              text={texts.directories.emptyText}
              action={
                mayWrite ? (
                  <Button mt="xs" leftSection={<Icon name="plus" />} onClick={open}>
                    {texts.directories.create}
                  </Button>
                ) : null
              }
            />
          ) : (
            <Empty icon="search" title={texts.directories.noMatch} text={texts.directories.noMatchText} />
          )
        }
      />
      <CreateDirectory opened={opened} close={close} />
    </>
  )
}

/** The name of an identity provider. */
export function ProviderName({ type }: { readonly type: string }) {
  const providers = useData<Readonly<Record<string, string>>>(`${dsync}/providers`)
  return <>{providers.data?.[type] ?? type}</>
}

/** A directory in the list; its health is read with the list, or by itself when it was found by a search. */
interface DirectoryRow {
  readonly id: string
  readonly name: string
  readonly tenant: string
  readonly product: string
  readonly type: string
  readonly health: ListedHealth | undefined
}

function listedRow(health: ListedHealth): DirectoryRow {
  const { directory_id: id, name, tenant, product, type } = health
  return { id, name, tenant, product, type, health }
}

function foundRow({ id, name, tenant, product, type }: Directory): DirectoryRow {
  return { id, name, tenant, product, type, health: undefined }
}

function useHealthOf({ id, health }: DirectoryRow): Health | undefined {
  const read = useData<Health>(`${dsync}/${id}/health`, {}, { enabled: health === undefined })
  return health ?? read.data
}

/** Whether a directory works, for people. */
function DirectoryState({ directory }: { readonly directory: DirectoryRow }) {
  const texts = useTexts()
  const health = useHealthOf(directory)
  if (health === undefined) return null
  const isDeactivated = health.reasons.some(({ code }) => code === 'deactivated')
  if (isDeactivated) return <Status tone="neutral" icon="pause" text={texts.directories.deactivated} />
  return <HealthStatus state={health.state} />
}

function LastRequest({ directory }: { readonly directory: DirectoryRow }) {
  const health = useHealthOf(directory)
  return health === undefined ? null : <Time at={health.last_request_at} />
}
