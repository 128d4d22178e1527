import { request } from 'undici'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON; an empty object when there is none. */
  readonly body: Record<string, unknown>
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** One HTTP call with JSON both ways. Rejects when no whole answer came. */
export async function call(url: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<Reply> {
  const sent =
    body === undefined
      ? { headers }
      : { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
  const answer = await request(url, { method, ...sent })
  const text = await answer.body.text()
  const flat = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
  return { status: answer.statusCode, headers: Object.fromEntries(flat), body: text === '' ? {} : JSON.parse(text) }
}
