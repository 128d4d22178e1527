/** Runs the tasks of one key one after the other, and those of different keys concurrently. */
export interface KeyedQueue {
  /**
   * Queues a task, which must not reject. The first task of an idle key starts after the I/O of this event loop turn.
   */
  enqueue(key: string, task: () => Promise<void>): void
  /** Queues work; returns its result. */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Resolves when no task is queued or running. */
  idle(): Promise<void>
}

export function createKeyedQueue(): KeyedQueue {
  const queues = new Map<string, (() => Promise<void>)[]>()
  let waitingForIdle: (() => void)[] = []

  async function drain(key: string, queue: (() => Promise<void>)[]): Promise<void> {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) await task()
    queues.delete(key)
    if (queues.size > 0) return
    for (const resolve of waitingForIdle) resolve()
    waitingForIdle = []
  }

  function enqueue(key: string, task: () => Promise<void>): void {
    const queue = queues.get(key) ?? []
    queue.push(task)
    if (queues.has(key)) return
    queues.set(key, queue)
    setImmediate(drain, key, queue)
  }

  return {
    enqueue,
    inTurn: (key, work) => new Promise((resolve, reject) => enqueue(key, () => work().then(resolve, reject))),
    idle: () => (queues.size === 0 ? Promise.resolve() : new Promise((resolve) => waitingForIdle.push(resolve))),
  }
}
