import { dsync, useRows } from '../../../api/queries.ts'
import type { Delivery } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Empty } from '../../../ui/states.tsx'
import { ResponseStatus } from '../../../ui/status.tsx'
import { PagedTable } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { useDirectory } from './directory.tsx'

/** Every logged attempt to deliver an event, newest first. */
export function DeliveriesPage() {
  const texts = useTexts()
  const { id } = useDirectory()
  const deliveries = useRows<Delivery>(`${dsync}/events`, { directoryId: id }, { every: 10_000 })
  return (
    <PagedTable
      label={texts.directory.tabs.deliveries}
      query={deliveries}
      keyOf={(delivery) => delivery.id}
      columns={[
        {
          title: texts.delivery.event,
          cell: ({ event, sequence, event_count }) => (
            <>
              <code>{event_count > 1 ? texts.delivery.events(event_count) : event}</code> {sequence}
            </>
          ),
        },
        { title: texts.delivery.attempt, cell: ({ attempt }) => attempt, align: 'right' },
        { title: texts.delivery.response, cell: ({ status_code }) => <ResponseStatus status={status_code} /> },
        {
          title: texts.delivery.latency,
          isSecondary: true,
          cell: ({ latency_ms }) => `${latency_ms} ms`,
          align: 'right',
        },
        { title: texts.delivery.error, cell: ({ error }) => error ?? '–' },
        { title: texts.delivery.time, cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
      empty={<Empty icon="delivery" title={texts.delivery.empty} text={texts.delivery.emptyText} />}
    />
  )
}
