import { Group, SegmentedControl } from '@mantine/core'
import { Link } from 'react-router'
import { dsync, useRows } from '../../api/queries.ts'
import type { RefusedRequest } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Name } from '../../ui/name.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { ResponseStatus } from '../../ui/status.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useAddressFilters } from '../address-filters.ts'
import { ScopeInputs } from '../scope-inputs.tsx'
import { TenantLink } from '../tenant-link.tsx'
import { RequestLine } from './directory/requests.tsx'

/** The refused requests of all directories, newest first; the address has the filters. */
export function RefusedRequestsPage() {
  const texts = useTexts()
  const { filters, settled, set } = useAddressFilters(['tenant', 'product', 'status'])
  const requests = useRows<RefusedRequest>(`${dsync}/refused-requests`, settled, { every: 10_000 })
  return (
    <>
      <PageHeader title={texts.refused.title} description={texts.refused.text} />
      <Group mb="md" gap="sm">
        <ScopeInputs filters={filters} set={set} />
        <SegmentedControl
          aria-label={texts.requests.statusFilter}
          value={filters.status}
          onChange={(status) => set({ status })}
          data={[
            { value: '', label: texts.requests.statuses.all },
            ...['4xx', '5xx'].map((status) => ({ value: status, label: status })),
          ]}
        />
      </Group>
      <PagedTable
        label={texts.refused.title}
        query={requests}
        keyOf={({ id }) => id}
        columns={[
          {
            title: texts.dead.directory,
            cell: ({ directory_id, name, tenant, product }) => (
              <>
                <Link to={`/directories/${directory_id}`}>
                  <Name>{name}</Name>
                </Link>{' '}
                · <TenantLink tenant={tenant} /> · <Name>{product}</Name>
              </>
            ),
          },
          {
            title: texts.requests.subject,
            cell: ({ directory_id, id, subject }) => (
              <Link to={`/directories/${directory_id}/requests/${id}`}>{subject ?? texts.requests.anonymous}</Link>
            ),
          },
          { title: texts.requests.request, cell: (request) => <RequestLine request={request} /> },
          { title: texts.requests.status, cell: ({ status }) => <ResponseStatus status={status} /> },
          { title: texts.requests.time, cell: ({ at }) => <Time at={at} /> },
        ]}
        empty={<Empty icon="check" title={texts.refused.empty} text={texts.refused.emptyText} />}
      />
    </>
  )
}
