import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createBoundedMap } from '../concurrency/bounded-map.ts'
import { accepts } from './compression.ts'

/** The response of a server of files. */
export type FileResponse = Awaited<ReturnType<FastifyInstance['inject']>>

/** A cache of files: all responses with a file share its bytes. */
export interface FileCache<File> {
  get(name: string): Promise<File>
}

/** Larger than the number of files, whatever names are requested. */
const maxFiles = 500

/** @param read requests a file; only successful responses are kept */
export function createFileCache<File extends Pick<FileResponse, 'statusCode'>>(
  read: (name: string) => Promise<File>,
): FileCache<File> {
  const files = createBoundedMap<Promise<File>>(maxFiles)

  async function readAndKeep(name: string): Promise<File> {
    let isFile = false
    try {
      const response = await read(name)
      isFile = response.statusCode === 200
      return response
    } finally {
      if (!isFile) files.delete(name)
    }
  }

  return {
    get(name) {
      const known = files.get(name)
      if (known !== undefined) return known
      const file = readAndKeep(name)
      files.set(name, file)
      return file
    },
  }
}

/** A document of the service: bytes that all responses with it share. */
export interface SharedDocument {
  readonly type: string
  readonly bytes: Buffer
  /** The same, compressed. */
  readonly compressed: Buffer
  readonly etag: string
}

/** Compresses a document, once. */
export async function shareDocument(type: string, bytes: Buffer): Promise<SharedDocument> {
  // Weak, as both forms have it.
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url')}"`
  return { type, bytes, compressed: await promisify(gzip)(bytes), etag }
}

/** Sends a document, or 304 to a client that has it. Clients ask each time whether it has changed. */
export function sendDocument(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, compressed, etag }: SharedDocument,
): FastifyReply {
  reply.headers({ 'content-type': type, 'cache-control': 'no-cache', etag, vary: 'accept-encoding' })
  if (hasTag(headers, etag)) return reply.code(304).send()
  if (!accepts('gzip', headers['accept-encoding'])) return sendBytes(reply, bytes)
  return sendBytes(reply.header('content-encoding', 'gzip'), compressed)
}

/** Returns whether the client has the file with this tag (RFC 9110 §13.1.2). */
export function hasTag({ 'if-none-match': known }: IncomingHttpHeaders, etag: string | undefined): boolean {
  return known?.split(',').some((tag) => tag.trim() === etag) === true
}

const chunkLength = 65_536

/** Sends a file. A long one is sent in chunks, as hundreds of clients may request it at once. */
export function sendBytes(reply: FastifyReply, bytes: Buffer): FastifyReply {
  if (bytes.length <= chunkLength) return reply.send(bytes)
  return reply.header('content-length', bytes.length).send(Readable.from(chunksOf(bytes), { highWaterMark: 1 }))
}

/** Serves other requests after each chunk. */
async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  for (let start = 0; start < bytes.length; start += chunkLength) {
    yield bytes.subarray(start, start + chunkLength)
    await nextTurn()
  }
}
