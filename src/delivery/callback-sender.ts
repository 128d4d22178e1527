import type { RollcallEvent } from '../webhooks/event.ts'
import type { AttemptResult, Send } from './attempt.ts'
import { eventObject } from './payload.ts'

/** Receives an event in the embedding process. When it throws or rejects, the event is sent again. */
export type OnEvent = (event: RollcallEvent) => void | Promise<void>

/**
 * Sends events to a callback of this process. A callback has no timeout: the directory's next event waits for it until
 * the scheduler closes.
 */
export function createCallbackSender(onEvent: OnEvent): Send {
  return (directory, batch, _attempt, signal) => {
    const startedAt = performance.now()
    const { promise, resolve } = Promise.withResolvers<AttemptResult>()
    const onAbort = () => end('given up because the service is shutting down')
    function end(error?: string): void {
      signal.removeEventListener('abort', onAbort)
      resolve(resultOf(error, performance.now() - startedAt))
    }
    signal.addEventListener('abort', onAbort)
    callForEach(
      onEvent,
      batch.map((event) => eventObject(event, directory)),
    ).then(end)
    return promise
  }
}

/** Calls the callback for one event after another. Returns why it failed, if it did. */
async function callForEach(onEvent: OnEvent, payloads: readonly RollcallEvent[]): Promise<string | undefined> {
  try {
    for (const payload of payloads) await onEvent(payload)
    return undefined
  } catch (error) {
    return `onEvent failed: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** A callback that succeeds counts as a response without content. */
function resultOf(error: string | undefined, latencyMs: number): AttemptResult {
  if (error !== undefined) return { kind: 'failed', reason: error, latencyMs }
  return { kind: 'response', status: 204, retryAfter: null, body: '', latencyMs }
}
