import { onlineManager } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'

/** A request that takes longer than this is mentioned on the page, in milliseconds. */
const longMs = 4_000

/** How often the service is asked whether it is there, and how often while it is not, in milliseconds. */
const [askMs, askAgainMs] = [10_000, 2_000]

/** How many requests have been waiting for long. */
let long = 0
let isReachable = true
const listeners = new Set<() => void>()

function add(count: number): void {
  long += count
  for (const listener of listeners) listener()
}

/** Everything that is shown is read again once the service is reachable again. */
function setReachable(is: boolean): void {
  isReachable = is
  onlineManager.setOnline(is)
  for (const listener of listeners) listener()
}

/** Waits for a response, and counts the request while it takes long. */
export async function waitFor<T>(response: Promise<T>): Promise<T> {
  let isLong = false
  const timer = setTimeout(() => {
    isLong = true
    add(1)
  }, longMs)
  try {
    return await response
  } finally {
    clearTimeout(timer)
    if (isLong) add(-1)
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `slow`: requests have been waiting for long. */
export type ServiceState = 'reachable' | 'slow' | 'unreachable'

/** Whether the service answers, as far as the page knows. */
export function useServiceState(): ServiceState {
  return useSyncExternalStore(subscribe, () => (isReachable ? (long > 0 ? 'slow' : 'reachable') : 'unreachable'))
}

/** Returns whether the service at an address answers. */
async function answers(address: string): Promise<boolean> {
  const response = await waitFor(fetch(address, { cache: 'no-store' })).catch(() => undefined)
  return response?.ok === true
}

/** Asks the service again and again whether it is there: a page that only waits for events would not notice that it is not. */
export function useServiceWatch(healthAddress: string): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      const is = await answers(healthAddress)
      if (isOver) return
      if (is !== isReachable) setReachable(is)
      timer = setTimeout(ask, is ? askMs : askAgainMs)
    }
    timer = setTimeout(ask, askMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [healthAddress])
}

/** Waits until the service answers. */
export async function untilReachable(healthAddress: string): Promise<void> {
  while (!(await answers(healthAddress))) await new Promise((resolve) => setTimeout(resolve, askAgainMs))
}

function subscribeToNetwork(listener: () => void): () => void {
  const names = ['online', 'offline'] as const
  for (const name of names) window.addEventListener(name, listener)
  return () => {
    for (const name of names) window.removeEventListener(name, listener)
  }
}

/** Returns whether the browser says that it has no network. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => !navigator.onLine)
}
