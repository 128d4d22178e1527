import type { Connection } from './calls.ts'
import type { Divergence } from './error.ts'
import { bodyIn, errorOf, isObject, RollcallError, unexpectedResponse } from './error.ts'
import { readMessages } from './event-stream.ts'
import type { EventSelection, RollcallEvent } from './types.ts'
import { apiPath } from './types.ts'
import { limitWaits, wait } from './waiting.ts'

/** The options for reading events. */
export interface EventOptions {
  /**
   * The `cursor` of an earlier reader or, with `directoryId`, the last event that you have, as `sequence:id`; the
   * sequence alone is not compared with the stored events. Default: the first stored event.
   */
  readonly after?: string | number | undefined
  /** Whether to continue with new events after the last one. Default: true. */
  readonly follow?: boolean | undefined
  /**
   * Reads pages, and waits this long when there are no new events, in milliseconds. Default: one stream of server-sent
   * events.
   */
  readonly pollIntervalMs?: number | undefined
  /** Ends the iteration once it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** Called when the connection was lost or the service is not available, before the next attempt. */
  readonly onRetry?: ((error: unknown, delayMs: number) => void) | undefined
  /**
   * Called when the stored events of directories are not those that this reader has passed, because the service has
   * lost its last changes: request a resync of each. The reader then continues with these resyncs. Without it, the
   * error `cursor-diverged` is thrown.
   */
  readonly onDiverged?: ((diverged: Divergence) => unknown) | undefined
}

/** The events of a feed, in the order of each directory. Those of one directory end with `directory.deleted`. */
export interface EventReader extends AsyncIterable<RollcallEvent> {
  /**
   * The position after the current event: store it together with the changes of the event, and pass it as `after`. A
   * reader of pages for several directories may repeat up to a page of events after it; none is ever skipped.
   */
  readonly cursor: string | undefined
}

interface Reading {
  readonly connection: Connection
  readonly selection: EventSelection
  readonly options: EventOptions
  readonly position: { cursor: string | undefined }
}

/** Reads events. It reconnects after the last event whenever the connection is lost. */
export function readEvents(connection: Connection, selection: EventSelection, options: EventOptions): EventReader {
  const { after, follow = true, pollIntervalMs } = options
  const position = { cursor: after === undefined ? undefined : String(after) }
  const reading = { connection, selection, options, position }
  const isStream = follow && pollIntervalMs === undefined
  return {
    get cursor() {
      return position.cursor
    },
    [Symbol.asyncIterator]: () => untilDeleted(selection, isStream ? streamedEvents(reading) : polledEvents(reading)),
  }
}

/** The events of one directory end with its deletion. */
async function* untilDeleted({ directoryId }: EventSelection, events: AsyncIterable<RollcallEvent>) {
  for await (const event of events) {
    yield event
    if (directoryId !== undefined && event.event === 'directory.deleted') return
  }
}

const firstDelayMs = 1000
const maxDelayMs = 30_000
/** Time after which a connection counts as lost; the service sends something at least every 15 seconds. */
const stalledAfterMs = 60_000
/** The number of consecutive responses that are not of the service, such as those of a proxy, before reading ends. */
const maxUnexpected = 5

async function* streamedEvents(reading: Reading): AsyncGenerator<RollcallEvent, void, undefined> {
  const { options, position } = reading
  const retry = retries(options)
  while (options.signal?.aborted !== true) {
    const patience = limitWaits(stalledAfterMs, options.signal)
    try {
      const body = await retry.attempt(() => patience.during(openStream(reading, patience.signal)))
      if (body === undefined) continue
      const { during } = patience
      for await (const { id, data } of readMessages(body, { onRetry: retry.setDelay, during })) {
        position.cursor = id
        yield JSON.parse(data)
      }
      await retry.afterEnd()
    } finally {
      patience.stop()
    }
  }
}

/** @throws RollcallError when the response is not a stream of events */
async function openStream(reading: Reading, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await readOn(reading, { accept: 'text/event-stream' }, signal)
  const { headers, status, body } = response
  if (/^text\/event-stream\b/i.test(headers.get('content-type') ?? '') && body !== null) return body
  throw new RollcallError(unexpectedResponse(response, await response.text()), { code: 'unexpected-response', status })
}

