import { RollcallError } from '../client/error.ts'
import { DivergedError, SequenceGapError } from './consumer-errors.ts'
import type { ConsumerStore, Position, ResourceKey } from './consumer-store.ts'
import type { EventOf, RollcallEvent } from './event.ts'
import { mentionOf } from './mentions.ts'
import type { AnySecret } from './secret.ts'
import type { VerifyOptions, WebhookHeaders } from './signature.ts'
import type { WebhookBody } from './verify.ts'
import { isEvent, verifyWebhookBatch } from './verify.ts'

/** The context of a handler's event. */
export interface HandlerContext<Transaction> {
  /** The transaction of the store. Changes that you make in it are committed together with the position. */
  readonly transaction: Transaction
  /** The resync that is in progress. */
  readonly syncId: string | undefined
}

/** The handlers by event type; events of other types are ignored. */
export type EventHandlers<Transaction> = {
  readonly [Type in RollcallEvent['event']]?: (
    event: EventOf<Type>,
    context: HandlerContext<Transaction>,
  ) => Promise<void> | void
}

/** The event after which a resource no longer exists. */
export type DropReason = 'sync.completed' | 'directory.deleted'

export interface ConsumerOptions<Transaction> {
  readonly store: ConsumerStore<Transaction>
  readonly handlers: EventHandlers<Transaction>
  /** Verifies the requests that `handle` gets: a secret, or a function that finds that of a directory. */
  readonly secret?: AnySecret | undefined
  readonly verification?: VerifyOptions | undefined
  /**
   * Called for every resource that no longer exists without an event of its own, if the store has `marks`: at the end of a
   * resync for those that it has not reported, and after the handler of `directory.deleted` for all of the directory.
   */
  readonly onDrop?: (
    resource: ResourceKey,
    context: HandlerContext<Transaction> & { readonly directoryId: string; readonly reason: DropReason },
  ) => Promise<void> | void
  /**
   * Reads the events after a sequence, or after `sequence:id`, to fill a gap, and to check an event with an earlier
   * sequence than the last one: `(directoryId, after) => client.events({ directoryId, after, follow: false })`.
   */
  readonly catchUp?: ((directoryId: string, after: number | string) => AsyncIterable<RollcallEvent>) | undefined
  /**
   * Requests a resync, because the service has lost events that were processed: `(directoryId) =>
   * client.POST('/{id}/resync', { params: { path: { id: directoryId } } })`.
   */
  readonly resync?: ((directoryId: string) => unknown) | undefined
}

/** The result for an event. */
export type Outcome = 'processed' | 'duplicate'

/** Processes each event once and in order, whether it comes from an endpoint, the feed, or both. */
export interface Consumer {
  /**
   * Processes an event, or several in their order.
   *
   * @throws SequenceGapError when events are missing and cannot be read; DivergedError when the service has lost
   * processed events and there is no `resync`; and the errors of handlers and of `resync`, after which the event can be
   * sent again
   */
  receive(events: RollcallEvent | readonly RollcallEvent[]): Promise<Outcome[]>
  /**
   * Verifies a request, which has one event or several, and processes them. Respond with 2xx when it resolves; a
   * `RollcallError` has the status of the response otherwise.
   *
   * @throws WebhookVerificationError, and the errors of `receive`; TypeError without a `secret`
   */
  handle(body: WebhookBody, headers: WebhookHeaders): Promise<Outcome[]>
  /** The sequence of the last processed event of a directory; undefined before the first. */
  position(directoryId: string): Promise<number | undefined>
  /** The last processed event of a directory, to be passed as `after` to the feed; undefined before the first. */
  after(directoryId: string): Promise<number | string | undefined>
}

