import { Button, Group } from '@mantine/core'
import { Link } from 'react-router'
import type { LiveState } from '../../../api/live-events.ts'
import { useLiveEvents } from '../../../api/live-events.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Icon } from '../../../ui/icons.tsx'
import { Empty, Failure, LoadingRows } from '../../../ui/states.tsx'
import { Status } from '../../../ui/status.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { eventSubject } from '../../steps.tsx'
import { useDirectory } from './directory.tsx'

/** The events of the directory, live. */
export function EventsPage() {
  const texts = useTexts()
  const { id } = useDirectory()
  const { events, error, state, isFollowing, setFollowing, readOlder, isReadingOlder, hasOlder } = useLiveEvents(id)
  if (error !== undefined) return <Failure error={error} retry={() => window.location.reload()} />
  if (events === undefined) return <LoadingRows />
  return (
    <>
      <Group justify="space-between" mb="md">
        <LiveStatus state={state} />
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name={isFollowing ? 'pause' : 'play'} />}
          onClick={() => setFollowing(!isFollowing)}
        >
          {isFollowing ? texts.events.pause : texts.events.follow}
        </Button>
      </Group>
      {events.length === 0 ? (
        <Empty icon="event" title={texts.events.empty} text={texts.events.emptyText} />
      ) : (
        <DataTable
          label={texts.directory.tabs.events}
          rows={events}
          keyOf={({ sequence }) => String(sequence)}
          columns={[
            {
              title: texts.events.sequence,
              cell: ({ sequence }) => <Link to={String(sequence)}>{sequence}</Link>,
            },
            { title: texts.events.event, cell: ({ event }) => <code>{event}</code> },
            { title: texts.events.about, cell: (event) => eventSubject(event) },
            { title: texts.events.time, cell: ({ created_at }) => <Time at={created_at} /> },
          ]}
        />
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
  if (state === 'live') return <Status tone="good" icon="live" text={texts.events.live} />
  if (state === 'paused') return <Status tone="neutral" icon="pause" text={texts.events.paused} />
  return <Status tone="warn" icon="clock" text={texts.events.connecting} />
}
