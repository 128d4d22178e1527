import type { DirectoryEventPayload } from './payload.ts'
import { eventObject } from './payload.ts'
import type { AttemptResult } from './policy.ts'
import type { Send } from './send.ts'

/** Takes an event in the embedding process; when it throws or rejects, it gets the event again. */
export type OnEvent = (event: DirectoryEventPayload) => void | Promise<void>

/**
 * Hands events to a callback of this process. A callback has no time limit: the directory's next event waits for it,
 * until the dispatcher gives up as it closes.
 */
export function createCallbackSender(onEvent: OnEvent): Send {
  return (directory, parcel, _attempt, signal) => {
    const startedAt = performance.now()
    const { promise, resolve } = Promise.withResolvers<AttemptResult>()
    const giveUp = () => end('given up because the service stops')
    function end(reason?: string): void {
      signal.removeEventListener('abort', giveUp)
      resolve(deliveryFrom(reason, performance.now() - startedAt))
    }
    signal.addEventListener('abort', giveUp)
    callWithEach(
      onEvent,
      parcel.map((event) => eventObject(event, directory)),
    ).then(end)
    return promise
  }
}

/** Hands over one event after the other; answers why one failed, if one did. */
async function callWithEach(onEvent: OnEvent, payloads: readonly DirectoryEventPayload[]): Promise<string | undefined> {
  for (const payload of payloads) {
    const reason = await call(onEvent, payload)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** Calls the callback; answers why it failed, if it did. */
async function call(onEvent: OnEvent, payload: DirectoryEventPayload): Promise<string | undefined> {
  try {
    await onEvent(payload)
    return undefined
  } catch (error) {
    return `onEvent failed: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** A callback that came through counts as an answer without a body. */
function deliveryFrom(reason: string | undefined, latencyMs: number): AttemptResult {
  if (reason !== undefined) return { kind: 'failed', reason, latencyMs }
  return { kind: 'answered', status: 204, retryAfter: null, body: '', latencyMs }
}