export function createConsumer<Transaction = void>(options: ConsumerOptions<Transaction>): Consumer {
  const { store } = options
  const inOrder = oneAtATime()
  const stored = (directoryId: string) =>
    store.transaction((transaction) => store.readPosition(directoryId, transaction))
  const receive: Consumer['receive'] = async (events) => {
    const outcomes: Outcome[] = []
    for (const event of [events].flat()) {
      if (!isEvent(event)) throw new TypeError('Pass events to receive, as verifyWebhook or the feed returns them.')
      outcomes.push(await inOrder(event.directory_id, () => receiveOne(options, event)).catch(withFailingStatus))
    }
    return outcomes
  }
  return {
    receive,
    async handle(body, headers) {
      const { secret, verification } = options
      if (secret === undefined) throw new TypeError('handle needs the secret, which createConsumer takes.')
      return receive(await verifyWebhookBatch(body, headers, secret, verification))
    },
    async position(directoryId) {
      return (await stored(directoryId))?.sequence
    },
    async after(directoryId) {
      const position = await stored(directoryId)
      return position && afterOf(position)
    },
  }
}

/**
 * Gives the error of a call that something else than the service has answered with 200 a status that does not acknowledge the
 * event.
 *
 * @throws the error, or one with its cause
 */
function withFailingStatus(cause: unknown): never {
  if (!(cause instanceof RollcallError) || cause.status >= 400) throw cause
  throw new RollcallError(cause.message, { code: cause.code, status: 502 }, { cause })
}

async function receiveOne<T>(options: ConsumerOptions<T>, event: RollcallEvent): Promise<Outcome> {
  const found = await processNext(options, event)
  if (typeof found === 'string') return found
  if (await isDiverged(options, event, found)) return processDiverged(options, event, found.position)
  const result = await processNext(options, event)
  if (typeof result === 'string') return result
  if (result.relation === 'earlier') return 'duplicate'
  throw gapBefore(event, result.position)
}

/** An event that was not processed, because it does not follow the last processed one. */
interface Unprocessed {
  readonly relation: Exclude<Relation, 'next' | 'same'>
  readonly position: Position
}

/**
 * Processes an event if it is the next one.
 *
 * @param lost a position whose event the service has lost: any event may follow it
 */
function processNext<T>(
  options: ConsumerOptions<T>,
  event: RollcallEvent,
  lost?: Position,
): Promise<Outcome | Unprocessed> {
  const { store } = options
  return store.transaction(async (transaction) => {
    if (event.event === 'endpoint.test') {
      await callHandler(options, event, { transaction, syncId: undefined })
      return 'processed'
    }
    const stored = await store.readPosition(event.directory_id, transaction)
    const isLost = stored?.sequence === lost?.sequence && stored?.eventId === lost?.eventId
    const position = isLost ? undefined : stored
    const relation = position === undefined ? 'next' : relationOf(event, position)
    if (relation === 'same') return 'duplicate'
    if (position !== undefined && relation !== 'next') return { relation, position }
    await processEvent(options, event, position, transaction)
    return 'processed'
  })
}

/**
 * How an event relates to the last processed one: `other` has its sequence, but is another event; before a `gap`,
 * events are missing.
 */
type Relation = 'next' | 'same' | 'other' | 'earlier' | 'gap'

/** A resync replaces everything before it, so that its first event never follows a gap. */
function relationOf({ id, event, sequence }: RollcallEvent, position: Position): Relation {
  if (sequence < position.sequence) return 'earlier'
  if (sequence === position.sequence) return id === (position.eventId ?? id) ? 'same' : 'other'
  return sequence === position.sequence + 1 || event === 'sync.started' ? 'next' : 'gap'
}

/**
 * Returns whether the service has lost the last processed event. If not, the events up to a gap are processed.
 *
 * @throws SequenceGapError when the missing events cannot be read
 */
async function isDiverged<T>(
  options: ConsumerOptions<T>,
  event: RollcallEvent,
  { relation, position }: Unprocessed,
): Promise<boolean> {
  const { catchUp, resync } = options
  if (relation === 'other') return true
  if (catchUp !== undefined) return isLostInFeed(options, catchUp(event.directory_id, afterOf(position)), event)
  if (relation === 'gap') throw gapBefore(event, position)
  // Ids begin with their time. The order may be wrong by the difference of two clocks: then a resync too many is made.
  return resync !== undefined && position.eventId !== undefined && event.id > position.eventId
}

