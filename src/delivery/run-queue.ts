import type { Schedule } from '../concurrency/schedule.ts'

/** What follows a turn: nothing until the id is added again, another turn at the end of the queue, or one after a delay. */
export type TurnResult = 'idle' | 'again' | Delay

export interface Delay {
  readonly delayMs: number
}

export interface RunQueueOptions {
  /** How many turns run concurrently. */
  readonly limit: number
  readonly schedule: Schedule
  /** Must not reject. */
  readonly runTurn: (id: string) => Promise<TurnResult>
  readonly onTurnEnd: () => void
}

/** Runs turns in the order in which ids were added: up to `limit` concurrently, never two of the same id. */
export interface RunQueue {
  /** Adds an id. No effect while it is queued or delayed; while its turn runs, another one follows. */
  add(id: string): void
  /** Adds an id and skips any delay: the present one and the one that its running turn may return. */
  addNow(id: string): void
  /** Ends the present delay of an id without adding it. */
  cancelDelay(id: string): void
  /** Adds an id and resolves with the result of its last turn: the first one that is not directly followed by another. */
  runToEnd(id: string): Promise<TurnResult>
  /** The number of queued ids. */
  countWaiting(): number
  /** Starts no more turns. Resolves when the running ones have ended. */
  close(): Promise<void>
}

export function createRunQueue({ limit, schedule, runTurn, onTurnEnd }: RunQueueOptions): RunQueue {
  const waiting = new Set<string>()
  const running = new Set<string>()
  const addedWhileRunning = new Set<string>()
  const addedNow = new Set<string>()
  const delays = createDelays(schedule, add)
  const completions = createCompletions()
  const allEnded = Promise.withResolvers<void>()
  let closed = false

  function add(id: string): void {
    if (closed || delays.has(id)) return
    if (running.has(id)) addedWhileRunning.add(id)
    else waiting.add(id)
    startTurns()
  }

  function addNow(id: string): void {
    if (running.has(id)) addedNow.add(id)
    delays.cancel(id)
    add(id)
  }

  function startTurns(): void {
    for (const id of waiting) {
      if (running.size >= limit) return
      waiting.delete(id)
      running.add(id)
      runTurn(id).then((result) => endTurn(id, result))
    }
  }

  function endTurn(id: string, result: TurnResult): void {
    running.delete(id)
    const wasAdded = addedWhileRunning.delete(id)
    const isRepeated = addedNow.delete(id) || (wasAdded && result === 'idle')
    const next = isRepeated ? 'again' : result
    if (closed || next !== 'again') completions.resolve(id, next)
    if (closed) {
      if (running.size === 0) allEnded.resolve()
    } else {
      if (typeof next === 'object') delays.start(id, next)
      else if (next === 'again') waiting.add(id)
      startTurns()
    }
    onTurnEnd()
  }

  return {
    add,
    addNow,
    cancelDelay: delays.cancel,
    runToEnd(id) {
      if (closed || delays.has(id)) return Promise.resolve('idle')
      const completion = completions.of(id)
      add(id)
      return completion
    },
    countWaiting: () => waiting.size,
    close() {
      closed = true
      for (const id of waiting) completions.resolve(id, 'idle')
      waiting.clear()
      delays.cancelAll()
      if (running.size === 0) allEnded.resolve()
      return allEnded.promise
    },
  }
}

function createDelays(schedule: Schedule, onEnd: (id: string) => void) {
  const cancels = new Map<string, () => void>()
  return {
    has: (id: string) => cancels.has(id),
    start(id: string, { delayMs }: Delay): void {
      const cancel = schedule(() => {
        cancels.delete(id)
        onEnd(id)
      }, delayMs)
      cancels.set(id, cancel)
    },
    cancel(id: string): void {
      cancels.get(id)?.()
      cancels.delete(id)
    },
    cancelAll(): void {
      for (const cancel of cancels.values()) cancel()
      cancels.clear()
    },
  }
}

function createCompletions() {
  const resolvers = new Map<string, ((result: TurnResult) => void)[]>()
  return {
    of(id: string): Promise<TurnResult> {
      const { promise, resolve } = Promise.withResolvers<TurnResult>()
      resolvers.set(id, [...(resolvers.get(id) ?? []), resolve])
      return promise
    },
    resolve(id: string, result: TurnResult): void {
      for (const resolve of resolvers.get(id) ?? []) resolve(result)
      resolvers.delete(id)
    },
  }
}
