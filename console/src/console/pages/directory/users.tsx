import { Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { Link } from 'react-router'
import { dsync, useData, useRows } from '../../../api/queries.ts'
import type { User } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Icon } from '../../../ui/icons.tsx'
import { Name } from '../../../ui/name.tsx'
import { Empty } from '../../../ui/states.tsx'
import { ActiveStatus } from '../../../ui/status.tsx'
import { PagedTable } from '../../../ui/table.tsx'
import { useAddressFilters } from '../../address-filters.ts'
import { rolesIn } from '../../mapping/document.ts'
import type { MappingState } from '../../mapping/place.tsx'
import { placeOfProduct, useSeesProducts } from '../../mapping/place.tsx'
import { useDirectory } from './directory.tsx'

/** The name of a user, for people. */
export function fullName({ first_name, last_name, email, raw }: User): string {
  const display = raw['displayName']
  return `${first_name} ${last_name}`.trim() || (typeof display === 'string' ? display : '') || email
}

/** A choice of the roles that the mapping in effect can give; nothing without any. */
function RoleFilter({ role, setRole }: { readonly role: string; readonly setRole: (role: string) => void }) {
  const texts = useTexts()
  const { id, product } = useDirectory()
  const { data } = useData<MappingState>(`${dsync}/${id}/mapping`)
  const { path, query } = placeOfProduct(product)
  const isExtension = data?.mapping?.extends !== undefined
  const ofProduct = useData<MappingState>(path, query, { enabled: useSeesProducts() && isExtension })
  const mappings = [data?.mapping, isExtension ? ofProduct.data?.mapping : undefined]
  const roles = new Set(mappings.flatMap((mapping) => rolesIn(mapping ?? {})))
  if (role !== '') roles.add(role)
  if (roles.size === 0) return null
  return (
    <NativeSelect
      aria-label={texts.roles.filterUsers}
      value={role}
      data={[{ value: '', label: texts.roles.anyRole }, ...[...roles].sort()]}
      onChange={({ currentTarget }) => setRole(currentTarget.value)}
    />
  )
}

/** The users of the directory: all, those that a search finds or those with a role, as the API looks them up by one of the two. */
export function UsersPage() {
  const texts = useTexts()
  const { id } = useDirectory()
  const { filters, settled, set } = useAddressFilters(['search', 'role', 'active', 'sort'])
  const { search, role, active, sort } = settled
  const isSearch = search !== ''
  // The service finds users with a role by it alone, and sorts only those that no search finds.
  const filter = role === '' ? { search, active, sort: isSearch ? '' : sort, total: !isSearch } : { role, total: true }
  const users = useRows<User>(`${dsync}/users`, { directoryId: id, ...filter })
  return (
    <>
      <Group mb="md" gap="sm">
        <TextInput
          maw={460}
          className="grow"
          type="search"
          aria-label={texts.users.search}
          placeholder={texts.users.search}
          leftSection={<Icon name="search" />}
          value={filters.search}
          onChange={(event) => set({ search: event.currentTarget.value, role: '' })}
        />
        <RoleFilter role={filters.role} setRole={(chosen) => set({ role: chosen, search: '', active: '' })} />
        <SegmentedControl
          aria-label={texts.users.state}
          value={filters.active}
          onChange={(chosen) => set({ active: chosen, role: '' })}
          data={[
            { value: '', label: texts.lists.all },
            { value: 'true', label: texts.users.active },
            { value: 'false', label: texts.users.inactive },
          ]}
        />
        <NativeSelect
          aria-label={texts.directories.sort}
          value={filters.sort}
          disabled={filters.search !== '' || filters.role !== ''}
          data={Object.entries(texts.users.orders).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => set({ sort: currentTarget.value })}
        />
        <Link to="../adoption">{texts.users.toAdoption}</Link>
      </Group>
      <PagedTable
        label={texts.directory.tabs.users}
        query={users}
        keyOf={(user) => user.id}
        columns={[
          {
            title: texts.users.name,
            cell: (user) => (
              <Link to={user.id}>
                <Name>{fullName(user)}</Name>
              </Link>
            ),
          },
          { title: texts.users.email, cell: ({ email }) => <Name>{email}</Name> },
          { title: texts.users.userName, cell: ({ raw }) => <Name>{String(raw['userName'] ?? '')}</Name> },
          { title: texts.users.state, cell: ({ active }) => <ActiveStatus active={active} /> },
        ]}
        empty={
          role !== '' ? (
            <Empty icon="user" title={texts.roles.noUserHas} text={texts.roles.noUserHasText} />
          ) : !isSearch && active === '' ? (
            <Empty icon="user" title={texts.users.empty} text={texts.users.emptyText} />
          ) : (
            <Empty
              icon="search"
              title={texts.users.noMatch}
              text={texts.users.noMatchText}
              action={
                isSearch && (
                  <Link to={`/explain?${new URLSearchParams({ directoryId: id, subject: search })}`}>
                    {texts.explain.ask}
                  </Link>
                )
              }
            />
          )
        }
      />
    </>
  )
}
