import { Agent, request } from 'undici'
import { createEgressConnector } from '../delivery/endpoint/egress.ts'
import type { EgressPolicy } from '../delivery/endpoint/egress-policy.ts'

/** The maximum size of a response, in bytes: hundreds of keys. */
const maxBytes = 262_144

/** Reads documents of identity providers. */
export interface JsonClient {
  /**
   * The JSON at a URL. Redirects are not followed.
   *
   * @throws Error with the reason, which follows the words "could not be fetched:"
   */
  get(url: string, signal: AbortSignal): Promise<unknown>
  /** Closes all connections; requests in flight fail. */
  close(): Promise<void>
}

/** Creates a client that connects to allowed addresses only. */
export function createJsonClient(egress: EgressPolicy, timeoutMs: number): JsonClient {
  const connect = createEgressConnector({ timeoutMs, egress })
  const limits = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: maxBytes, connections: 4 }
  const agent = new Agent({ connect, allowH2: false, clientTtl: 60_000, ...limits })
  return {
    async get(url, signal) {
      const headers = { accept: 'application/json', 'user-agent': 'rollcall' }
      const { statusCode, body } = await request(url, { dispatcher: agent, signal, headers }).catch(fail)
      if (statusCode !== 200) {
        await body.dump().catch(() => {})
        throw new Error(`${hostOf(url)} responded with ${statusCode}`)
      }
      return parsed(await body.text().catch(fail), url)
    },
    close: () => agent.destroy(),
  }
}

function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`the response of ${hostOf(url)} is not JSON`)
  }
}

/** @throws Error with a reason for operators */
function fail(error: Error & { readonly code?: unknown }): never {
  const { name, code, message } = error
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    throw new Error(`the response has more than ${maxBytes / 1024} KB`, { cause: error })
  }
  if (name === 'TimeoutError' || name === 'AbortError')
    throw new Error('there was no response in time', { cause: error })
  throw new Error(message || String(code ?? name), { cause: error })
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}
