import type { Tracing } from '../tracing/tracing.ts'
import type { RollcallEvent } from '../webhooks/event.ts'
import type { AttemptResult, Send } from './attempt.ts'
import { eventObject } from './payload.ts'

/** Receives an event in the embedding process. When it throws or rejects, the event is sent again. */
export type OnEvent = (event: RollcallEvent) => void | Promise<void>

/**
 * Sends events to a callback of this process. A callback has no timeout: the directory's next event waits for it until
 * the scheduler closes.
 */
export function createCallbackSender(onEvent: OnEvent, tracing?: Tracing): Send {
  return (directory, batch, attempt, signal) => {
    const startedAt = performance.now()
    const span = tracing?.startDelivery({ directoryId: directory.id, events: batch, attempt })
    const { promise, resolve } = Promise.withResolvers<AttemptResult>()
    const onAbort = () => end('canceled because the service is shutting down')
    function end(failure?: Thrown | string): void {
      signal.removeEventListener('abort', onAbort)
      resolve(resultOf(failure, performance.now() - startedAt))
    }
    signal.addEventListener('abort', onAbort)
    const payloads = batch.map((event) => eventObject(event, directory))
    const call = () => callForEach(onEvent, payloads)
    const called = span === undefined ? call() : span.run(call)
    called.then(end)
    promise.then(({ kind }) => span?.end(kind === 'response' ? 204 : undefined))
    return promise
  }
}

interface Thrown {
  readonly error: unknown
}

/** Calls the callback for one event after another. Returns the error if it throws. */
async function callForEach(onEvent: OnEvent, payloads: readonly RollcallEvent[]): Promise<Thrown | undefined> {
  try {
    for (const payload of payloads) await onEvent(payload)
    return undefined
  } catch (error) {
    return { error }
  }
}

/** A callback that succeeds counts as a response without content. */
function resultOf(failure: Thrown | string | undefined, latencyMs: number): AttemptResult {
  if (failure === undefined) return { kind: 'response', status: 204, retryAfter: null, body: '', latencyMs }
  if (typeof failure === 'string') return { kind: 'failed', reason: failure, latencyMs }
  const { error } = failure
  const reason = `onEvent failed: ${error instanceof Error ? error.message : String(error)}`
  return { kind: 'failed', reason, error, latencyMs }
}
