import { Agent } from 'undici'
import type { Schedule } from '../../concurrency/schedule.ts'
import { schedule as nodeSchedule } from '../../concurrency/schedule.ts'
import type { AttemptResult } from '../attempt.ts'
import { createEgressConnector } from './egress.ts'
import type { EgressPolicy } from './egress-policy.ts'
import type { Lookup } from './name-lookup.ts'
import { isLocalName, lookupName } from './name-lookup.ts'
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
  readonly lookup?: Lookup | undefined
  readonly schedule?: Schedule
}

/** The HTTP client for endpoints, with its own pool of keep-alive connections. */
export interface EndpointClient {
  /** Makes one POST request. Never rejects: every error is a failed attempt. Redirects are not followed. */
  post(url: string, headers: Record<string, string>, body: string, options?: PostOptions): Promise<AttemptResult>
  /** Closes all connections; requests in flight fail. Close the scheduler first. */
  close(): Promise<void>
}

export interface PostOptions {
  readonly signal?: AbortSignal | undefined
  /** The tenant that the request is made for: each has a share of the name lookups; see `system-lookup.ts`. */
  readonly tenant?: string
}

export function createEndpointClient({
  timeoutMs = 15_000,
  egress,
  connectionsPerHost = 256,
  lookup = lookupName,
  schedule = nodeSchedule,
}: EndpointClientOptions): EndpointClient {
  const waiting = createWaitingTenants()
  const lookupFor: Lookup = (host, options, callback) => {
    lookup(host, { ...options, tenants: waiting.tenantsOf(host) }, callback)
  }
  const connect = createEgressConnector({ timeoutMs, egress, lookup: lookupFor })
  const limits = { connections: connectionsPerHost, clientTtl: maxConnectionAgeMs, headersTimeout: 0, bodyTimeout: 0 }
  const agent = new Agent({ connect, allowH2: false, ...limits })

  function post(
    url: string,
    headers: Record<string, string>,
    body: string,
    { signal, tenant = '' }: PostOptions = {},
  ): Promise<AttemptResult> {
    const startedAt = performance.now()
    const { promise, resolve } = Promise.withResolvers<AttemptResult>()
    const stopWaiting = waiting.add(url, tenant)
    const { handler, abort } = createResponseHandler(maxResponseBytes, (result) => {
      stopWaiting()
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

/** The tenants that have requests in flight to a host that only the operating system can look up. */
function createWaitingTenants() {
  const tenants = new Map<string, string[]>()
  return {
    tenantsOf: (host: string): readonly string[] => tenants.get(host) ?? [],
    /** Returns the function that ends the request. */
    add(url: string, tenant: string): () => void {
      const host = URL.parse(url)?.hostname ?? ''
      if (!isLocalName(host)) return () => {}
      const ofHost = tenants.get(host) ?? []
      tenants.set(host, ofHost)
      ofHost.push(tenant)
      return () => {
        ofHost.splice(ofHost.indexOf(tenant), 1)
        if (ofHost.length === 0) tenants.delete(host)
      }
    },
  }
}

/** Moves credentials from the URL to a basic authentication header. */
function requestTarget(url: string, headers: Record<string, string>) {
  const { origin, pathname, search, username, password } = new URL(url)
  const target = { origin, path: pathname + search }
  if (username === '' && password === '') return { ...target, headers }
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  return { ...target, headers: { ...headers, authorization: `Basic ${credentials.toString('base64')}` } }
}

function attemptResult(result: ReceivedResponse | Error, latencyMs: number): AttemptResult {
  if (!(result instanceof Error)) return { kind: 'response', ...result, latencyMs }
  return { kind: 'failed', reason: messageOf(result), latencyMs }
}

/** Falls back to the code, because the error after several failed addresses has no message. */
function messageOf(error: Error & { readonly code?: unknown }): string {
  return error.message || String(error.code ?? error.name)
}
