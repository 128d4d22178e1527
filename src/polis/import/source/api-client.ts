import { setTimeout } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { backOffMs, parseRetryAfter } from '../../../concurrency/retry-delay.ts'
import type { Json, JsonObject } from '../../../scim/json.ts'
import { isObject, own, parseObject } from '../../../scim/json.ts'
import { IncompleteList, PolisSourceError } from './errors.ts'

/** Reads Polis' API. */
export interface PolisApi {
  /**
   * Reads a page of a list below `/api/v1/dsync`.
   *
   * @throws IncompleteList when Polis answers something else than a page of a list
   * @throws PolisSourceError when Polis refuses or cannot be reached
   */
  list(path: string, query: Readonly<Record<string, string>>): Promise<PolisList>
  /** Returns whether Polis says that it does not have a record. */
  isGone(path: string, query: Readonly<Record<string, string>>): Promise<boolean>
  close(): Promise<void>
}

export interface PolisList {
  readonly items: readonly Json[]
  /** Continues the list, on databases that have no offsets. */
  readonly pageToken: string | undefined
}

const retryDelaysMs = [500, 2_000, 5_000]
/** The time until the whole response has arrived. */
const timeoutMs = 300_000
/** A page of 1,000 users has a few megabytes. */
const maxBytes = 256 * 1024 * 1024
/** Throws for bytes that are not UTF-8, which would otherwise be stored as other characters. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

interface Answer {
  readonly path: string
  readonly status: number
  readonly text: string
  /** Undefined if it is no JSON object. */
  readonly body: JsonObject | undefined
}

/** @param baseUrl the address of Polis, without a slash at its end */
export function createPolisApi(baseUrl: string, apiKey: string): PolisApi {
  const dispatcher = new Agent({ connections: 2, maxResponseSize: maxBytes })
  const headers = { authorization: `Api-Key ${apiKey}`, accept: 'application/json' }

  async function get(path: string, query: Readonly<Record<string, string>>): Promise<Answer> {
    const url = `${baseUrl}/api/v1/dsync${path}?${new URLSearchParams(query)}`
    for (let failures = 1; ; failures += 1) {
      const { status, text, retryAfter } = await send(url)
      const isPassing = status === 429 || status >= 500
      if (!isPassing || failures > retryDelaysMs.length) return { path, status, text, body: parseObject(text) }
      await setTimeout(parseRetryAfter(retryAfter, Date.now()) ?? backOffMs(retryDelaysMs, failures, Math.random()))
    }
  }

  async function send(url: string) {
    try {
      const response = await request(url, { headers, dispatcher, signal: AbortSignal.timeout(timeoutMs) })
      const retryAfter = response.headers['retry-after']
      const text = utf8.decode(await response.body.bytes())
      return { status: response.statusCode, text, retryAfter: [retryAfter].flat()[0] }
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new PolisSourceError(`${baseUrl} cannot be reached: ${reason}`, { cause })
    }
  }

  function refused({ path, status, body }: Answer): PolisSourceError {
    if (status === 401)
      return new PolisSourceError(`${baseUrl} refuses the API key: pass one of Polis’ API_KEYS with --api-key.`)
    return new PolisSourceError(`GET ${path} of Polis failed with ${status}: ${messageOf(body) ?? 'no message'}`)
  }

  return {
    async list(path, query) {
      const answer = await get(path, query)
      if (answer.status !== 200) throw refused(answer)
      const { body, text } = answer
      const [data, pageToken] = body === undefined ? [] : [own(body, 'data'), own(body, 'pageToken') ?? '']
      if (Array.isArray(data) && typeof pageToken === 'string') {
        return { items: data, pageToken: pageToken === '' ? undefined : pageToken }
      }
      throw new IncompleteList(`GET ${path} of Polis was answered with 200, but without a list: ${beginningOf(text)}`)
    },
    async isGone(path, query) {
      const answer = await get(path, query)
      if (answer.status === 200) return false
      if (answer.status !== 404) throw refused(answer)
      // Another server that answers at this address has no such message.
      return messageOf(answer.body) !== undefined
    },
    close: () => dispatcher.close(),
  }
}

function messageOf(body: JsonObject | undefined): string | undefined {
  const error = body && own(body, 'error')
  const message = isObject(error) ? own(error, 'message') : undefined
  return typeof message === 'string' ? message : undefined
}

/** Polis' answers hold people and secrets: only what is no JSON is shown, and its length. */
function beginningOf(text: string): string {
  return parseObject(text) === undefined ? JSON.stringify(text.slice(0, 60)) : `an object of ${text.length} characters`
}
