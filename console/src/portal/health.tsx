import { Alert, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Icon } from '../ui/icons.tsx'
import { Status } from '../ui/status.tsx'
import { relativeTime } from '../ui/times.ts'
import type { PortalHealth } from './api.ts'
import { call } from './api.ts'
import type { Behavior, Guide } from './guide.ts'
import { behaviors, checklist } from './guide.ts'
import { Refused, withoutSettled } from './refused.tsx'
import { useTexts } from './texts/use-texts.tsx'

/** How often the page asks what has arrived, in milliseconds. */
const refreshMs = 3_000

/** What the service has observed, asked for again and again. */
export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    queryFn: async () => withoutSettled(await call<PortalHealth>('GET', '/health')),
    refetchInterval: refreshMs,
  })
}

const forms = {
  waiting: { tone: 'info', icon: 'clock' },
  healthy: { tone: 'good', icon: 'check' },
  attention: { tone: 'warn', icon: 'warning' },
  failing: { tone: 'bad', icon: 'cross' },
} as const

/** The state of the connection in a few words. */
export function HealthState({ guide }: { readonly guide: Guide }) {
  const { texts } = useTexts()
  const { data: health } = useHealth()
  if (health === undefined) return null
  const { states, waitingForSync } = texts.health
  // One refused request says little about a connection that works.
  const isMinor = health.state === 'attention' && health.last_refused !== null
  const { seen, all } = progressOf(guide, health)
  const state = isMinor && seen === all ? 'healthy' : health.state
  return <Status {...forms[state]} text={guide.isRead && state === 'waiting' ? waitingForSync : states[state]} />
}

/** The rows of the checklist, and how many of them were seen. */
function progressOf(guide: Guide, health: PortalHealth) {
  const wanted: readonly Behavior[] = checklist.filter((behavior) => !guide.never?.includes(behavior))
  const done = wanted.filter((behavior) => health.behaviors[behavior] !== null)
  const signedIn = guide.signIns === undefined ? [] : [health.signed_in_at]
  const seen = done.length + signedIn.filter((at) => at !== null).length
  return { wanted, signedIn, seen, all: wanted.length + signedIn.length }
}

/** The last sign of the identity provider: a request, or the end of a sync. */
function LastSeen({ guide, health }: { readonly guide: Guide; readonly health: PortalHealth }) {
  const { texts, language } = useTexts()
  const { never, lastRequest, waitingForSync, lastSync, syncFailed } = texts.health
  const { last_request_at: requestAt, last_sync: sync } = health
  if (guide.isRead) {
    if (sync === null) return `${waitingForSync}.`
    return (sync.has_failed ? syncFailed : lastSync)(relativeTime(sync.at, language))
  }
  return requestAt === null ? never : lastRequest(relativeTime(requestAt, language))
}

/** Shows live what the service has observed of the identity provider. */
export function Health({ guide }: { readonly guide: Guide }) {
  const { texts } = useTexts()
  const { data: health } = useHealth()
  if (health === undefined) return null
  const { wanted, signedIn, seen, all } = progressOf(guide, health)
  const further = behaviors.filter((behavior) => !wanted.includes(behavior) && health.behaviors[behavior] !== null)
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="health">
      <Title order={3} id="health" mb="xs">
        {texts.health.heading}
      </Title>
      <Text size="sm" mb="sm">
        <LastSeen guide={guide} health={health} />
      </Text>
      <Progress value={(100 * seen) / all} aria-label={texts.health.progress(seen, all)} />
      <Text size="sm" c="dimmed" mt={4} mb="sm" role="status">
        {texts.health.progress(seen, all)}
      </Text>
      <ul className="portal-checklist">
        {signedIn.map((at) => (
          <Item key="signed_in" id="signed_in" {...texts.health.signedIn} seenAt={at} />
        ))}
        {wanted.map((behavior) => (
          <BehaviorItem key={behavior} guide={guide} behavior={behavior} seen={health.behaviors[behavior]} />
        ))}
      </ul>
      {further.length === 0 ? null : (
        <Stack gap={4} mt="sm">
          <Text size="sm" fw={600}>
            {texts.health.alsoSeen}
          </Text>
          <Text size="sm">{further.map((behavior) => texts.health.behaviors[behavior].name).join(' · ')}</Text>
        </Stack>
      )}
      {seen === all ? <Complete health={health} /> : null}
      <Refused health={health} isMinor={seen === all} />
    </Paper>
  )
}

/** Says that everything works, unless something does not. */
function Complete({ health }: { readonly health: PortalHealth }) {
  const { texts } = useTexts()
  const isRefusal = health.state === 'attention' && health.last_refused !== null
  if (health.state !== 'healthy' && !isRefusal) return null
  return (
    <Alert color="teal" mt="md" icon={<Icon name="check" size={18} />}>
      {texts.health.complete}
    </Alert>
  )
}

interface BehaviorItemProps {
  readonly guide: Guide
  readonly behavior: Behavior
  readonly seen: PortalHealth['behaviors'][Behavior]
}

function BehaviorItem({ guide, behavior, seen }: BehaviorItemProps) {
  const { texts } = useTexts()
  const { name, hint } = texts.health.behaviors[behavior]
  const ownHint = guide.isRead ? texts.health.readHints[behavior] : undefined
  return <Item id={behavior} name={name} hint={ownHint ?? hint} seenAt={seen === null ? null : seen.last_at} />
}

interface ItemProps {
  readonly id: string
  readonly name: string
  readonly hint: string
  /** When it was observed last. */
  readonly seenAt: string | null
}

/** A row of the checklist. */
function Item({ id, name, hint, seenAt }: ItemProps) {
  const { texts, language } = useTexts()
  return (
    <li data-behavior={id} data-seen={seenAt !== null}>
      <span className={seenAt === null ? 'portal-missing' : 'portal-seen'}>
        <Icon name={seenAt === null ? 'clock' : 'check'} />
      </span>
      <div>
        <Text size="sm" fw={600} span>
          {name}
        </Text>{' '}
        <Text size="sm" c="dimmed" span>
          {seenAt === null ? texts.health.missing : texts.health.seen(relativeTime(seenAt, language))}
        </Text>
        {seenAt === null ? <Text size="sm">{hint}</Text> : null}
      </div>
    </li>
  )
}
