import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.ts'
import type { IconName } from './icons.tsx'
import { Icon } from './icons.tsx'
import { Time } from './time.tsx'

export type TimelineKind = 'request' | 'change' | 'event' | 'delivery'

const icons: Readonly<Record<TimelineKind, IconName>> = {
  request: 'request',
  change: 'change',
  event: 'event',
  delivery: 'delivery',
}

export interface TimelineStep {
  readonly key: string
  readonly kind: TimelineKind
  readonly at: string | null
  readonly title: ReactNode
  /** A state, at the right of the title. */
  readonly state?: ReactNode
  readonly detail?: ReactNode
}

/** Lists events in their order: a request, its changes, their events, and the attempts to deliver them. */
export function Timeline({ steps, label }: { readonly steps: readonly TimelineStep[]; readonly label: string }) {
  const texts = useTexts()
  return (
    <ol className="timeline" aria-label={label}>
      {steps.map(({ key, kind, at, title, state, detail }) => (
        <li key={key} className={`step step-${kind}`}>
          <span className="step-icon">
            <Icon name={icons[kind]} size={15} />
          </span>
          <div className="step-body">
            <div className="step-head">
              <span className="step-kind">{texts.timeline.kinds[kind]}</span>
              <span className="step-title">{title}</span>
              {state}
              {at === null ? null : (
                <Text size="xs" c="dimmed" className="step-time" component="span">
                  <Time at={at} />
                </Text>
              )}
            </div>
            {detail === undefined || detail === null ? null : <div className="step-detail">{detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