/** Processes the missed events up to `event`; true if the feed says that the last processed event was lost. */
async function isLostInFeed<T>(
  options: ConsumerOptions<T>,
  missedEvents: AsyncIterable<RollcallEvent>,
  event: RollcallEvent,
): Promise<boolean> {
  try {
    for await (const missed of missedEvents) {
      const result = await processNext(options, missed)
      if (typeof result !== 'string' && result.relation !== 'earlier') throw gapBefore(missed, result.position)
      if (missed.sequence >= event.sequence) break
    }
    return false
  } catch (error) {
    if (error instanceof RollcallError && error.code === 'cursor-diverged') return true
    throw error
  }
}

/** Processes an event after a position that the service has lost. A resync that begins with it needs no request. */
async function processDiverged<T>(options: ConsumerOptions<T>, event: RollcallEvent, lost: Position): Promise<Outcome> {
  if (event.event !== 'sync.started') {
    if (options.resync === undefined) throw new DivergedError(event)
    await options.resync(event.directory_id)
  }
  const result = await processNext(options, event, lost)
  if (typeof result === 'string') return result
  throw gapBefore(event, result.position)
}

function gapBefore(event: RollcallEvent, { sequence }: Position): SequenceGapError {
  return new SequenceGapError(event, sequence + 1)
}

/** The position as the feed takes it. */
function afterOf({ sequence, eventId }: Position): number | string {
  return eventId === undefined ? sequence : `${sequence}:${eventId}`
}

async function processEvent<T>(
  options: ConsumerOptions<T>,
  event: RollcallEvent,
  position: Position | undefined,
  transaction: T,
): Promise<void> {
  const { store, onDrop } = options
  const { directory_id: directoryId, sequence, id: eventId } = event
  const syncId = event.event === 'sync.started' ? event.data.sync_id : position?.syncId
  const context = { transaction, syncId }
  const mention = mentionOf(event)
  if (mention !== undefined && store.marks !== undefined) {
    if (mention.isRemoved) await store.marks.remove(directoryId, mention.resource, transaction)
    else await store.marks.set(directoryId, mention.resource, syncId, transaction)
  }
  await callHandler(options, event, context)
  const isEnd = event.event === 'sync.completed' && event.data.sync_id === syncId
  // No resync has the id of an event: all resources of a deleted directory are dropped.
  const [reported, reason] =
    event.event === 'directory.deleted'
      ? ([eventId, event.event] as const)
      : ([isEnd ? syncId : undefined, 'sync.completed'] as const)
  if (reported !== undefined && store.marks !== undefined) {
    for (const resource of await store.marks.unmarked(directoryId, reported, transaction)) {
      await onDrop?.(resource, { ...context, directoryId, reason })
      await store.marks.remove(directoryId, resource, transaction)
    }
  }
  const isOpen = syncId !== undefined && !isEnd && event.event !== 'directory.deleted'
  await store.writePosition(directoryId, { sequence, eventId, ...(isOpen ? { syncId } : {}) }, transaction)
}

async function callHandler<T>(
  { handlers }: ConsumerOptions<T>,
  event: RollcallEvent,
  context: HandlerContext<T>,
): Promise<void> {
  // The types of an event and its handler belong together, which TypeScript cannot infer from a lookup by name.
  const handler = handlers[event.event] as
    | ((event: RollcallEvent, context: HandlerContext<T>) => Promise<void> | void)
    | undefined
  await handler?.(event, context)
}

/** Runs the work of each key in the order of the calls. */
function oneAtATime() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const current = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, current)
    try {
      return await current
    } finally {
      if (last.get(key) === current) last.delete(key)
    }
  }
}
