import { useSyncExternalStore } from 'react'

/** A request that takes longer than this is mentioned on the page, in milliseconds. */
const longMs = 4_000

/** How many requests have been waiting for long. */
let long = 0
const listeners = new Set<() => void>()

function add(count: number): void {
  long += count
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

/** Whether a request has been waiting for long. */
export function useIsWaiting(): boolean {
  return useSyncExternalStore(subscribe, () => long > 0)
}

function subscribeToNetwork(listener: () => void): () => void {
  const names = ['online', 'offline'] as const
  for (const name of names) window.addEventListener(name, listener)
  return () => {
    for (const name of names) window.removeEventListener(name, listener)
  }
}

/** Whether the browser says that it has no network. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => !navigator.onLine)
}
