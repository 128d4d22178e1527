import type { Attributes, Context, SpanContext } from '@opentelemetry/api'

type Api = typeof import('@opentelemetry/api')

/** Spans of requests, commits and deliveries, when an SDK of OpenTelemetry is loaded. */
export interface Tracing {
  /**
   * Starts the span of a request, in the trace that its `traceparent` names (W3C Trace Context).
   *
   * @param id the request id
   * @returns what ends it, with the pattern of the URL
   */
  startRequest(id: string, method: string, headers: TraceHeaders): (route: string, status: number) => void
  /** Runs a commit in a span of the request. Its events then belong to the same trace. */
  commit<T>(operation: string, directoryId: string, requestId: string, run: () => Promise<T>): Promise<T>
  /** Starts the span of an attempt to deliver events, in the trace of the first one's request. */
  startDelivery(delivery: TracedDelivery): DeliverySpan
}

export interface TraceHeaders {
  readonly traceparent?: string | string[] | undefined
  readonly tracestate?: string | string[] | undefined
}

export interface TracedDelivery {
  readonly directoryId: string
  /** Of the events, in their order. */
  readonly requestIds: readonly string[]
  readonly sequence: number
  readonly attempt: number
  /** The host of the endpoint. */
  readonly host: string
}

export interface DeliverySpan {
  /** `traceparent` and, if the request had one, `tracestate`: for the request to the endpoint. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: there was no response. */
  end(status: number | undefined): void
}

/** How many requests are remembered for the deliveries of their events. */
const maxRemembered = 10_000

/** Batches of more events than this are linked to the first ones only. */
const maxLinks = 32

/** Where `@opentelemetry/api` 1.x keeps what an SDK has registered; read without loading that package. */
const registered = Symbol.for('opentelemetry.js.api.1')

/**
 * Undefined unless an SDK has registered a tracer provider, as with `node --import ./tracing.mjs`. The packages of
 * OpenTelemetry are loaded only then, and without the result nothing is called for a request.
 */
export async function openTracing(version: string): Promise<Tracing | undefined> {
  const api: { trace?: unknown } | undefined = Reflect.get(globalThis, registered)
  if (api?.trace === undefined) return undefined
  return createTracing(await import('@opentelemetry/api'), version)
}

function createTracing({ trace, context, SpanKind, SpanStatusCode, createTraceState }: Api, version: string): Tracing {
  const tracer = trace.getTracer('rollcall', version)
  const requests = new Map<string, Context>()
  const commits = new Map<string, SpanContext>()

  /** The span that called: from its headers, else what is active in this process, as in a product that embeds Rollcall. */
  function callerContext({ traceparent, tracestate }: TraceHeaders): Context {
    const parent = parseTraceparent(traceparent)
    if (parent === undefined) return context.active()
    const state = typeof tracestate === 'string' ? { traceState: createTraceState(tracestate) } : {}
    return trace.setSpanContext(context.active(), { ...parent, ...state, isRemote: true })
  }

  function remember(requestId: string, span: SpanContext): void {
    commits.delete(requestId)
    commits.set(requestId, span)
    const [oldest] = commits.keys()
    if (commits.size > maxRemembered && oldest !== undefined) commits.delete(oldest)
  }

  return {
    startRequest(id, method, headers) {
      const attributes = { 'http.request.method': method, 'rollcall.request_id': id }
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, callerContext(headers))
      requests.set(id, trace.setSpan(context.active(), span))
      return (route, status) => {
        requests.delete(id)
        span.updateName(`${method} ${route}`)
        span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      }
    },
    async commit(operation, directoryId, requestId, run) {
      const attributes = { 'rollcall.directory_id': directoryId, 'rollcall.request_id': requestId }
      const span = tracer.startSpan(`commit ${operation}`, { attributes }, requests.get(requestId) ?? context.active())
      remember(requestId, span.spanContext())
      try {
        return await run()
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
    startDelivery({ directoryId, requestIds, sequence, attempt, host }) {
      const attributes: Attributes = {
        'http.request.method': 'POST',
        'server.address': host,
        'rollcall.directory_id': directoryId,
        'rollcall.request_id': requestIds[0] ?? '',
        'rollcall.sequence': sequence,
        'rollcall.events': requestIds.length,
        'rollcall.attempt': attempt,
      }
      const causes = [...new Set(requestIds)].slice(0, maxLinks).flatMap((id) => commits.get(id) ?? [])
      const [cause, ...others] = causes
      const parent = cause === undefined ? context.active() : trace.setSpanContext(context.active(), cause)
      const links = others.map((other) => ({ context: other }))
      const span = tracer.startSpan('deliver events', { kind: SpanKind.CLIENT, attributes, links }, parent)
      return {
        headers: traceHeaders(span.spanContext()),
        end(status) {
          if (status !== undefined) span.setAttribute('http.response.status_code', status)
          if (status === undefined || status >= 300) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
  }
}

/** Undefined for an invalid header, which is ignored (W3C Trace Context §3.2.2). */
function parseTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  if (typeof header !== 'string') return undefined
  const [, traceId = '', spanId = '', flags = ''] =
    /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/.exec(header) ?? []
  return traceId === '' ? undefined : { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
}

function traceHeaders({ traceId, spanId, traceFlags, traceState }: SpanContext): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`
  const tracestate = traceState?.serialize() ?? ''
  return tracestate === '' ? { traceparent } : { traceparent, tracestate }
}
