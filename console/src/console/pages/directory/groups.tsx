import { TextInput } from '@mantine/core'
import { Link } from 'react-router'
import { dsync, useRows } from '../../../api/queries.ts'
import type { Group } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Icon } from '../../../ui/icons.tsx'
import { Name } from '../../../ui/name.tsx'
import { Empty } from '../../../ui/states.tsx'
import { PagedTable } from '../../../ui/table.tsx'
import { useAddressFilters } from '../../address-filters.ts'
import { useDirectory } from './directory.tsx'

/** The groups of the directory. */
export function GroupsPage() {
  const texts = useTexts()
  const { id } = useDirectory()
  const { filters, settled, set } = useAddressFilters(['search'])
  const groups = useRows<Group>(`${dsync}/groups`, { directoryId: id, search: settled.search })
  return (
    <>
      <TextInput
        mb="md"
        maw={460}
        type="search"
        aria-label={texts.groups.search}
        placeholder={texts.groups.search}
        leftSection={<Icon name="search" />}
        value={filters.search}
        onChange={(event) => set({ search: event.currentTarget.value })}
      />
      <PagedTable
        label={texts.directory.tabs.groups}
        query={groups}
        keyOf={(group) => group.id}
        columns={[
          {
            title: texts.groups.name,
            cell: (group) => (
              <Link to={group.id}>
                <Name>{group.name}</Name>
              </Link>
            ),
          },
          { title: 'id', isSecondary: true, cell: (group) => <code>{group.id}</code> },
        ]}
        empty={
          settled.search === '' ? (
            <Empty icon="group" title={texts.groups.empty} text={texts.groups.emptyText} />
          ) : (
            <Empty icon="search" title={texts.groups.noMatch} text={texts.groups.noMatchText} />
          )
        }
      />
    </>
  )
}
