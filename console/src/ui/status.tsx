import { Badge } from '@mantine/core'
import type { HealthState, SetupLinkState, Verdict } from '../api/types.ts'
import type { Texts } from '../texts/en.ts'
import { useTexts } from '../texts/texts.ts'
import type { IconName } from './icons.tsx'
import { Icon } from './icons.tsx'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral'

const colours: Readonly<Record<Tone, string>> = {
  good: 'teal',
  warn: 'yellow',
  bad: 'red',
  info: 'indigo',
  neutral: 'gray',
}

/** A state in words, with an icon and a colour. */
export function Status({ tone, icon, text }: { readonly tone: Tone; readonly icon: IconName; readonly text: string }) {
  return (
    <Badge
      className={`status status-${tone}`}
      color={colours[tone]}
      variant="light"
      radius="sm"
      tt="none"
      fw={600}
      leftSection={<Icon name={icon} size={13} />}
    >
      {text}
    </Badge>
  )
}

const healthForms: Readonly<Record<HealthState, { readonly tone: Tone; readonly icon: IconName }>> = {
  healthy: { tone: 'good', icon: 'check' },
  attention: { tone: 'warn', icon: 'warning' },
  failing: { tone: 'bad', icon: 'cross' },
}

export function HealthStatus({ state }: { readonly state: HealthState }) {
  return <Status {...healthForms[state]} text={useTexts().health.states[state]} />
}

/** A reason why a directory is not healthy: delivery that somebody paused needs attention, one that the endpoint ended is failing. */
export function reasonLabel({ health }: Texts, code: keyof Texts['health']['reasons'], state: HealthState): string {
  if (code !== 'delivery-paused') return health.reasons[code]
  return state === 'failing' ? health.stopped : health.pausedReasons.operator
}

const deliveryForms: Readonly<Record<string, { readonly tone: Tone; readonly icon: IconName }>> = {
  off: { tone: 'neutral', icon: 'minus' },
  flowing: { tone: 'good', icon: 'check' },
  failing: { tone: 'bad', icon: 'cross' },
  paused: { tone: 'warn', icon: 'pause' },
  held: { tone: 'warn', icon: 'hold' },
}

export function DeliveryState({ state }: { readonly state: keyof ReturnType<typeof useTexts>['delivery']['states'] }) {
  const form = deliveryForms[state] ?? { tone: 'neutral', icon: 'minus' }
  return <Status {...form} text={useTexts().delivery.states[state] ?? state} />
}

/** The status code of a response; null when there was none. */
export function ResponseStatus({ status }: { readonly status: number | null }) {
  const texts = useTexts()
  if (status === null) return <Status tone="bad" icon="cross" text={texts.delivery.noResponse} />
  if (status < 300) return <Status tone="good" icon="check" text={String(status)} />
  return <Status tone={status < 500 ? 'warn' : 'bad'} icon="cross" text={String(status)} />
}

const verdictForms: Readonly<Record<Verdict, { readonly tone: Tone; readonly icon: IconName }>> = {
  'never-sent': { tone: 'neutral', icon: 'minus' },
  'looked-up-only': { tone: 'warn', icon: 'search' },
  refused: { tone: 'bad', icon: 'cross' },
  unauthorized: { tone: 'bad', icon: 'lock' },
  waiting: { tone: 'info', icon: 'clock' },
  failing: { tone: 'bad', icon: 'warning' },
  dead: { tone: 'bad', icon: 'cross' },
  held: { tone: 'warn', icon: 'hold' },
  delivered: { tone: 'good', icon: 'check' },
  deactivated: { tone: 'warn', icon: 'pause' },
  deleted: { tone: 'neutral', icon: 'trash' },
  unknown: { tone: 'neutral', icon: 'minus' },
}

export function VerdictStatus({ verdict }: { readonly verdict: Verdict }) {
  return <Status {...verdictForms[verdict]} text={useTexts().explain.verdicts[verdict]} />
}

const linkForms: Readonly<Record<SetupLinkState, { readonly tone: Tone; readonly icon: IconName }>> = {
  new: { tone: 'info', icon: 'link' },
  opened: { tone: 'info', icon: 'clock' },
  used: { tone: 'good', icon: 'check' },
  expired: { tone: 'neutral', icon: 'minus' },
  revoked: { tone: 'neutral', icon: 'cross' },
}

/** The state of a setup link. */
export function SetupLinkStatus({ state }: { readonly state: SetupLinkState }) {
  return <Status {...linkForms[state]} text={useTexts().setupLinks.states[state]} />
}

/** Shows whether a user is active. */
export function ActiveStatus({ active }: { readonly active: boolean }) {
  const texts = useTexts()
  return active ? (
    <Status tone="good" icon="check" text={texts.users.active} />
  ) : (
    <Status tone="neutral" icon="minus" text={texts.users.inactive} />
  )
}
