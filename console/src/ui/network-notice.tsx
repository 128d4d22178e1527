import { Text } from '@mantine/core'
import { healthAddress } from '../api/http.ts'
import { useIsOffline, useServiceState, useServiceWatch } from '../api/waiting.ts'
import { Icon } from './icons.tsx'

interface NetworkNoticeProps {
  /** Said while there is no network. */
  readonly offline: string
  /** Said while a request takes long. */
  readonly waiting: string
  /** Said while the service cannot be reached. */
  readonly unreachable: string
}

/** Says that there is no network, or that the service does not answer, or not for a while. */
export function NetworkNotice({ offline, waiting, unreachable }: NetworkNoticeProps) {
  useServiceWatch(healthAddress())
  const [isOffline, state] = [useIsOffline(), useServiceState()]
  const text = isOffline ? offline : { reachable: undefined, slow: waiting, unreachable }[state]
  return (
    <div role="status" className="network-notice" data-shown={text !== undefined}>
      {text === undefined ? null : (
        <Text size="sm" component="p" m={0}>
          <Icon name={isOffline || state === 'unreachable' ? 'warning' : 'clock'} /> {text}
        </Text>
      )}
    </div>
  )
}
