import { Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { Link } from 'react-router'
import { useLiveEvents } from '../../../api/live-events.ts'
import { dsync, send, useData } from '../../../api/queries.ts'
import type { DirectoryEvent, Trace } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Json } from '../../../ui/json.tsx'
import { Empty, Failure, LoadingRows } from '../../../ui/states.tsx'
import { Status } from '../../../ui/status.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { Timeline } from '../../../ui/timeline.tsx'
import { useMayWrite } from '../../session.tsx'
import { eventSubject, traceSteps } from '../../steps.tsx'
import { useDirectory, useDirectoryPath } from './directory.tsx'

/** The events of the directory, live. */
export function EventsPage() {
  const texts = useTexts()
  const { id } = useDirectory()
  const [shown, setShown] = useState<DirectoryEvent>()
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
              cell: (event) => (
                <button type="button" className="link-button" onClick={() => setShown(event)}>
                  {event.sequence}
                </button>
              ),
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
      <Drawer
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        position="right"
        size="lg"
        title={shown === undefined ? '' : texts.events.detail(shown.sequence)}
      >
        {shown === undefined ? null : <EventDetails event={shown} />}
      </Drawer>
    </>
  )
}

function LiveStatus({ state }: { readonly state: 'connecting' | 'live' | 'paused' }) {
  const texts = useTexts()
  if (state === 'live') return <Status tone="good" icon="live" text={texts.events.live} />
  if (state === 'paused') return <Status tone="neutral" icon="pause" text={texts.events.paused} />
  return <Status tone="warn" icon="clock" text={texts.events.connecting} />
}

/** One event: from the request that caused it to the attempts to deliver it. */
function EventDetails({ event }: { readonly event: DirectoryEvent }) {
  const texts = useTexts()
  const { request_id: requestId } = event
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text size="sm">
          <code>{event.event}</code> · <Time at={event.created_at} exact />
        </Text>
        <ReplayButton sequence={event.sequence} />
      </Group>
      {requestId === undefined ? null : <EventTrace event={event} requestId={requestId} />}
      <Json value={event} what={texts.events.payload} />
    </Stack>
  )
}

function EventTrace({ event, requestId }: { readonly event: DirectoryEvent; readonly requestId: string }) {
  const texts = useTexts()
  const trace = useData<Trace>(`${dsync}/requests/${requestId}`, {}, { every: 5_000 })
  if (trace.data === undefined) return trace.error === null ? <LoadingRows rows={3} /> : null
  const ofEvent = trace.data.events.filter(({ sequence }) => sequence === event.sequence)
  return (
    <>
      <Timeline label={texts.requests.trace} steps={traceSteps({ ...trace.data, events: ofEvent }, texts)} />
      <Link to={`../requests/${requestId}`} relative="path">
        {texts.requests.trace}
      </Link>
    </>
  )
}

/** Sends an event again. */
export function ReplayButton({ sequence }: { readonly sequence: number }) {
  const texts = useTexts()
  const path = useDirectoryPath()
  const { webhook } = useDirectory()
  if (!useMayWrite() || webhook.endpoint === '') return null
  return (
    <Confirm
      label={texts.events.replay}
      icon="replay"
      title={texts.events.replayTitle(sequence)}
      consequences={texts.events.replayText}
      act={async () => {
        await send('POST', `${path}/replay`, { sequence })
        notifications.show({ message: texts.events.replayed(sequence), color: 'teal' })
      }}
    />
  )
}
