import { Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link, useParams } from 'react-router'
import { dsync, send, useData } from '../../../api/queries.ts'
import type { DeliveryStatus, DirectoryEvent, Trace } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Json } from '../../../ui/json.tsx'
import { Section } from '../../../ui/page.tsx'
import { Failure, Loaded, LoadingRows } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { Timeline } from '../../../ui/timeline.tsx'
import { useMayWrite } from '../../session.tsx'
import { EventSubject, traceSteps } from '../../steps.tsx'
import { useDirectory, useDirectoryPath } from './directory.tsx'

/** One event: from the request that caused it to the attempts to deliver it. */
export function EventPage() {
  const texts = useTexts()
  const { sequence = '' } = useParams()
  const event = useData<DirectoryEvent>(`${useDirectoryPath()}/events/${sequence}`)
  return (
    <Stack gap="lg">
      <Link to=".." relative="path" className="back">
        {texts.events.back}
      </Link>
      {event.error === null ? (
        <Loaded query={event}>{(found) => <EventDetails event={found} />}</Loaded>
      ) : (
        <Failure error={event.error} retry={() => void event.refetch()} />
      )}
    </Stack>
  )
}

function EventDetails({ event }: { readonly event: DirectoryEvent }) {
  const texts = useTexts()
  const { sequence, request_id: requestId } = event
  return (
    <Section title={texts.events.detail(sequence)}>
      <Stack gap="md">
        <Group justify="space-between">
          <Text size="sm">
            <code>{event.event}</code> · <SubjectLink event={event} /> · <Time at={event.created_at} exact />
          </Text>
          <Group gap="xs">
            <ReplayButton sequence={sequence} />
            <SkipButton sequence={sequence} />
          </Group>
        </Group>
        {requestId === undefined ? null : <EventTrace event={event} requestId={requestId} />}
        <Json value={event} what={texts.events.payload} />
      </Stack>
    </Section>
  )
}

/** Whom or what an event is about, with a link to it. */
function SubjectLink({ event }: { readonly event: DirectoryEvent }) {
  const { id } = event.data
  const kind = event.event.startsWith('user.') ? 'users' : event.event.startsWith('group.user_') ? 'users' : 'groups'
  if (typeof id !== 'string' || event.event.startsWith('directory.')) return <EventSubject event={event} />
  return (
    <Link to={`../../${kind}/${id}`} relative="path">
      <EventSubject event={event} />
    </Link>
  )
}

function EventTrace({ event, requestId }: { readonly event: DirectoryEvent; readonly requestId: string }) {
  const texts = useTexts()
  const { log_webhook_events: isLogged } = useDirectory()
  const trace = useData<Trace>(`${dsync}/requests/${requestId}`, {}, { every: 5_000 })
  if (trace.data === undefined) return trace.error === null ? <LoadingRows rows={3} /> : null
  const ofEvent = trace.data.events.filter(({ sequence }) => sequence === event.sequence)
  return (
    <>
      <Timeline label={texts.requests.trace} steps={traceSteps({ ...trace.data, events: ofEvent }, texts)} />
      <Group gap="md">
        <Link to={`../../requests/${requestId}`} relative="path">
          {texts.requests.trace}
        </Link>
        {isLogged ? (
          <Link to="../../deliveries" relative="path">
            {texts.directory.tabs.deliveries}
          </Link>
        ) : null}
      </Group>
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

/** Sets an event aside, while it blocks delivery. */
function SkipButton({ sequence }: { readonly sequence: number }) {
  const texts = useTexts()
  const path = useDirectoryPath()
  const { webhook } = useDirectory()
  const delivery = useData<DeliveryStatus>(`${path}/delivery`, {}, { every: 5_000 })
  const { delivered_sequence: delivered, failures = 0, paused = null } = delivery.data ?? {}
  const isBlocking = delivered === sequence - 1 && (failures > 0 || paused !== null)
  if (!useMayWrite() || webhook.endpoint === '' || !isBlocking) return null
  return (
    <Confirm
      label={texts.events.skip}
      icon="cross"
      title={texts.events.skipTitle(sequence)}
      consequences={texts.events.skipText}
      reason={texts.events.skipReason}
      dangerous
      act={async (reason) => {
        await send('POST', `${path}/events/${sequence}/skip`, { reason })
        notifications.show({ message: texts.events.skipped(sequence), color: 'teal' })
        await delivery.refetch()
      }}
    />
  )
}
