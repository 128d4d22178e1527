import { createCatchUp } from './catch-up.ts'
import type { DeliveryLog, DeliveryObserver } from './observer.ts'
import { silentLog, silentObserver } from './observer.ts'
import type { Schedule } from './schedule.ts'
import { schedule as nodeSchedule } from './schedule.ts'
import type { Send } from './send.ts'
import type { DeliveryTarget } from './store.ts'
import type { Stream, StreamStore } from './stream.ts'
import { createStream } from './stream.ts'
import type { Next } from './turns.ts'
import { createTurns } from './turns.ts'

const pollMs = 5_000
const storeRetryMs = 1_000
const maxQueued = 1_000

/** While other directories wait, a turn ends after so many events or after that time. */
const maxEventsPerTurn = 200
const maxTurnMs = 2_000

export interface DispatcherOptions {
  readonly store: StreamStore
  readonly target: DeliveryTarget
  readonly send: Send
  /** Unix milliseconds. */
  readonly clock?: () => number
  /** From 0 to 1. */
  readonly random?: () => number
  readonly schedule?: Schedule
  readonly log?: DeliveryLog
  readonly observer?: DeliveryObserver
  /** How many directories are sent to at once. */
  readonly maxConcurrentDirectories?: number
  /** How long `close` waits for deliveries in flight before it gives them up; longer than the timeout of one. */
  readonly closeGraceMs?: number
}

/** Sends the committed events of every directory to one target (design §7.2). */
export interface Dispatcher {
  /** Finds what is undelivered, now and every 5 s. */
  start(): void
  /** Says that a directory has new events, or takes events again. A back-off that runs stands. */
  wake(directoryId: string): void
  /** The same for a directory that was changed: its next attempt is made at once, without the rest of a back-off. */
  retry(directoryId: string): void
  /** Takes no more events; resolves when the deliveries in flight have ended and are recorded. Safe to repeat. */
  close(): Promise<void>
}

/** A dispatcher; until `start` it sends only for the directories it is woken for. */
export function createDispatcher({
  store,
  target,
  send,
  clock = Date.now,
  random = Math.random,
  schedule = nodeSchedule,
  log = silentLog,
  observer = silentObserver,
  maxConcurrentDirectories = 64,
  closeGraceMs = 20_000,
}: DispatcherOptions): Dispatcher {
  const streams = new Map<string, Stream>()
  const givingUp = new AbortController()
  let closing = false
  let closed: Promise<void> | undefined
  let cancelPoll: (() => void) | undefined

  const isClosing = () => closing
  const isTurnOver = (sent: number, startedAt: number) =>
    turns.countWaiting() > 0 && (sent >= maxEventsPerTurn || clock() - startedAt >= maxTurnMs)
  const context = {
    ...{ store, target, send, clock, random, schedule, log, observer },
    ...{ signal: givingUp.signal, isClosing, isTurnOver },
  }

  const turns = createTurns({ limit: maxConcurrentDirectories, schedule, takeTurn, onTurnEnd: () => catchUp.goOn() })
  const catchUp = createCatchUp({
    read: (after, limit) => store.directoriesBehind(target, after, limit),
    ask: turns.ask,
    hasRoom: () => !closing && turns.countWaiting() < maxQueued,
    onError: (error) => log.error({ target, err: error }, 'cannot find undelivered events; it tries again in a second'),
  })

  async function takeTurn(directoryId: string): Promise<Next> {
    const stream = streams.get(directoryId) ?? createStream(context, directoryId)
    streams.set(directoryId, stream)
    const next = await stream.takeTurn()
    if (next === 'idle') streams.delete(directoryId)
    return next
  }

  async function poll(): Promise<void> {
    const found = await catchUp.begin()
    if (!closing) cancelPoll = schedule(poll, found ? pollMs : storeRetryMs)
  }

  async function finish(): Promise<void> {
    closing = true
    cancelPoll?.()
    const cancelGrace = schedule(() => givingUp.abort(), closeGraceMs)
    await Promise.all([turns.close(), catchUp.goOn()])
    cancelGrace()
  }

  function close(): Promise<void> {
    closed ??= finish()
    return closed
  }

  return { start: poll, wake: turns.ask, retry: turns.askNow, close }
}
