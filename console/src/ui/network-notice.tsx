import { Text } from '@mantine/core'
import { useIsOffline, useIsWaiting } from '../api/waiting.ts'
import { Icon } from './icons.tsx'

interface NetworkNoticeProps {
  /** Said while there is no network. */
  readonly offline: string
  /** Said while a request takes long. */
  readonly waiting: string
}

/** Says that there is no network, or that the service has not answered for a while. */
export function NetworkNotice({ offline, waiting }: NetworkNoticeProps) {
  const [isOffline, isWaiting] = [useIsOffline(), useIsWaiting()]
  const text = isOffline ? offline : isWaiting ? waiting : undefined
  return (
    <div role="status" className="network-notice" data-shown={text !== undefined}>
      {text === undefined ? null : (
        <Text size="sm" component="p" m={0}>
          <Icon name={isOffline ? 'warning' : 'clock'} /> {text}
        </Text>
      )}
    </div>
  )
}
