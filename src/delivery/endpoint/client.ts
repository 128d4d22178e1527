import { Agent } from 'undici'
import type { AttemptResult } from '../policy.ts'
import type { Lookup } from './guarded-connector.ts'
import { guardedConnector } from './guarded-connector.ts'
import type { Answer } from './response-handler.ts'
import { attemptHandler } from './response-handler.ts'

const maxAnswerBytes = 64 * 1024

/** No connection is used for longer, however busy it is: an endpoint that moved is found again, and checked again. */
const maxConnectionAgeMs = 60_000

export interface EndpointClientOptions {
  /** For the whole attempt, from the connection to the end of the answer. */
  readonly timeoutMs?: number
  /** Whether private and loopback addresses are refused too. */
  readonly blockPrivate?: boolean
  /** At least as many as directories deliver at once, or a slow host makes its own other deliveries time out. */
  readonly connectionsPerHost?: number
  readonly lookup?: Lookup | undefined
}

/** Sends requests to the endpoints of the products. */
export interface EndpointClient {
  /** POSTs once. Never rejects: whatever goes wrong is a failed delivery. Redirects are not followed. */
  post(url: string, headers: Record<string, string>, body: string, signal?: AbortSignal): Promise<AttemptResult>
  /** Cuts every connection; what is still in flight fails. Close the dispatcher first. */
  close(): Promise<void>
}

/** A client with its own pool of kept-alive connections; what they lead to is checked as they open (design §10). */
export function createEndpointClient({
  timeoutMs = 15_000,
  blockPrivate = false,
  connectionsPerHost = 128,
  lookup,
}: EndpointClientOptions = {}): EndpointClient {
  const connect = guardedConnector({ timeoutMs, blockPrivate, lookup })
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
    const { handler, abort } = attemptHandler(maxAnswerBytes, (result) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      resolve(deliveryFrom(result, performance.now() - startedAt))
    })
    const giveUp = () => abort(new Error('given up because the service stops'))
    const timer = setTimeout(() => abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    signal?.addEventListener('abort', giveUp)
    try {
      agent.dispatch({ ...requestTarget(url, headers), method: 'POST', body }, handler)
      if (signal?.aborted) giveUp()
    } catch (error) {
      abort(asError(error))
    }
    return promise
  }

  return { post, close: () => agent.destroy() }
}

/** Where the request goes; a user and password in the URL become basic authentication, as everywhere else. */
function requestTarget(url: string, headers: Record<string, string>) {
  const { origin, pathname, search, username, password } = new URL(url)
  const target = { origin, path: pathname + search }
  if (username === '' && password === '') return { ...target, headers }
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  return { ...target, headers: { ...headers, authorization: `Basic ${credentials.toString('base64')}` } }
}

function deliveryFrom(result: Answer | Error, latencyMs: number): AttemptResult {
  if (!(result instanceof Error)) return { kind: 'answered', ...result, latencyMs }
  return { kind: 'failed', reason: reasonOf(result), latencyMs }
}

/** The message, or the code of an error that has none (several addresses that were tried in vain). */
function reasonOf(error: Error & { readonly code?: unknown }): string {
  return error.message || String(error.code ?? error.name)
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
