import type { LookupFunction } from 'node:net'
import { Agent } from 'undici'
import type { Schedule } from '../../concurrency/schedule.ts'
import { schedule as nodeSchedule } from '../../concurrency/schedule.ts'
import type { Endpoint } from '../../directory/directory.ts'
import type { AttemptResult } from '../attempt.ts'
import { createEgressConnector } from './egress.ts'
import type { EgressPolicy } from './egress-policy.ts'
import { lookupName } from './name-lookup.ts'
import { basicCredentials } from './proxy.ts'
import type { ReceivedResponse } from './response-handler.ts'
import { createResponseHandler } from './response-handler.ts'

const maxResponseBytes = 64 * 1024

/**
 * Connections are replaced after this time even if busy, so that DNS changes take effect and addresses are checked
 * again.
 */
const maxConnectionAgeMs = 60_000

export interface EndpointClientOptions {
  /** Limit for the whole attempt, from connecting to the end of the response. */
  readonly timeoutMs?: number
  readonly egress: EgressPolicy
  /** At least the number of directories sent to concurrently: otherwise deliveries to a slow host time out waiting. */
  readonly connectionsPerHost?: number
  readonly lookup?: LookupFunction | undefined
  readonly schedule?: Schedule
}

/** The HTTP client for endpoints, with its own pool of keep-alive connections. */
export interface EndpointClient {
  /** Makes one POST request. Never rejects: every error is a failed attempt. Redirects are not followed. */
  post(url: string, headers: Record<string, string>, body: string, signal?: AbortSignal): Promise<AttemptResult>
  /** Closes all connections; requests in flight fail. Close the scheduler first. */
  close(): Promise<void>
}

export function createEndpointClient({
  timeoutMs = 15_000,
  egress,
  connectionsPerHost = 256,
  lookup = lookupName,
  schedule = nodeSchedule,
}: EndpointClientOptions): EndpointClient {
  const connect = createEgressConnector({ timeoutMs, egress, lookup })
  const limits = { connections: connectionsPerHost, clientTtl: maxConnectionAgeMs, headersTimeout: 0, bodyTimeout: 0 }
  const agent = new Agent({ connect, allowH2: false, ...limits })

  function post(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal?: AbortSignal,
  ): Promise<AttemptResult> {
    const startedAt = performance.now()
    const { promise, resolve } = Promise.withResolvers<AttemptResult>()
    const { handler, abort } = createResponseHandler(maxResponseBytes, (result) => {
      cancelTimeout()
      signal?.removeEventListener('abort', onAbort)
      resolve(attemptResult(result, performance.now() - startedAt))
    })
    const onAbort = () => abort(new Error('canceled because the service is shutting down'))
    const cancelTimeout = schedule(() => abort(new Error(`no response within ${timeoutMs} ms`)), timeoutMs)
    signal?.addEventListener('abort', onAbort)
    try {
      agent.dispatch({ ...requestTarget(url, headers), method: 'POST', body }, handler)
      if (signal?.aborted) onAbort()
    } catch (error) {
      abort(error instanceof Error ? error : new Error(String(error)))
    }
    return promise
  }

  return { post, close: () => agent.destroy() }
}

/**
 * Posts with the further headers of an endpoint. Other headers with their names win, in any letter case. Their values, which an endpoint
 * may repeat, are removed from the response, which is logged.
 */
export async function postWithHeaders(
  { post }: Pick<EndpointClient, 'post'>,
  { url, headers: further }: Pick<Endpoint, 'url' | 'headers'>,
  headers: Record<string, string>,
  body: string,
  signal?: AbortSignal,
): Promise<AttemptResult> {
  if (further === undefined) return post(url, headers, body, signal)
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const others = Object.entries(further).filter(([name]) => !names.has(name.toLowerCase()))
  const result = await post(url, { ...Object.fromEntries(others), ...headers }, body, signal)
  if (result.kind === 'failed') return result
  const values = Object.values(further).filter((value) => value.length >= minHiddenLength)
  return { ...result, body: values.reduce((text, value) => text.replaceAll(value, '…'), result.body) }
}

/** A shorter value is no secret, and would be found anywhere. */
const minHiddenLength = 6

/** Moves credentials from the URL to a basic authentication header, unless the request has one. */
function requestTarget(url: string, headers: Record<string, string>) {
  const parsed = new URL(url)
  const target = { origin: parsed.origin, path: parsed.pathname + parsed.search }
  const isAuthorized = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  const authorization = isAuthorized ? undefined : basicCredentials(parsed)
  return { ...target, headers: authorization === undefined ? headers : { ...headers, authorization } }
}

function attemptResult(result: ReceivedResponse | Error, latencyMs: number): AttemptResult {
  if (!(result instanceof Error)) return { kind: 'response', ...result, latencyMs }
  return { kind: 'failed', reason: messageOf(result), latencyMs }
}

/** Falls back to the code, because the error after several failed addresses has no message. */
function messageOf(error: Error & { readonly code?: unknown }): string {
  return error.message || String(error.code ?? error.name)
}
