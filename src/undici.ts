import { createRequire } from 'node:module'
import type undici from 'undici'

const load = createRequire(import.meta.url)

/**
 * The parts of undici that are used. Its index also loads fetch, WebSocket, caches and mocks, which take six megabytes of
 * memory.
 */
export const Agent: typeof undici.Agent = load('undici/lib/dispatcher/agent.js')
export const buildConnector: typeof undici.buildConnector = load('undici/lib/core/connect.js')

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']

/** Sends requests through the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, if any: that takes all of undici. */
export function createProxyAgent(options: undici.Agent.Options): undici.Dispatcher {
  if (proxyVariables.every((name) => !process.env[name])) return new Agent(options)
  const { EnvHttpProxyAgent }: typeof undici = load('undici')
  return new EnvHttpProxyAgent(options)
}

/** Sends a request. The body of the response must be read. */
export function sendRequest(
  agent: undici.Dispatcher,
  options: undici.Dispatcher.RequestOptions,
): Promise<undici.Dispatcher.ResponseData<unknown>> {
  const request: undici.Dispatcher['request'] = load('undici/lib/api/api-request.js')
  return request.call(agent, options)
}
