import type { Context } from '@opentelemetry/api'
import type { TraceContext } from '../directory/event.ts'
import type { StartDelivery, SuppressTracing } from './delivery-span.ts'
import { createStartDelivery } from './delivery-span.ts'
import type { TraceHeaders } from './trace-context.ts'
import { parseTraceHeaders, writeTraceContext } from './trace-context.ts'

type Api = typeof import('@opentelemetry/api')

/** Spans of requests, commits and deliveries, when an SDK of OpenTelemetry is loaded. */
export interface Tracing {
  /**
   * Starts the span of a request, in the trace of its `traceparent` (W3C Trace Context).
   *
   * @param id the request id
   * @returns the function that ends it, with the pattern of the URL
   */
  startRequest(id: string, method: string, headers: TraceHeaders): (route: string, status: number) => void
  /**
   * Runs a commit in a span of the request.
   *
   * @param run stores the context of the span with the events, so that their deliveries continue the trace
   */
  commit<T>(
    operation: string,
    directoryId: string,
    requestId: string,
    run: (traceContext: TraceContext | undefined) => Promise<T>,
  ): Promise<T>
  readonly startDelivery: StartDelivery
}

/**
 * Opens the tracing; undefined, at no cost per request, unless an SDK has registered a tracer provider, as with `node
 * --import ./tracing.mjs`.
 */
export async function openTracing(version: string): Promise<Tracing | undefined> {
  const api = await import('@opentelemetry/api')
  if (!isRegistered(api)) return undefined
  // Every SDK contains this package, which can be imported unless the package manager hides it.
  const core = await import('@opentelemetry/core').catch(() => undefined)
  return createTracing(api, version, core?.suppressTracing)
}

/** Returns whether an SDK has registered a provider: before that, the provider of the API has no delegate. */
function isRegistered({ trace, ProxyTracerProvider }: Api): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('rollcall') !== undefined
}

function createTracing(api: Api, version: string, suppressTracing: SuppressTracing | undefined): Tracing {
  const { trace, context, SpanKind, SpanStatusCode } = api
  const tracer = trace.getTracer('rollcall', version)
  /** The spans of the requests in progress. */
  const requests = new Map<string, Context>()

  /**
   * The span of the caller: from the headers, else the one that is active in this process, as in a product that embeds
   * Rollcall. An active span of the same trace belongs to an instrumentation of the HTTP server that has already read
   * the headers.
   */
  function callerContext(headers: TraceHeaders): Context {
    const active = context.active()
    const parent = parseTraceHeaders(headers, api.createTraceState)
    if (parent === undefined || trace.getSpanContext(active)?.traceId === parent.traceId) return active
    return trace.setSpanContext(active, parent)
  }

  /** The context of a request. The operations of a bulk request have its id, a dot and their number. */
  function contextOf(requestId: string): Context | undefined {
    return requests.get(requestId) ?? requests.get(requestId.slice(0, requestId.lastIndexOf('.')))
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
      const span = tracer.startSpan(`commit ${operation}`, { attributes }, contextOf(requestId) ?? context.active())
      try {
        return await run(writeTraceContext(span.spanContext()))
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
    startDelivery: createStartDelivery(api, tracer, suppressTracing),
  }
}
