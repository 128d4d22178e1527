/** Items that wait in one queue per key. Keys take turns. */
export interface RoundRobin<T> {
  /** Adds an item to the end of the queue of its key. */
  add(key: string, item: T): void
  /** Removes an item, if it is there. */
  remove(key: string, item: T): void
  /** Removes and returns the first item of the next key for which `passes` returns true. */
  take(passes: (key: string, first: T) => boolean): T | undefined
  /** The number of items, of one key or of all. */
  count(key?: string): number
  /** Returns whether there are items of other keys. */
  hasOthers(key: string): boolean
  clear(): void
}

export function createRoundRobin<T>(): RoundRobin<T> {
  /** The queues in the order of their turns; none is empty. */
  const queues = new Map<string, Set<T>>()
  let size = 0

  function remove(key: string, queue: Set<T>, item: T): void {
    queues.delete(key)
    size -= 1
    queue.delete(item)
    if (queue.size > 0) queues.set(key, queue)
  }

  return {
    add(key, item) {
      size += 1
      const queue = queues.get(key) ?? new Set()
      queues.set(key, queue.add(item))
    },
    remove(key, item) {
      const queue = queues.get(key)
      if (queue?.delete(item) !== true) return
      size -= 1
      if (queue.size === 0) queues.delete(key)
    },
    take(passes) {
      for (const [key, queue] of queues) {
        const [first] = queue
        if (first === undefined || !passes(key, first)) continue
        remove(key, queue, first)
        return first
      }
      return undefined
    },
    count: (key) => (key === undefined ? size : (queues.get(key)?.size ?? 0)),
    hasOthers: (key) => queues.size > (queues.has(key) ? 1 : 0),
    clear() {
      queues.clear()
      size = 0
    },
  }
}
