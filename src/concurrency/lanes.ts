/** Runs tasks of one directory one after the other, and those of different directories side by side. */
export interface Lanes {
  /** Queues a task, which must not reject. The first of an idle directory starts once this turn's input is read. */
  enqueue(directoryId: string, task: () => Promise<void>): void
  /** Resolves when nothing is queued or running. */
  idle(): Promise<void>
}

export function createLanes(): Lanes {
  const lanes = new Map<string, (() => Promise<void>)[]>()
  let waiting: (() => void)[] = []

  async function drain(directoryId: string, lane: (() => Promise<void>)[]): Promise<void> {
    for (let task = lane.shift(); task !== undefined; task = lane.shift()) await task()
    lanes.delete(directoryId)
    if (lanes.size > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }

  return {
    enqueue(directoryId, task) {
      const lane = lanes.get(directoryId) ?? []
      lane.push(task)
      if (lanes.has(directoryId)) return
      lanes.set(directoryId, lane)
      setImmediate(drain, directoryId, lane)
    },
    idle: () => (lanes.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
