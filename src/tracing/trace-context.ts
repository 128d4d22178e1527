import type { SpanContext, TraceState } from '@opentelemetry/api'
import type { TraceContext } from '../directory/event.ts'

/** The headers of W3C Trace Context as a request has them. */
export interface TraceHeaders {
  readonly traceparent?: string | string[] | undefined
  readonly tracestate?: string | string[] | undefined
}

/**
 * The length of `tracestate` that a service must pass on, in characters (W3C Trace Context §3.3.1.5). A longer one is
 * left out.
 */
const maxTraceState = 512

/** Parses a `tracestate`; an invalid or long one is left out. */
export type ParseTraceState = (text: string) => TraceState

/**
 * The span that sent a request. Undefined without a valid `traceparent`, which is ignored together with its
 * `tracestate` (W3C Trace Context §3.2.2).
 */
export function parseTraceHeaders(
  { traceparent, tracestate }: TraceHeaders,
  parseTraceState: ParseTraceState,
): SpanContext | undefined {
  const span = typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined
  if (span === undefined || typeof tracestate !== 'string' || tracestate === '') return span
  return { ...span, traceState: parseTraceState(tracestate) }
}

/** The span that an event was stored with; undefined if there is none or it is invalid. */
export function readTraceContext(
  stored: TraceContext | undefined,
  parseTraceState: ParseTraceState,
): SpanContext | undefined {
  const [traceparent, ...tracestate] = stored?.split(' ') ?? []
  return parseTraceHeaders({ traceparent, tracestate: tracestate.join(' ') }, parseTraceState)
}

/** The stored form of a span; undefined for a span without a trace, as a disabled SDK makes them. */
export function writeTraceContext(span: SpanContext): TraceContext | undefined {
  const { traceparent, tracestate } = traceHeaders(span)
  return tracestate === undefined ? traceparent : `${traceparent} ${tracestate}`
}

/** The headers for the requests of a span; none for a span without a trace. */
export function traceHeaders({ traceId, spanId, traceFlags, traceState }: SpanContext): {
  traceparent?: string
  tracestate?: string
} {
  const traceparent = `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`
  if (parseTraceparent(traceparent) === undefined) return {}
  const tracestate = traceState?.serialize() ?? ''
  return tracestate === '' || tracestate.length > maxTraceState ? { traceparent } : { traceparent, tracestate }
}

/** Later versions may append fields; version ff is invalid, and so are ids of zeros. */
const traceparentForm =
  /^(?:00(?=.{53}$)|(?!00|ff)[0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/

function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId, spanId, flags = ''] = traceparentForm.exec(text) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
