import { Agent, request } from 'undici'
import { createEgressConnector } from '../delivery/endpoint/egress.ts'
import type { EgressPolicy } from '../delivery/endpoint/egress-policy.ts'

/** The maximum size of a response, in bytes: hundreds of keys. */
const maxBytes = 262_144

export interface JsonRequest {
  readonly egress: EgressPolicy
  /** Limit for opening the connection, in milliseconds. */
  readonly connectMs: number
  readonly signal: AbortSignal
}

/**
 * Reads a document of an identity provider, from an allowed address, without following redirects. The connection is not
 * shared: requests of other tenants to the same host cannot occupy it.
 *
 * @throws Error with the reason, which follows the words "could not be fetched:"
 */
export async function fetchJson(url: string, { egress, connectMs, signal }: JsonRequest): Promise<unknown> {
  const connect = createEgressConnector({ timeoutMs: connectMs, egress })
  const limits = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: maxBytes }
  const agent = new Agent({ connect, allowH2: false, ...limits })
  try {
    const headers = { accept: 'application/json', 'user-agent': 'rollcall' }
    const { statusCode, body } = await request(url, { dispatcher: agent, signal, headers }).catch(fail)
    if (statusCode !== 200) throw new Error(`${hostOf(url)} responded with ${statusCode}`)
    return parsed(await body.text().catch(fail), url)
  } finally {
    await agent.destroy()
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
