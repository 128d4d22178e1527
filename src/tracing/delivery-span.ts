import type { Attributes, Context, SpanContext, Tracer } from '@opentelemetry/api'
import type { StoredEvent } from '../directory/event.ts'
import { readTraceContext, traceHeaders } from './trace-context.ts'

/** Starts the span of an attempt to deliver events, in the trace of the first event that has one. */
export type StartDelivery = (delivery: TracedDelivery) => DeliverySpan

type TracedEvent = Pick<StoredEvent, 'requestId' | 'sequence' | 'traceContext'>

export interface TracedDelivery {
  readonly directoryId: string
  /** The events in the order of their sequence numbers. */
  readonly events: readonly TracedEvent[]
  readonly attempt: number
  /** The host of the endpoint; undefined for a callback of this process. */
  readonly host?: string
}

export interface DeliverySpan {
  /** `traceparent` and, if the commit had one, `tracestate`, for the request to the endpoint. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Delivers within the span. In a callback it is the active one. Instrumentations of HTTP clients are turned off,
   * because they would add their own headers.
   */
  run<T>(deliver: () => T): T
  /** @param status undefined: there was no response */
  end(status: number | undefined): void
}

/** The maximum number of commits that a delivery is linked to. */
const maxLinks = 32

/** Turns instrumentations off within a context: the function of `@opentelemetry/core`. */
export type SuppressTracing = (context: Context) => Context

/** @param suppressTracing without it, instrumentations of HTTP clients add a span of their own to each delivery */
export function createStartDelivery(
  api: typeof import('@opentelemetry/api'),
  tracer: Tracer,
  suppressTracing: SuppressTracing = (within) => within,
): StartDelivery {
  const { trace, context, ROOT_CONTEXT, SpanKind, SpanStatusCode, createTraceState } = api

  /** The spans of the commits of events without duplicates, up to `maxLinks`. */
  function commitsOf(events: readonly TracedEvent[]): SpanContext[] {
    const stored = new Set(events.map(({ traceContext }) => traceContext))
    const spans = [...stored].map((traceContext) => readTraceContext(traceContext, createTraceState))
    return spans.filter((span) => span !== undefined).slice(0, maxLinks)
  }

  function startSpan(delivery: TracedDelivery) {
    const [commit, ...others] = commitsOf(delivery.events)
    const parent = commit === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, commit)
    const links = others.map((other) => ({ context: other }))
    const kind = delivery.host === undefined ? SpanKind.INTERNAL : SpanKind.CLIENT
    return tracer.startSpan('deliver events', { kind, attributes: attributesOf(delivery), links }, parent)
  }

  return (delivery) => {
    const span = startSpan(delivery)
    const within = trace.setSpan(ROOT_CONTEXT, span)
    const active: Context = delivery.host === undefined ? within : suppressTracing(within)
    return {
      headers: traceHeaders(span.spanContext()),
      run: (deliver) => context.with(active, deliver),
      end(status) {
        if (status !== undefined && delivery.host !== undefined) span.setAttribute('http.response.status_code', status)
        if (status === undefined || status >= 300) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
  }
}

function attributesOf({ directoryId, events, attempt, host }: TracedDelivery): Attributes {
  const [first] = events
  return {
    ...(host === undefined ? {} : { 'http.request.method': 'POST', 'server.address': host }),
    'rollcall.directory_id': directoryId,
    'rollcall.request_id': first?.requestId ?? '',
    'rollcall.sequence': first?.sequence ?? 0,
    'rollcall.events': events.length,
    'rollcall.attempt': attempt,
  }
}
