import { Stack } from '@mantine/core'
import { Link } from 'react-router'
import { dsync, useRows } from '../../../api/queries.ts'
import type { Delivery } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Bars } from '../../../ui/bars.tsx'
import { Section } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { ResponseStatus } from '../../../ui/status.tsx'
import { PagedTable } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { consoleTimeZone, localeFor } from '../../../ui/times.ts'
import { useDirectory } from './directory.tsx'

/** Every logged attempt to deliver an event, newest first. */
export function DeliveriesPage() {
  const texts = useTexts()
  const { id } = useDirectory()
  const deliveries = useRows<Delivery>(`${dsync}/events`, { directoryId: id }, { every: 10_000 })
  return (
    <Stack gap="lg">
      <Latencies deliveries={deliveries.data ?? []} />
      <PagedTable
        label={texts.directory.tabs.deliveries}
        query={deliveries}
        keyOf={(delivery) => delivery.id}
        columns={[
          {
            title: texts.delivery.event,
            cell: ({ event, sequence, event_count }) => (
              <>
                <code>{event_count > 1 ? texts.delivery.events(event_count) : event}</code>{' '}
                <Link to={`../events/${sequence}`} relative="path">
                  {sequence}
                </Link>
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
        empty={
          <Empty
            icon="delivery"
            title={texts.delivery.empty}
            text={texts.delivery.emptyText}
            action={
              <Link to="../settings#logs" relative="path">
                {texts.delivery.toSettings}
              </Link>
            }
          />
        }
      />
    </Stack>
  )
}

/** How many deliveries the chart shows. */
const maxBars = 60

/** How long the endpoint took for the last deliveries, oldest first. */
function Latencies({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const texts = useTexts()
  if (deliveries.length < 2) return null
  const form = { timeStyle: 'medium', timeZone: consoleTimeZone } as const
  const clock = new Intl.DateTimeFormat(localeFor(texts.language), form)
  const bars = deliveries
    .slice(0, maxBars)
    .map(({ created_at: at, latency_ms: value }) => ({ at: clock.format(new Date(at)), value }))
    .toReversed()
  const longest = Math.max(...bars.map(({ value }) => value))
  return (
    <Section title={texts.delivery.latencyChart}>
      <Bars bars={bars} label={texts.delivery.latencyLabel(bars.length, longest)} name="ms" />
    </Section>
  )
}
