import type { Directory } from '../directory/directory.ts'
import type { StoredEvent } from '../directory/event.ts'

/** The events of one attempt: a single event, or consecutive ones in batch mode. */
export type Batch = readonly [StoredEvent, ...StoredEvent[]]

/** Makes one attempt to send a batch. It must resolve soon after `signal` aborts: the service is shutting down. */
export type Send = (directory: Directory, batch: Batch, attempt: number, signal: AbortSignal) => Promise<AttemptResult>

export type AttemptResult = EndpointResponse | NoResponse

export interface EndpointResponse {
  readonly kind: 'response'
  readonly status: number
  /** The unparsed `Retry-After` header. */
  readonly retryAfter: string | null
  /** The beginning of the response body, as text. */
  readonly body: string
  readonly latencyMs: number
}

export interface NoResponse {
  readonly kind: 'failed'
  /** A sentence for the log, free of secrets. */
  readonly reason: string
  /** The error that a callback threw. */
  readonly error?: unknown
  readonly latencyMs: number
}

export function lastSequenceOf(batch: Batch): number {
  return (batch.at(-1) ?? batch[0]).sequence
}
