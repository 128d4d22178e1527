/** A request that takes longer than this is mentioned on the page, in milliseconds. */
const longMs = 4_000

/** How often the service is asked whether it is there while it is not, in milliseconds. */
export const askAgainMs = 2_000

/** How many requests have been waiting for long. */
let long = 0
let isReachable = true
const listeners = new Set<() => void>()

function add(count: number): void {
  long += count
  for (const listener of listeners) listener()
}

/** Remembers whether the service answers. */
export function setReachable(is: boolean): void {
  if (is === isReachable) return
  isReachable = is
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

/** Calls a listener when the state of the service changes. Returns the function that ends it. */
export function whenServiceChanges(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `slow`: requests have been waiting for long. */
export type ServiceState = 'reachable' | 'slow' | 'unreachable'

/** Returns whether the service answers, as far as the page knows. */
export function serviceState(): ServiceState {
  return isReachable ? (long > 0 ? 'slow' : 'reachable') : 'unreachable'
}

/** Returns whether the service at an address answers. */
export async function answers(address: string): Promise<boolean> {
  const response = await waitFor(fetch(address, { cache: 'no-store' })).catch(() => undefined)
  return response?.ok === true
}

/** Waits until the service answers. */
export async function untilReachable(healthAddress: string): Promise<void> {
  while (!(await answers(healthAddress))) await new Promise((resolve) => setTimeout(resolve, askAgainMs))
}
