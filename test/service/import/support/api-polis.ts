import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MemoryPolis } from './memory-polis.ts'

/** A page or a record as it goes out: any status and text. */
export interface ApiAnswer {
  readonly status: number
  readonly text: string
}

/** A running Polis that answers its API from memory. */
export interface ApiPolis extends AsyncDisposable {
  readonly url: string
  /** How many requests came. */
  requests: number
  /** Replaces the answers of the paths below `/api/v1/dsync` for which it returns one. */
  answer: (path: string, query: URLSearchParams) => ApiAnswer | undefined
}

/** The API key of the double. */
export const doubleApiKey = 'key'

const refusal = { status: 401, text: JSON.stringify({ error: { message: 'Unauthorized' } }) }

/** @param pageLimit the maximum of every page */
export async function startApiPolis(polis: MemoryPolis, pageLimit = 10): Promise<ApiPolis> {
  const isAllowed = ({ authorization }: IncomingHttpHeaders) => authorization === `Api-Key ${doubleApiKey}`
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://polis')
    const path = pathname.replace('/api/v1/dsync', '')
    api.requests += 1
    const { status, text } = isAllowed(request.headers)
      ? (api.answer(path, searchParams) ?? answerOf(polis, path, searchParams, pageLimit))
      : refusal
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  const api: ApiPolis = {
    url: '',
    requests: 0,
    answer: () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(api, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

function answerOf(
  { contents, setupLinks }: MemoryPolis,
  path: string,
  query: URLSearchParams,
  pageLimit: number,
): ApiAnswer {
  const of = contents.find(({ directory }) => directory.id === query.get('directoryId'))
  const [, family = '', id, part] = path.split('/')
  const list = (records: readonly object[]) => page(records, query, pageLimit)
  if (path === '/product') return list(contents.map(({ directory }) => directory))
  if (path === '/setuplinks/product') return list(setupLinks)
  if (family === 'setuplinks') return one(setupLinks.find(({ setupID }) => setupID === query.get('id')))
  if (part === 'members') return list((of?.members.get(id ?? '') ?? []).map((user_id) => ({ user_id })))
  const records = family === 'users' ? of?.users : family === 'groups' ? of?.groups : undefined
  if (records === undefined) return one(contents.find(({ directory }) => directory.id === family)?.directory)
  return id === undefined ? list(records) : one(records.find((record) => record.id === id))
}

function page(records: readonly object[], query: URLSearchParams, pageLimit: number): ApiAnswer {
  const offset = Number(query.get('pageOffset'))
  const data = records.toReversed().slice(offset, offset + Math.min(pageLimit, Number(query.get('pageLimit'))))
  return { status: 200, text: JSON.stringify({ data, error: null }) }
}

function one(record: object | undefined): ApiAnswer {
  if (record !== undefined) return { status: 200, text: JSON.stringify({ data: record }) }
  return { status: 404, text: JSON.stringify({ error: { message: 'It is not found.', code: 404 } }) }
}
