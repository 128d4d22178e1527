import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createBoundedMap } from '../concurrency/bounded-map.ts'

/** The response of a server of files. */
export type FileResponse = Awaited<ReturnType<FastifyInstance['inject']>>

/** The files that a server of files has been asked for: all responses with a file have its bytes in common. */
export interface FileCache {
  get(name: string): Promise<FileResponse>
}

/** More than there are files, whatever names they are asked for by. */
const maxFiles = 500

/** @param read requests a file; only responses with one are kept */
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

/** Sends a file; a long one in chunks, as hundreds of clients may ask for it at once. */
export function sendBytes(reply: FastifyReply, bytes: Buffer): FastifyReply {
  if (bytes.length <= chunkLength) return reply.send(bytes)
  return reply.header('content-length', bytes.length).send(Readable.from(chunksOf(bytes), { highWaterMark: 1 }))
}

/** Other requests are served after each chunk. */
async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  for (let start = 0; start < bytes.length; start += chunkLength) {
    yield bytes.subarray(start, start + chunkLength)
    await nextTurn()
  }
}
