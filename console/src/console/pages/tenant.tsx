import { Stack, TextInput } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { withQuery } from '../../api/http.ts'
import { dsync, useData, useRows } from '../../api/queries.ts'
import type { ListedHealth, Overview, SearchHit, Tenant } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { Name } from '../../ui/name.tsx'
import { PageHeader, Section } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { ActiveStatus } from '../../ui/status.tsx'
import { DataTable, PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useAddressFilters } from '../address-filters.ts'
import { EventSubject } from '../steps.tsx'
import { columnsIn } from './directories.tsx'
import { HealthCards } from './overview.tsx'
import { PageNotFound } from './problems.tsx'
import { SetupLinkTable } from './setup-links.tsx'

/** The number of rows of each list that are shown at first. */
const pageLimit = 10
/** How often the page is read again, in milliseconds. */
const every = 15_000

/** One customer: its directories, people, setup links, holds and last changes. The address names the tenant. */
export function TenantPage() {
  const texts = useTexts()
  const [parameters] = useSearchParams()
  const tenant = parameters.get('name') ?? ''
  const overview = useData<Overview>(`${dsync}/overview`, { tenant }, { every })
  const found = useData<Tenant>(`${dsync}/tenant`, { tenant }, { every })
  if (tenant === '') return <PageNotFound />
  const all = (path: string, filter = {}) => (
    <Link to={withQuery(path, { tenant, ...filter })}>{texts.setupLinks.showAll}</Link>
  )
  return (
    <Stack gap="lg" key={tenant}>
      <PageHeader title={tenant} description={texts.tenant.description} />
      <Loaded query={overview}>{(one) => <HealthCards overview={one} scope={{ tenant }} />}</Loaded>
      <Section title={texts.directories.title} actions={all('/directories')}>
        <Directories filter={{ tenant, sort: 'worst' }} empty={texts.directories.empty} />
      </Section>
      <Section title={texts.tenant.holds} actions={all('/directories', { held: 'true' })}>
        <Directories filter={{ tenant, held: 'true' }} empty={texts.hold.none} />
      </Section>
      <Section title={texts.tenant.people} description={texts.tenant.counts(found.data)}>
        <People tenant={tenant} />
      </Section>
      <Section title={texts.setupLinks.title} actions={all('/setup-links')}>
        <SetupLinkTable filter={{ tenant, pageLimit }} />
      </Section>
      <Section title={texts.tenant.changes}>
        <Loaded query={found}>{({ changes }) => <Changes changes={changes} />}</Loaded>
      </Section>
    </Stack>
  )
}

function Directories({ filter, empty }: { readonly filter: object; readonly empty: string }) {
  const texts = useTexts()
  const directories = useRows<ListedHealth>(`${dsync}/health`, { ...filter, pageLimit, total: true }, { every })
  return (
    <PagedTable
      label={texts.directories.title}
      query={directories}
      keyOf={({ directory_id: id }) => id}
      columns={columnsIn(texts.directories).filter(({ title }) => title !== texts.directories.tenant)}
      empty={<Empty icon="check" title={empty} />}
    />
  )
}

/** The users that a search in all directories of the tenant finds. */
function People({ tenant }: { readonly tenant: string }) {
  const texts = useTexts()
  const { filters, settled, set } = useAddressFilters(['search'])
  const query = { tenant, type: 'user', q: settled.search, pageLimit }
  const hits = useRows<SearchHit>(`${dsync}/search`, query, { enabled: settled.search !== '' })
  return (
    <Stack>
      <TextInput
        type="search"
        maw={460}
        aria-label={texts.users.search}
        placeholder={texts.users.search}
        leftSection={<Icon name="search" />}
        value={filters.search}
        onChange={(event) => set({ search: event.currentTarget.value })}
      />
      {settled.search === '' ? null : (
        <PagedTable
          label={texts.tenant.people}
          query={hits}
          keyOf={({ id }) => id}
          columns={[
            {
              title: texts.users.name,
              cell: ({ name, id, directory_id: directory }) => (
                <Link to={`/directories/${directory}/users/${id}`}>
                  <Name>{name}</Name>
                </Link>
              ),
            },
            { title: texts.users.email, cell: ({ email }) => <Name>{email ?? '–'}</Name> },
            { title: texts.users.state, cell: ({ active }) => <ActiveStatus active={active === true} /> },
            { title: texts.explain.directory, cell: ({ directory_name: name }) => <Name>{name}</Name> },
            { title: texts.directories.product, cell: ({ product }) => <Name>{product}</Name> },
          ]}
          empty={<Empty icon="search" title={texts.users.noMatch} text={texts.users.noMatchText} />}
        />
      )}
    </Stack>
  )
}

function Changes({ changes }: Pick<Tenant, 'changes'>) {
  const texts = useTexts()
  if (changes.length === 0) return <Empty icon="event" title={texts.events.empty} text={texts.events.emptyText} />
  return (
    <DataTable
      label={texts.tenant.changes}
      rows={changes}
      keyOf={({ id }) => id}
      columns={[
        {
          title: texts.events.event,
          cell: ({ directory_id: id, sequence, event }) => (
            <Link to={`/directories/${id}/events/${sequence}`}>
              <code>{event}</code>
            </Link>
          ),
        },
        { title: texts.events.about, cell: (event) => <EventSubject event={event} /> },
        { title: texts.directories.product, cell: ({ product }) => <Name>{product}</Name> },
        { title: texts.events.time, cell: ({ created_at: at }) => <Time at={at} /> },
      ]}
    />
  )
}
