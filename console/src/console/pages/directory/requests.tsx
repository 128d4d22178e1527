import { Group, SegmentedControl, TextInput } from '@mantine/core'
import { Link } from 'react-router'
import { useRows } from '../../../api/queries.ts'
import type { ScimRequest } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Icon } from '../../../ui/icons.tsx'
import { Name } from '../../../ui/name.tsx'
import { Empty } from '../../../ui/states.tsx'
import { ResponseStatus } from '../../../ui/status.tsx'
import { PagedTable } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { useAddressFilters } from '../../address-filters.ts'
import { readablePath } from '../../steps.tsx'
import { useDirectoryPath } from './directory.tsx'

/** Lists the requests of the identity provider, newest first. */
export function RequestsPage() {
  const texts = useTexts()
  const path = useDirectoryPath()
  const { filters, settled, set } = useAddressFilters(['status', 'subject'])
  const requests = useRows<ScimRequest>(`${path}/requests`, settled, { every: 10_000 })
  return (
    <>
      <Group mb="md" gap="sm">
        <TextInput
          type="search"
          aria-label={texts.requests.subject}
          placeholder={texts.requests.subject}
          leftSection={<Icon name="search" />}
          value={filters.subject}
          onChange={(event) => set({ subject: event.currentTarget.value })}
          className="grow"
        />
        <SegmentedControl
          aria-label={texts.requests.statusFilter}
          value={filters.status}
          onChange={(status) => set({ status })}
          data={[
            { value: '', label: texts.requests.statuses.all },
            { value: 'refused', label: texts.requests.statuses.refused },
            { value: '2xx', label: texts.requests.statuses.accepted },
          ]}
        />
      </Group>
      <PagedTable
        label={texts.directory.tabs.requests}
        query={requests}
        keyOf={({ id }) => id}
        columns={[
          {
            title: texts.requests.subject,
            cell: ({ id, subject: who }) => (
              <Link to={id}>
                <Name>{who ?? texts.requests.anonymous}</Name>
              </Link>
            ),
          },
          { title: texts.requests.request, cell: (request) => <RequestLine request={request} /> },
          { title: texts.requests.status, cell: (request) => <ResponseStatus status={request.status} /> },
          {
            title: texts.requests.events,
            isSecondary: true,
            cell: ({ event_sequences }) => event_sequences.length,
            align: 'right',
          },
          {
            title: texts.requests.duration,
            isSecondary: true,
            cell: ({ duration_ms }) => `${Math.round(duration_ms)} ms`,
            align: 'right',
          },
          { title: texts.requests.time, cell: ({ at }) => <Time at={at} /> },
        ]}
        empty={
          settled.subject === '' && settled.status === '' ? (
            <Empty icon="request" title={texts.requests.empty} text={texts.requests.emptyText} />
          ) : (
            <Empty icon="search" title={texts.requests.noMatch} />
          )
        }
      />
    </>
  )
}

/** The method and the path after the SCIM endpoint of the directory. */
export function RequestLine({
  request: { method, path, detail },
}: {
  readonly request: Pick<ScimRequest, 'method' | 'path' | 'detail'>
}) {
  return (
    <div className="request-line">
      <code>
        {method} {readablePath(path)}
      </code>
      {detail === null || detail === undefined ? null : <div className="line-detail">{detail}</div>}
    </div>
  )
}
