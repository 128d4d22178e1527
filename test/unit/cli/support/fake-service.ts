import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import type { JsonObject } from '../../../../src/scim/json.ts'
import { isObject } from '../../../../src/scim/json.ts'
import type { FakeAnswer } from './fake-directory.ts'
import { eventUser, FakeDirectory } from './fake-directory.ts'
import { createSender } from './fake-sender.ts'

export interface FakeRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Since the service started. */
  readonly atMs: number
}

export interface FakeService extends AsyncDisposable {
  readonly baseUrl: string
  readonly scimUrl: string
  /** The directory that exists from the start, `dir-1`. */
  readonly directory: FakeDirectory
  /** The SCIM requests in the order of their arrival. */
  readonly requests: FakeRequest[]
}

/** A response that replaces the real one; undefined keeps the real one. */
export type Interference = (request: FakeRequest, count: number) => (FakeAnswer & { retryAfter?: string }) | undefined

export const apiKey = 'key-1'
export const scimSecret = 'secret-1'

interface Kept {
  readonly scim: FakeDirectory
  settings: JsonObject
}

/** The part of Rollcall's HTTP API that the tools call. It signs events and sends them in order. */
export async function startFakeService(interfere: Interference = () => undefined): Promise<FakeService> {
  const directories = new Map<string, Kept>()
  const requests: FakeRequest[] = []
  const startedAt = performance.now()
  let baseUrl = ''

  const create = (settings: JsonObject): Kept => {
    const id = `dir-${directories.size + 1}`
    const path = `/api/scim/v2.0/${id}`
    const kept: Kept = {
      scim: new FakeDirectory(),
      settings: { ...settings, id, scim: { path, endpoint: baseUrl + path, secret: scimSecret } },
    }
    const send = createSender(id, () => kept.settings)
    kept.scim.onEvent = send
    directories.set(id, kept)
    return kept
  }

  const answerScim = (request: FakeRequest, id: string, url: URL) => {
    requests.push(request)
    const kept = directories.get(id)
    if (kept === undefined) return { status: 404, body: { detail: 'unknown directory' } }
    if (request.headers.authorization !== `Bearer ${scimSecret}`)
      return { status: 401, body: { detail: 'wrong secret' } }
    const body: unknown = request.body === '' ? {} : JSON.parse(request.body)
    return interfere(request, requests.length) ?? kept.scim.answer(request.method, url, isObject(body) ? body : {})
  }

  const server = createServer(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, headers, body: await text(incoming), atMs: performance.now() - startedAt }
    const url = new URL(path, baseUrl)
    const [, id = '', rest = ''] = /^\/api\/scim\/v2\.0\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? []
    if (id !== '') url.pathname = rest
    const answer: FakeAnswer & { retryAfter?: string } =
      id === '' ? answerApi(request, url, directories, create) : answerScim(request, id, url)
    if (answer.retryAfter !== undefined) response.setHeader('Retry-After', answer.retryAfter)
    const bytes = answer.body === undefined ? '' : JSON.stringify(answer.body)
    const zipped = headers['accept-encoding']?.includes('gzip') === true && bytes !== ''
    if (zipped) response.setHeader('Content-Encoding', 'gzip')
    response.writeHead(answer.status).end(zipped ? gzipSync(bytes) : bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { scim } = create({ tenant: 'initech', product: 'demo', type: 'generic-scim-v2' })
  return {
    baseUrl,
    scimUrl: `${baseUrl}/api/scim/v2.0/dir-1`,
    directory: scim,
    requests,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function answerApi(
  { method, headers, body }: FakeRequest,
  url: URL,
  directories: ReadonlyMap<string, Kept>,
  create: (settings: JsonObject) => Kept,
): FakeAnswer {
  if (headers.authorization !== `Api-Key ${apiKey}`) return errorResponse(401, 'The API key is missing or wrong.')
  const [first, second, third] = url.pathname.replace('/api/v1/directory-sync', '').split('/').filter(Boolean)
  const scope = ({ settings }: Kept) =>
    ['tenant', 'product'].every((name) => settings[name] === url.searchParams.get(name))
  const scoped = [...directories.values()].filter(scope)
  if (first === 'users') return data(scoped.flatMap(({ scim }) => [...scim.users.values()].map(eventUser)))
  if (first === 'groups' && third === undefined) {
    const groups = scoped.flatMap(({ scim }) => [...scim.groups.values()])
    return data(groups.map(({ id, displayName }) => ({ id, name: displayName })))
  }
  if (first === 'groups') {
    const group = scoped.map(({ scim }) => scim.groups.get(second ?? '')).find((one) => one !== undefined)
    return data([...(group?.members ?? [])].map((user_id) => ({ user_id })))
  }
  if (method === 'POST') return data(create(JSON.parse(body)).settings)
  if (first === undefined) return data(scoped.map(({ settings }) => settings))
  const kept = directories.get(first)
  if (kept === undefined) return errorResponse(404, 'There is no such directory.')
  if (method === 'PATCH') kept.settings = { ...kept.settings, ...JSON.parse(body) }
  return data(kept.settings)
}

function data(value: JsonObject | JsonObject[]): FakeAnswer {
  return { status: 200, body: { data: value, error: null } }
}

function errorResponse(status: number, message: string): FakeAnswer {
  return { status, body: { data: null, error: { message, code: status } } }
}