interface FeedPage {
  readonly data: readonly RollcallEvent[]
  readonly next: string
}

function isFeedPage({ data, next }: Readonly<Record<string, unknown>>): boolean {
  return typeof next === 'string' && Array.isArray(data) && data.every(isObject)
}

async function* polledEvents(reading: Reading): AsyncGenerator<RollcallEvent, void, undefined> {
  const { options, position, selection } = reading
  const { follow = true, pollIntervalMs = firstDelayMs, signal } = options
  const retry = retries(options)
  while (signal?.aborted !== true) {
    const page = await retry.attempt(async () => {
      const response = await readOn(reading, { accept: 'application/json' }, signal)
      return bodyIn<FeedPage>(response, await response.text(), isFeedPage)
    })
    if (page === undefined) continue
    const { data, next } = page
    const isOne = selection.directoryId !== undefined
    for (const event of data) {
      if (event === data.at(-1)) position.cursor = next
      else if (isOne) position.cursor = `${event.sequence}:${event.id}`
      yield event
      if (options.signal?.aborted === true) return
    }
    position.cursor = next
    if (data.length > 0) continue
    if (!follow) return
    await wait(pollIntervalMs, signal)
  }
}

/** Requests the events after the position; after a divergence again, once `onDiverged` has requested the resyncs. */
async function readOn(
  reading: Reading,
  accept: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await request(reading, accept, signal)
  } catch (error) {
    const { onDiverged } = reading.options
    const diverged = error instanceof RollcallError ? error.diverged : undefined
    if (diverged === undefined || onDiverged === undefined) throw error
    await onDiverged(diverged)
    reading.position.cursor = diverged.next
    return readOn(reading, accept, signal)
  }
}

/** @throws RollcallError for a response that is not a success */
async function request(
  { connection, selection, position }: Reading,
  accept: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { baseUrl, headers, fetch } = connection
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...selection, after: position.cursor })) {
    if (value !== undefined) query.set(name, String(value))
  }
  const init = { headers: { ...headers, ...accept }, ...(signal === undefined ? {} : { signal }) }
  const response = await fetch(`${baseUrl}${apiPath}/feed?${query}`, init)
  if (!response.ok) throw await errorOf(response)
  return response
}

/** Repeats attempts with growing delays, as long as the error may be temporary. */
function retries({ signal, onRetry }: EventOptions) {
  let baseMs = firstDelayMs
  let failures = 0
  let unexpected = 0
  async function pause(error: unknown): Promise<void> {
    const asked = error instanceof RollcallError ? error.retryAfterSeconds : undefined
    const grown = Math.min(maxDelayMs, baseMs * 2 ** failures) * (0.5 + Math.random() / 2)
    failures += 1
    const delayMs = asked === undefined ? grown : asked * 1000
    onRetry?.(error, delayMs)
    await wait(delayMs, signal)
  }
  return {
    setDelay(delayMs: number): void {
      baseMs = delayMs
    },
    /** Undefined when the attempt failed and the next one is due, or the signal was aborted. */
    async attempt<T>(send: () => Promise<T>): Promise<T | undefined> {
      try {
        const result = await send()
        failures = 0
        unexpected = 0
        return result
      } catch (error) {
        if (signal?.aborted === true) return undefined
        if (error instanceof RollcallError && !isTemporary(error)) {
          if (!isSuccess(error)) throw error
          unexpected += 1
          if (unexpected === maxUnexpected) throw error
        }
        await pause(error)
        return undefined
      }
    },
    /** Waits after the end of a connection: the service closes it once an hour and when it stops. */
    async afterEnd(): Promise<void> {
      if (signal?.aborted !== true) await pause(new Error('The connection has ended.'))
    },
  }
}

function isTemporary({ status }: RollcallError): boolean {
  return status >= 500 || status === 429 || status === 408
}

/** Returns whether something else than the service has responded, with success. */
function isSuccess({ status }: RollcallError): boolean {
  return status >= 200 && status < 300
}
