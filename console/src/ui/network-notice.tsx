import { Text } from '@mantine/core'
import { onlineManager } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { healthAddress } from '../api/http.ts'
import type { ServiceState } from '../api/waiting.ts'
import { answers, askAgainMs, serviceState, setReachable, whenServiceChanges } from '../api/waiting.ts'
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

/** How often the service is asked whether it is there, in milliseconds. */
const askMs = 10_000

/** Returns whether the service answers, as far as the page knows. */
export function useServiceState(): ServiceState {
  return useSyncExternalStore(whenServiceChanges, serviceState)
}

/** Asks the service again and again whether it is there: a page that only waits for events would not notice that it is not. */
function useServiceWatch(healthAddress: string): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      const is = await answers(healthAddress)
      if (isOver) return
      setReachable(is)
      // Everything that is shown is read again once the service is reachable again.
      onlineManager.setOnline(is)
      timer = setTimeout(ask, is ? askMs : askAgainMs)
    }
    timer = setTimeout(ask, askMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [healthAddress])
}

function subscribeToNetwork(listener: () => void): () => void {
  const names = ['online', 'offline'] as const
  for (const name of names) window.addEventListener(name, listener)
  return () => {
    for (const name of names) window.removeEventListener(name, listener)
  }
}

/** Returns whether the browser says that it has no network. */
function useIsOffline(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => !navigator.onLine)
}
