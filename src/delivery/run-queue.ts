import type { Schedule } from '../concurrency/schedule.ts'

/** What comes after a turn: nothing until someone asks, another turn behind those who wait, or one after a pause. */
export type Next = 'idle' | 'again' | Pause

export interface Pause {
  readonly pauseMs: number
}

export interface RunQueueOptions {
  /** How many take their turn at once. */
  readonly limit: number
  readonly schedule: Schedule
  /** Never rejects. */
  readonly takeTurn: (id: string) => Promise<Next>
  /** A turn has ended. */
  readonly onTurnEnd: () => void
}

export interface RunQueue {
  /** Asks for a turn. Asking again before it has come changes nothing, and neither does asking during a pause. */
  ask(id: string): void
  /** Asks for a turn that waits for no pause, neither one that runs nor one that the running turn will ask for. */
  askNow(id: string): void
  /** Ends the pause that runs, and asks for nothing. */
  endPause(id: string): void
  /** Asks for a turn, as `ask` does, and resolves with what comes after it and those that follow at once. */
  run(id: string): Promise<Next>
  /** How many wait for a free place. */
  countWaiting(): number
  /** Begins no more turns; resolves when the running ones have ended. */
  close(): Promise<void>
}

/** Gives turns in the order in which they were asked for: many at once, of one id never two. */
export function createRunQueue({ limit, schedule, takeTurn, onTurnEnd }: RunQueueOptions): RunQueue {
  const waiting = new Set<string>()
  const running = new Set<string>()
  const askedWhileRunning = new Set<string>()
  const hurried = new Set<string>()
  const pauses = new Map<string, () => void>()
  const watchers = new Map<string, ((next: Next) => void)[]>()
  const allEnded = Promise.withResolvers<void>()
  let closed = false

  function ask(id: string): void {
    if (closed || pauses.has(id)) return
    if (running.has(id)) askedWhileRunning.add(id)
    else waiting.add(id)
    fillPlaces()
  }

  function askNow(id: string): void {
    if (running.has(id)) hurried.add(id)
    endPause(id)
    ask(id)
  }

  function endPause(id: string): void {
    pauses.get(id)?.()
    pauses.delete(id)
  }

  function run(id: string): Promise<Next> {
    if (closed || pauses.has(id)) return Promise.resolve('idle')
    const { promise, resolve } = Promise.withResolvers<Next>()
    watchers.set(id, [...(watchers.get(id) ?? []), resolve])
    ask(id)
    return promise
  }

  function fillPlaces(): void {
    for (const id of waiting) {
      if (running.size >= limit) return
      waiting.delete(id)
      running.add(id)
      takeTurn(id).then((next) => endTurn(id, next))
    }
  }

  function endTurn(id: string, next: Next): void {
    running.delete(id)
    const asked = askedWhileRunning.delete(id)
    const isAgain = hurried.delete(id) || (asked && next === 'idle')
    const following = isAgain ? 'again' : next
    if (closed || following !== 'again') tellWatchers(id, following)
    if (closed) resolveWhenEnded()
    else queueNext(id, following)
    onTurnEnd()
  }

  function tellWatchers(id: string, next: Next): void {
    for (const resolve of watchers.get(id) ?? []) resolve(next)
    watchers.delete(id)
  }

  function queueNext(id: string, next: Next): void {
    if (typeof next === 'object') pause(id, next)
    else if (next === 'again') waiting.add(id)
    fillPlaces()
  }

  function pause(id: string, { pauseMs }: Pause): void {
    const cancel = schedule(() => {
      pauses.delete(id)
      ask(id)
    }, pauseMs)
    pauses.set(id, cancel)
  }

  function resolveWhenEnded(): void {
    if (running.size === 0) allEnded.resolve()
  }

  function close(): Promise<void> {
    closed = true
    for (const id of waiting) tellWatchers(id, 'idle')
    waiting.clear()
    for (const cancel of pauses.values()) cancel()
    pauses.clear()
    resolveWhenEnded()
    return allEnded.promise
  }

  return { ask, askNow, endPause, run, countWaiting: () => waiting.size, close }
}
