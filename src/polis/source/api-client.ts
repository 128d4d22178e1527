import { setTimeout } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { backOffMs, parseRetryAfter } from '../../concurrency/retry-delay.ts'
import type { JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'
import { PolisSourceError } from './errors.ts'

/** Reads Polis' API. */
export interface PolisApi {
  /**
   * Reads a list below `/api/v1/dsync`.
   *
   * @throws PolisSourceError when Polis refuses or cannot be reached
   */
  list(path: string, query: Readonly<Record<string, string>>): Promise<PolisList>
  close(): Promise<void>
}

export interface PolisList {
  readonly items: readonly JsonObject[]
  /** Continues the list, on databases that have no offsets. */
  readonly pageToken: string | undefined
}

const retryDelaysMs = [500, 2_000, 5_000]
const timeoutMs = 60_000

/** @param baseUrl the address of Polis, without a slash at its end */
export function createPolisApi(baseUrl: string, apiKey: string): PolisApi {
  const dispatcher = new Agent({ connections: 2, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const headers = { authorization: `Api-Key ${apiKey}`, accept: 'application/json' }

  async function get(url: string): Promise<JsonObject> {
    for (let failures = 1; ; failures += 1) {
      const { status, text, retryAfter } = await send(url)
      const isPassing = status === 429 || status >= 500
      if (!isPassing || failures > retryDelaysMs.length) return answerOf(url, status, text)
      await setTimeout(parseRetryAfter(retryAfter, Date.now()) ?? backOffMs(retryDelaysMs, failures, Math.random()))
    }
  }

  async function send(url: string) {
    const response = await request(url, { headers, dispatcher }).catch((cause: Error) => {
      throw new PolisSourceError(`${baseUrl} cannot be reached: ${cause.message}`, { cause })
    })
    const retryAfter = response.headers['retry-after']
    return { status: response.statusCode, text: await response.body.text(), retryAfter: [retryAfter].flat()[0] }
  }

  function answerOf(url: string, status: number, text: string): JsonObject {
    if (status === 401)
      throw new PolisSourceError(`${baseUrl} refuses the API key: pass one of Polis’ API_KEYS with --api-key.`)
    const body = parsed(text)
    if (status === 200 && body !== undefined) return body
    const error = body && own(body, 'error')
    const message = isObject(error) ? own(error, 'message') : undefined
    throw new PolisSourceError(`GET ${url} of Polis failed with ${status}: ${message ?? 'no message'}`)
  }

  return {
    async list(path, query) {
      const body = await get(`${baseUrl}/api/v1/dsync${path}?${new URLSearchParams(query)}`)
      const [data, pageToken] = [own(body, 'data'), own(body, 'pageToken')]
      return {
        items: Array.isArray(data) ? data.filter(isObject) : [],
        pageToken: typeof pageToken === 'string' && pageToken !== '' ? pageToken : undefined,
      }
    },
    close: () => dispatcher.close(),
  }
}

function parsed(text: string): JsonObject | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}
