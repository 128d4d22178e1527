import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { Link } from 'react-router'
import type { LiveState } from '../../../api/live-events.ts'
import { eventTypes, useLiveEvents } from '../../../api/live-events.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Icon } from '../../../ui/icons.tsx'
import { useServiceState } from '../../../ui/network-notice.tsx'
import { Empty, Failure, LoadingRows } from '../../../ui/states.tsx'
import { Status } from '../../../ui/status.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { useAddressFilters } from '../../address-filters.ts'
import { EventSubject } from '../../steps.tsx'
import { useDirectory } from './directory.tsx'

/** The events of the directory, live; the address has the filters. */
export function EventsPage() {
  const texts = useTexts()
  const { id } = useDirectory()
  const { filters, settled, set } = useAddressFilters(['event', 'resource'])
  const live = useLiveEvents(id, settled.event, settled.resource)
  return (
    <>
      <Group justify="space-between" mb="sm">
        <LiveStatus state={live.state} />
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name={live.isFollowing ? 'pause' : 'play'} />}
          onClick={() => live.setFollowing(!live.isFollowing)}
        >
          {live.isFollowing ? texts.events.pause : texts.events.follow}
        </Button>
      </Group>
      <Group mb="md" gap="sm">
        <NativeSelect
          aria-label={texts.events.event}
          value={filters.event}
          onChange={({ currentTarget }) => set({ event: currentTarget.value })}
          data={[{ value: '', label: texts.events.allTypes }, ...eventTypes]}
        />
        <TextInput
          type="search"
          aria-label={texts.events.resource}
          placeholder={texts.events.resource}
          leftSection={<Icon name="search" />}
          value={filters.resource}
          onChange={({ currentTarget }) => set({ resource: currentTarget.value })}
          className="grow"
        />
      </Group>
      <EventList live={live} isFiltered={settled.event !== '' || settled.resource !== ''} />
    </>
  )
}

interface EventListProps {
  readonly live: ReturnType<typeof useLiveEvents>
  readonly isFiltered: boolean
}

function EventList({ live, isFiltered }: EventListProps) {
  const texts = useTexts()
  const { events, error, hasOlder, isReadingOlder, readOlder } = live
  if (error !== undefined) return <Failure error={error} retry={() => window.location.reload()} />
  if (events === undefined) return <LoadingRows />
  return (
    <>
      {events.length > 0 ? (
        <DataTable
          label={texts.directory.tabs.events}
          rows={events}
          keyOf={({ id }) => id}
          columns={[
            { title: texts.events.sequence, cell: ({ sequence }) => <Link to={String(sequence)}>{sequence}</Link> },
            { title: texts.events.event, cell: ({ event }) => <code>{event}</code> },
            { title: texts.events.about, cell: (event) => <EventSubject event={event} /> },
            { title: texts.events.time, cell: ({ created_at }) => <Time at={created_at} /> },
          ]}
        />
      ) : isFiltered ? (
        <Empty icon="search" title={texts.events.noMatch} />
      ) : (
        <Empty icon="event" title={texts.events.empty} text={texts.events.emptyText} />
      )}
      {hasOlder ? (
        <Group justify="flex-end" mt="sm">
          <Button size="xs" variant="default" loading={isReadingOlder} onClick={() => void readOlder()}>
            {texts.events.older}
          </Button>
        </Group>
      ) : null}
    </>
  )
}

function LiveStatus({ state }: { readonly state: LiveState }) {
  const texts = useTexts()
  // A service that hangs does not close the stream of events.
  const isReachable = useServiceState() === 'reachable'
  if (state === 'live' && isReachable) return <Status tone="good" icon="live" text={texts.events.live} />
  if (state === 'paused') return <Status tone="neutral" icon="pause" text={texts.events.paused} />
  return <Status tone="warn" icon="clock" text={texts.events.connecting} />
}
