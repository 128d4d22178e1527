import { Group } from '@mantine/core'
import { Link } from 'react-router'
import { dsync, useRows } from '../../api/queries.ts'
import type { ListedDeadEvent } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Name } from '../../ui/name.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useAddressFilters } from '../address-filters.ts'
import { ScopeInputs } from '../scope-inputs.tsx'
import { useMayWrite } from '../session.tsx'
import { SeveralActions, useSelection, useSelectionColumn } from '../several.tsx'
import { TenantLink } from '../tenant-link.tsx'

/** The dead events of all directories, newest first; the address has the filters. */
export function DeadEventsOfAllPage() {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const { filters, settled, set } = useAddressFilters(['tenant', 'product'])
  const events = useRows<ListedDeadEvent>(`${dsync}/dead-events`, settled, { every: 10_000 })
  const selection = useSelection(settled)
  const select = useSelectionColumn<ListedDeadEvent>(selection, ({ directory_id: id, name }) => ({ id, name }))
  return (
    <>
      <PageHeader title={texts.dead.title} description={texts.dead.text} />
      <Group mb="md" gap="sm">
        <ScopeInputs filters={filters} set={set} />
      </Group>
      <SeveralActions selection={selection} />
      <PagedTable
        label={texts.dead.title}
        query={events}
        keyOf={({ event_id }) => event_id}
        columns={[
          ...(mayWrite ? [select] : []),
          {
            title: texts.dead.directory,
            cell: ({ directory_id, name, tenant: of, product: by }) => (
              <>
                <Link to={`/directories/${directory_id}`}>
                  <Name>{name}</Name>
                </Link>{' '}
                · <TenantLink tenant={of} /> · <Name>{by}</Name>
              </>
            ),
          },
          {
            title: texts.dead.event,
            cell: ({ directory_id, sequence, event }) => (
              <>
                <Link to={`/directories/${directory_id}/events/${sequence}`}>{sequence}</Link> · <code>{event}</code>
              </>
            ),
          },
          {
            title: texts.dead.cause,
            cell: ({ directory_id, request_id }) => (
              <Link to={`/directories/${directory_id}/requests/${request_id}`}>{texts.timeline.trace}</Link>
            ),
          },
          {
            title: texts.dead.reason,
            cell: ({ reason, skipped }) => (skipped ? texts.dead.skipped(reason) : reason),
          },
          { title: texts.dead.diedAt, cell: ({ died_at }) => <Time at={died_at} /> },
        ]}
        empty={<Empty icon="check" title={texts.dead.empty} text={texts.dead.emptyText} />}
      />
    </>
  )
}
