import { Button, Group, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { Link, useSearchParams } from 'react-router'
import { dsync, useData, useRows } from '../../api/queries.ts'
import type { Directory, Health } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { HealthStatus, Status } from '../../ui/status.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useMayWrite } from '../session.tsx'
import { CreateDirectory } from './create-directory.tsx'

/** All directories that the session may see. */
export function DirectoriesPage() {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const [parameters, setParameters] = useSearchParams()
  const search = parameters.get('search') ?? ''
  const [settled] = useDebouncedValue(search.trim(), 250)
  const [opened, { open, close }] = useDisclosure(parameters.has('new'))
  const directories = useRows<Directory>(`${dsync}/directories`, { search: settled }, { every: 30_000 })
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
      <TextInput
        mb="md"
        maw={420}
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
      />
      <PagedTable
        label={texts.directories.title}
        query={directories}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.directories.name, cell: ({ id, name }) => <Link to={`/directories/${id}`}>{name}</Link> },
          { title: texts.directories.tenant, cell: ({ tenant }) => tenant },
          { title: texts.directories.product, cell: ({ product }) => product },
          { title: texts.directories.type, cell: ({ type }) => <ProviderName type={type} /> },
          { title: texts.directories.state, cell: (directory) => <DirectoryState directory={directory} /> },
          { title: texts.directories.lastRequest, cell: ({ id }) => <LastRequest id={id} /> },
        ]}
        empty={
          settled === '' ? (
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

/** Whether a directory works, for people. */
function DirectoryState({ directory: { id, deactivated } }: { readonly directory: Directory }) {
  const texts = useTexts()
  const health = useData<Health>(`${dsync}/${id}/health`, {}, { enabled: !deactivated })
  if (deactivated) return <Status tone="neutral" icon="pause" text={texts.directories.deactivated} />
  return (
    <Group gap={6} mih={20}>
      {health.data === undefined ? null : <HealthStatus state={health.data.state} />}
    </Group>
  )
}

function LastRequest({ id }: { readonly id: string }) {
  const health = useData<Health>(`${dsync}/${id}/health`)
  return health.data === undefined ? null : <Time at={health.data.last_request_at} />
}
