import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import { basePathOf } from '../base-path.ts'
import { accepts } from '../compression.ts'
import type { FileResponse } from '../file-cache.ts'
import { createFileCache, hasTag, sendBytes } from '../file-cache.ts'

/**
 * The folder of the built pages: it has the same location relative to this file in the repository and in the published
 * package.
 */
const built = new URL('../../../console/dist/', import.meta.url)

const notBuilt =
  'The console and the API reference are not built: run "npm run build:console" in the repository of Rollcall, where its development packages are installed.\n'

/**
 * The pages of the web interface, and their files. The files, and the package that serves them, are loaded at the first
 * request.
 */
export function addPageRoutes(app: FastifyInstance, externalUrl: () => string): void {
  let files: Promise<ConsoleFiles | undefined> | undefined
  const schema = { hide: true }
  app.get('/assets/*', { schema, exposeHeadRoute: false }, async (request, reply) => {
    files ??= openFiles()
    const opened = await files
    if (opened !== undefined) return sendFile(await opened(request), request, reply)
    files = undefined
    return sendNotBuilt(reply)
  })
  const page = async (_request: FastifyRequest, reply: FastifyReply) => {
    const html = await readPage('index.html')
    return html === undefined ? sendNotBuilt(reply) : sendPage(reply, html, externalUrl())
  }
  app.get('/', { schema }, page)
  app.get('/*', { schema }, page)
}

/** What a page may do beyond what all may. */
export interface PagePermissions {
  /** An image of another host that the page may show. */
  readonly imageUrl?: string | undefined
  /** The origins whose pages may show it in a frame. */
  readonly frameAncestors?: readonly string[]
}

/**
 * Sends a page of the build, which starts the application.
 *
 * @param externalUrl the public address of the service, to whose path the page's own addresses belong
 */
export function sendPage(
  reply: FastifyReply,
  html: string,
  externalUrl: string,
  permissions: PagePermissions = {},
): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  // This header knows no list of origins, and older browsers would prefer it to the policy.
  if (permissions.frameAncestors?.length) reply.removeHeader('x-frame-options')
  return reply
    .headers({ ...pageHeaders(nonce, permissions), 'content-type': 'text/html; charset=utf-8' })
    .send(html.replaceAll('__STYLE_NONCE__', nonce).replaceAll('__BASE_PATH__', () => basePathOf(externalUrl)))
}

/** Returns whether the pages exist: they are built with development dependencies. */
export async function isConsoleBuilt(): Promise<boolean> {
  return (await readPage('index.html')) !== undefined
}

/**
 * Reads a page at every view: there are few views, and a new build shows up at once. Undefined when the console is not
 * built.
 */
export function readPage(name: string): Promise<string | undefined> {
  return readFile(new URL(name, built), 'utf8').catch(() => undefined)
}

/**
 * The policy allows scripts, styles and requests of this service only, and nothing inline. Style elements that the
 * components add have the nonce.
 */
function pageHeaders(nonce: string, { imageUrl, frameAncestors = [] }: PagePermissions): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:${imageUrl === undefined ? '' : ` ${imageUrl}`}`,
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  }
}

/** Says that pages do not exist, and how to build them. */
export function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.code(404).header('content-type', 'text/plain; charset=utf-8').send(notBuilt)
}

/** Returns the file that a request names. */
type ConsoleFiles = (request: FastifyRequest) => Promise<FileResponse>

/** The built files, whose names contain a hash of their content; undefined when the console is not built. */
async function openFiles(): Promise<ConsoleFiles | undefined> {
  if (!(await isConsoleBuilt())) return undefined
  const { default: staticFiles } = await import('@fastify/static')
  const server = Fastify()
  await server.register(staticFiles, {
    root: fileURLToPath(new URL('assets/', built)),
    prefix: '/console/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
  })
  await server.ready()
  const read = (encoding: string) =>
    createFileCache((url) => server.inject({ method: 'GET', url, headers: { 'accept-encoding': encoding } }))
  const [plain, gzip, brotli] = [read('identity'), read('gzip'), read('br')]
  return ({ url, headers }) => {
    const path = url.replace(/\?.*/s, '')
    const encodings = headers['accept-encoding']
    // Browsers accept Brotli, which makes scripts a seventh smaller, over HTTPS and from this machine only.
    if (accepts('br', encodings)) return brotli.get(path)
    return accepts('gzip', encodings) ? gzip.get(path) : plain.get(path)
  }
}

const passedHeaders = ['content-type', 'content-encoding', 'cache-control', 'etag', 'last-modified', 'vary'] as const

function sendFile(
  { statusCode, headers, rawPayload }: FileResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (statusCode !== 200) {
    return reply.code(404).header('content-type', 'text/plain; charset=utf-8').send('There is no such file.\n')
  }
  for (const name of passedHeaders) if (headers[name] !== undefined) reply.header(name, headers[name])
  return hasTag(request.headers, headers['etag']) ? reply.code(304).send() : sendBytes(reply, rawPayload)
}
