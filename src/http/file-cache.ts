import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createBoundedMap } from '../concurrency/bounded-map.ts'

/** The response of a server of files. */
export type FileResponse = Awaited<ReturnType<FastifyInstance['inject']>>

/** A cache of files: all responses with a file share its bytes. */
export interface FileCache {
  get(name: string): Promise<FileResponse>
}

/** Larger than the number of files, whatever names are requested. */
const maxFiles = 500

/** @param read requests a file; only successful responses are kept */
export function createFileCache(read: (name: string) => Promise<FileResponse>): FileCache {
  const files = createBoundedMap<Promise<FileResponse>>(maxFiles)

  async function readAndKeep(name: string): Promise<FileResponse> {
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
