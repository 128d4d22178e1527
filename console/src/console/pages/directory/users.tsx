import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link, useSearchParams } from 'react-router'
import { dsync, useRows } from '../../../api/queries.ts'
import type { User } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Icon } from '../../../ui/icons.tsx'
import { Name } from '../../../ui/name.tsx'
import { Empty } from '../../../ui/states.tsx'
import { ActiveStatus } from '../../../ui/status.tsx'
import { PagedTable } from '../../../ui/table.tsx'
import { useDirectory } from './directory.tsx'

/** The name of a user, for people. */
export function fullName({ first_name, last_name, email, raw }: User): string {
  const display = raw['displayName']
  return `${first_name} ${last_name}`.trim() || (typeof display === 'string' ? display : '') || email
}

/** A search that is kept in the address of the page. */
export function useSearch() {
  const [parameters, setParameters] = useSearchParams()
  const search = parameters.get('search') ?? ''
  const [settled] = useDebouncedValue(search.trim(), 250)
  const setSearch = (text: string) => setParameters(text === '' ? {} : { search: text }, { replace: true })
  return { search, settled, setSearch }
}

/** The users of the directory. */
export function UsersPage() {
  const texts = useTexts()
  const { id } = useDirectory()
  const { search, settled, setSearch } = useSearch()
  const users = useRows<User>(`${dsync}/users`, { directoryId: id, search: settled })
  return (
    <>
      <TextInput
        mb="md"
        maw={460}
        type="search"
        aria-label={texts.users.search}
        placeholder={texts.users.search}
        leftSection={<Icon name="search" />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
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
          settled === '' ? (
            <Empty icon="user" title={texts.users.empty} text={texts.users.emptyText} />
          ) : (
            <Empty
              icon="search"
              title={texts.users.noMatch}
              text={texts.users.noMatchText}
              action={
                <Link to={`/explain?${new URLSearchParams({ directoryId: id, subject: settled })}`}>
                  {texts.explain.ask}
                </Link>
              }
            />
          )
        }
      />
    </>
  )
}
