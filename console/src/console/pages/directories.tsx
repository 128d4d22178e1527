import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useSearchParams } from 'react-router'
import { dsync, useRows } from '../../api/queries.ts'
import type { ListedHealth } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { Name } from '../../ui/name.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { HealthStatus, reasonLabel, Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { ProductMappingLink } from '../product-mapping-link.tsx'
import { ProviderName } from '../provider-name.tsx'
import { useMayWrite } from '../session.tsx'
import { SeveralActions, useSelection, useSelectionColumn } from '../several.tsx'
import { TenantLink } from '../tenant-link.tsx'
import { CreateDirectory } from './create-directory.tsx'
import { DirectoryFilters, useDirectoryFilters } from './directory-filters.tsx'

/** All directories that the session may see. The filters and the order are in the address. */
export function DirectoriesPage() {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const [parameters] = useSearchParams()
  const { filters, settled, set, clear } = useDirectoryFilters()
  const [opened, { open, close }] = useDisclosure(parameters.has('new'))
  const directories = useRows<ListedHealth>(`${dsync}/health`, { ...settled, total: true }, { every: 15_000 })
  const isFiltered = Object.entries(settled).some(([name, value]) => name !== 'sort' && value !== '')
  const selection = useSelection(settled, directories.data?.total, isFiltered)
  const select = useSelectionColumn<ListedHealth>(selection, ({ directory_id: id, name }) => ({ id, name }))
  return (
    <>
      <PageHeader
        title={texts.directories.title}
        description={texts.directories.description}
        actions={
          <>
            <ProductMappingLink product={settled.product} />
            {mayWrite ? (
              <Button size="sm" leftSection={<Icon name="plus" />} onClick={open}>
                {texts.directories.create}
              </Button>
            ) : null}
          </>
        }
      />
      <DirectoryFilters filters={filters} set={set} clear={clear} />
      <SeveralActions selection={selection} />
      <PagedTable
        label={texts.directories.title}
        query={directories}
        keyOf={({ directory_id: id }) => id}
        columns={[...(mayWrite ? [select] : []), ...columnsIn(texts.directories)]}
        empty={
          isFiltered ? (
            <Empty icon="search" title={texts.directories.noMatch} text={texts.directories.noMatchText} />
          ) : (
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
          )
        }
      />
      <CreateDirectory opened={opened} close={close} />
    </>
  )
}

/** The columns of a list of directories. */
export function columnsIn(texts: ReturnType<typeof useTexts>['directories']): readonly Column<ListedHealth>[] {
  return [
    {
      title: texts.name,
      cell: ({ directory_id: id, name }) => (
        <Link to={`/directories/${id}`}>
          <Name>{name}</Name>
        </Link>
      ),
    },
    { title: texts.tenant, cell: ({ tenant }) => <TenantLink tenant={tenant} /> },
    { title: texts.product, cell: ({ product }) => <Name>{product}</Name> },
    { title: texts.type, cell: ({ type }) => <ProviderName type={type} /> },
    { title: texts.state, cell: (directory) => <DirectoryState directory={directory} /> },
    { title: texts.lastRequest, cell: ({ last_request_at: at }) => <Time at={at} /> },
    { title: texts.lastChange, cell: ({ last_change_at: at }) => <Time at={at} /> },
  ]
}

/** Shows whether a directory works, and the worst reason why it does not. */
function DirectoryState({ directory: { state, reasons } }: { readonly directory: ListedHealth }) {
  const texts = useTexts()
  const [worst] = reasons
  if (reasons.some(({ code }) => code === 'deactivated')) {
    return <Status tone="neutral" icon="pause" text={texts.directories.deactivated} />
  }
  return (
    <>
      <HealthStatus state={state} />
      {worst === undefined ? null : <div className="muted">{reasonLabel(texts, worst.code, state)}</div>}
    </>
  )
}
